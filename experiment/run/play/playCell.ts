import { keepFailure } from './keepEvidence.ts';
import type { CompareCell, ComparePlan } from './plan.ts';
import type { Recording } from './recordSession.ts';
import { SessionFailure } from './sessionFailure.ts';
import { sessionFiles } from './sessionFiles.ts';
import { isNoSpace } from '../../../node/files.ts';
import { isRepeated, MAX_REPEATS, type FailureId } from '../../plan/failure.ts';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { isFinished } from '../../plan/finishedLog.ts';

/**
 * Plays a session until it has a log, which it answers. Failures of the laboratory are repeated, as `isRepeated` says; each is kept beside
 * the log. @throws SessionFailure the last one
 */
export async function playCell<Log>(
  plan: ComparePlan,
  cell: CompareCell,
  play: (recording: Recording) => Promise<Log>,
): Promise<Log> {
  const tries: FailureId[] = [];
  for (;;) {
    try {
      return await play({ plan, cell, isLastTry: tries.length === MAX_REPEATS });
    } catch (error) {
      // Another try finds the disk as full, and so would the list of failures.
      if (!(error instanceof SessionFailure) || isNoSpace(error)) throw error;
      tries.push(error.failure);
      await keepFailure(sessionFiles(plan.logDir, cell.id).failures, error);
      if (!isRepeated(tries)) throw error;
    }
  }
}

/** Whether a session of a campaign has its whole log. Outside campaigns every session is played. */
export async function isPlayed({ logDir }: ComparePlan, { id, design }: CompareCell): Promise<boolean> {
  if (design === null) return false;
  const text = await readFile(path.join(logDir, `${id}.json`), 'utf8').catch(() => null);
  return isFinished({ id, design }, text);
}
