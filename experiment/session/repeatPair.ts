import { existsSync } from 'node:fs';
import { readFile, rename } from 'node:fs/promises';
import { keepFailure, readFailures, type FailedTry } from './failureFile.ts';
import { SessionFailure } from './sessionFailure.ts';
import { sessionFiles } from './sessionFiles.ts';
import { findFailure, isRepeated, MAX_REPEATS, type FailureId } from '../design/failure.ts';
import { ownLog } from '../design/finishedLog.ts';
import type { PlannedSession } from '../design/plan.ts';
import type { SessionLog } from '../../src/telemetry/schema/sessionLog.ts';

/*
 * Arms that are compared are to be played close in time. So when one of a pair has to be played again, all are with which it
 * is compared: the logs of the others are set aside as failed tries. "Pair" stands for these sessions here: where a campaign
 * has several rules and compares transports, those of one rule. All that is known of this lies in the files of the sessions, so that a
 * run that is ended at any moment is continued rightly by the next.
 */

/** A session of a pair, with its place there; null outside campaigns, where a session has no pair. */
interface SessionOfPair {
  readonly id: string;
  readonly design: PlannedSession['design'] | null;
}

const PAIR_REPEATED: FailureId = 'pair-repeated';

/** Returns whether a line says that the laboratory failed, by which a session is to be played again. */
function isLaboratory({ failure }: Pick<FailedTry, 'failure'>): boolean {
  const known = findFailure(failure);
  return known?.whose === 'laboratory';
}

/** A pair in the folder of its logs, and the time since when its tries count as those of this run. */
export interface PairInRun {
  readonly logDir: string;
  readonly startedAtUnixMs: number;
  /** Sessions of the pair, in the plan's order. */
  readonly pair: readonly SessionOfPair[];
}

/**
 * Returns whether another try would follow if the next one of a session failed: each session is repeated at most `MAX_REPEATS`
 * times in a run, and so is a pair of which others would have to be set aside.
 */
export function mayRepeat(run: PairInRun, session: SessionOfPair): boolean {
  return isRepeatedAfter(run, session, ['browser-ended']);
}

/** Returns whether another try follows the tries of a session that have been kept. */
export const isToRepeat = (run: PairInRun, session: SessionOfPair): boolean =>
  isRepeatedAfter(run, session, []);

function isRepeatedAfter(
  { logDir, startedAtUnixMs, pair }: PairInRun,
  session: SessionOfPair,
  next: readonly FailureId[],
): boolean {
  const linesOf = ({ id }: SessionOfPair): FailedTry[] =>
    readFailures(sessionFiles(logDir, id).failures).filter(
      ({ atUnixMs }) => atUnixMs !== null && atUnixMs >= startedAtUnixMs,
    );
  const own = linesOf(session).flatMap(({ failure }) =>
    failure === PAIR_REPEATED ? [] : [failure as FailureId],
  );
  if (!isRepeated([...own, ...next])) return false;
  const others = pair.filter(({ id }) => id !== session.id && existsSync(sessionFiles(logDir, id).log));
  const repeats = pair.map((each) => linesOf(each).filter(({ failure }) => failure === PAIR_REPEATED).length);
  return others.length === 0 || Math.max(0, ...repeats) < MAX_REPEATS;
}

interface Finished {
  readonly session: SessionOfPair;
  readonly log: SessionLog;
}

/** Finds those of some sessions that have their whole log. */
async function findFinished(logDir: string, sessions: readonly SessionOfPair[]): Promise<Finished[]> {
  const found: Finished[] = [];
  for (const session of sessions) {
    const text = await readFile(sessionFiles(logDir, session.id).log, 'utf8').catch(() => null);
    const { id, design } = session;
    const log = design === null ? null : ownLog({ id, design }, text);
    if (log) found.push({ session, log });
  }
  return found;
}

/**
 * Sets the logs of a pair's finished sessions aside and returns these sessions. `because` says in a clause why the pair is
 * played again. A log that the guard has flagged goes last and by its flags: until then the pair is known by them.
 */
export async function setPairAside(
  { logDir, pair }: Pick<PairInRun, 'logDir' | 'pair'>,
  because: string,
): Promise<SessionOfPair[]> {
  const finished = await findFinished(logDir, pair);
  const flagsOf = ({ log }: Finished): readonly string[] => log.environment.machine?.flags ?? [];
  const isFlagged = (each: Finished): boolean => flagsOf(each).length > 0;
  const repeated = new SessionFailure(PAIR_REPEATED, `${BECAUSE}${because}`);
  for (const each of [...finished.filter((one) => !isFlagged(one)), ...finished.filter(isFlagged)]) {
    const flags = flagsOf(each);
    const failure = flags.length > 0 ? new SessionFailure('guard-tripped', flags.join(' ')) : repeated;
    await setAside(logDir, each, failure);
  }
  return finished.map(({ session }) => session);
}

/** Turns a session's last try into a failed one. A run that was ended between the two steps has written the line. */
async function setAside(logDir: string, { session, log }: Finished, failure: SessionFailure): Promise<void> {
  const files = sessionFiles(logDir, session.id);
  const last = readFailures(files.failures).at(-1)?.atUnixMs ?? null;
  if (last === null || last <= log.clock.startedAtUnixMs) await keepFailure(files.failures, failure);
  await rename(files.log, files.partial);
}

/** A pair that earlier runs left in parts, which would be played apart in time. */
interface BrokenPair {
  /** Why the pair is played again, in a clause for `setPairAside`. */
  readonly because: string;
  /** Sessions that have a log, and are to be played again. */
  readonly finished: readonly SessionOfPair[];
}

/**
 * Returns a pair if one of its sessions is still to be played after a failed try, when another was played before that try, or
 * out of turn: an earlier run was ended while it set the pair aside, or gave the session up. null for all other pairs; one that
 * was only cut off goes on where it was.
 */
export async function brokenPair({ logDir, startedAtUnixMs, pair }: PairInRun): Promise<BrokenPair | null> {
  const failedOf = ({ id }: SessionOfPair): FailedTry | undefined =>
    readFailures(sessionFiles(logDir, id).failures)
      .filter((line) => isLaboratory(line) && (line.atUnixMs ?? Infinity) < startedAtUnixMs)
      .at(-1);
  if (pair.every((session) => failedOf(session) === undefined)) return null;
  const finished = await findFinished(logDir, pair);
  const placeOf = ({ id }: SessionOfPair): number => pair.findIndex((each) => each.id === id);
  const missing = pair.filter(({ id }) => finished.every(({ session }) => session.id !== id));
  for (const session of missing) {
    const failed = failedOf(session);
    const isBefore = ({ session: other, log }: Finished): boolean =>
      failed !== undefined &&
      (log.clock.startedAtUnixMs < (failed.atUnixMs ?? 0) || placeOf(other) > placeOf(session));
    if (failed && finished.some(isBefore))
      return { because: causeOf(session, failed), finished: finished.map((each) => each.session) };
  }
  return null;
}

const BECAUSE = 'its pair was repeated because ';

const causeOf = (session: SessionOfPair, { failure, message }: FailedTry): string =>
  failure === PAIR_REPEATED ? message.replace(BECAUSE, '') : formatCause(session, message);

/** Says why a pair is repeated: which of its sessions failed, and how. */
export const formatCause = ({ id, design }: SessionOfPair, message: string): string =>
  `${design?.arm ?? id} failed: ${message}`;
