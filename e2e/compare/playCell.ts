import path from 'node:path';
import { keepFailure } from './keepFailure.ts';
import type { CompareCell, ComparePlan } from './plan.ts';
import { recordSession } from './recordSession.ts';
import { SessionFailure } from './sessionFailure.ts';
import { isRepeated, type FailureId } from '../../src/campaign/failure.ts';

type Play = (plan: ComparePlan, cell: CompareCell) => Promise<unknown>;

/**
 * Plays a session until it has a log. Failures of the laboratory are repeated, as `isRepeated` says; each is kept beside
 * the log. @throws SessionFailure the last one
 */
export async function playCell(
  plan: ComparePlan,
  cell: CompareCell,
  play: Play = recordSession,
): Promise<void> {
  const tries: FailureId[] = [];
  for (;;) {
    try {
      await play(plan, cell);
      return;
    } catch (error) {
      if (!(error instanceof SessionFailure)) throw error;
      tries.push(error.failure);
      await keepFailure(path.join(plan.logDir, `${cell.id}.failures.jsonl`), error);
      if (!isRepeated(tries)) throw error;
    }
  }
}
