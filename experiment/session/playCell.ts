import { keepFailure } from './failureFile.ts';
import { hasTimeFor, type CompareCell, type ComparePlan } from './plan.ts';
import type { Recording } from './recordSession.ts';
import {
  brokenPair,
  formatCause,
  isToRepeat,
  mayRepeat,
  setPairAside,
  type PairInRun,
} from './repeatPair.ts';
import { SessionFailure } from './sessionFailure.ts';
import { sessionFiles } from './sessionFiles.ts';
import { isNoSpace } from '../../node/files.ts';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { isFinished } from '../design/finishedLog.ts';

/**
 * Plays a session until it has a log, which it answers. A failure of the laboratory is kept beside the log, and the sessions of
 * its pair that it is compared with are played again: what of them was finished is set aside first. @throws SessionFailure the last one
 */
export async function playCell<Log>(
  plan: ComparePlan,
  cell: CompareCell,
  play: (recording: Recording) => Promise<Log>,
): Promise<Log> {
  const run = inRun(plan, cell);
  let toPlay: readonly CompareCell[] = [cell];
  for (;;) {
    const attempt = await playInTurn(plan, { run, cells: toPlay, play });
    if (attempt.failed === null) return attempt.logs.get(cell.id)!;
    const { failed, left } = attempt;
    await keepFailure(sessionFiles(plan.logDir, failed.cell.id).failures, failed.error);
    if (!isToRepeat(run, failed.cell) || !hasTimeFor(plan, run.pair.length)) throw failed.error;
    const aside = await setPairAside(run, formatCause(failed.cell, failed.error.message));
    const again = new Set([...aside, ...left].map(({ id }) => id));
    toPlay = run.pair.filter(({ id }) => again.has(id));
  }
}

interface InRun extends PairInRun {
  readonly pair: readonly CompareCell[];
}

/** The sessions that one is compared with, and itself; outside pairs a session stands alone. */
function inRun({ logDir, startedAtUnixMs, groups }: ComparePlan, cell: CompareCell): InRun {
  const group = groups.find(({ isPair, cells }) => isPair && cells.some(({ id }) => id === cell.id));
  return {
    logDir,
    startedAtUnixMs,
    pair: group?.cells.filter(({ common }) => common === cell.common) ?? [cell],
  };
}

interface Attempt<Log> {
  /** By the session's id: of those that were played. */
  readonly logs: ReadonlyMap<string, Log>;
  /** null when all were played. */
  readonly failed: { readonly cell: CompareCell; readonly error: SessionFailure } | null;
  /** The session that failed, and those that it kept from being played. */
  readonly left: readonly CompareCell[];
}

interface InTurn<Log> {
  readonly run: InRun;
  readonly cells: readonly CompareCell[];
  play(recording: Recording): Promise<Log>;
}

async function playInTurn<Log>(plan: ComparePlan, { run, cells, play }: InTurn<Log>): Promise<Attempt<Log>> {
  const logs = new Map<string, Log>();
  for (const [index, cell] of cells.entries()) {
    try {
      // This one, and its pair once more.
      const isLastTry = !mayRepeat(run, cell) || !hasTimeFor(plan, 1 + run.pair.length);
      logs.set(cell.id, await play({ plan, cell, isLastTry }));
    } catch (error) {
      // Another try finds the disk as full, and so would the list of failures.
      if (!(error instanceof SessionFailure) || isNoSpace(error)) throw error;
      return { logs, failed: { cell, error }, left: cells.slice(index) };
    }
  }
  return { logs, failed: null, left: [] };
}

/** Sets the pair of a session aside where an earlier run left it in parts. Every session asks; the first one does it. */
export async function resumePair(plan: ComparePlan, cell: CompareCell): Promise<void> {
  const run = inRun(plan, cell);
  const broken = await brokenPair(run);
  if (broken) await setPairAside(run, broken.because);
}

/** Whether a session of a campaign has its whole log. Outside campaigns every session is played. */
export async function isPlayed({ logDir }: ComparePlan, { id, design }: CompareCell): Promise<boolean> {
  if (design === null) return false;
  const text = await readFile(path.join(logDir, `${id}.json`), 'utf8').catch(() => null);
  return isFinished({ id, design }, text);
}
