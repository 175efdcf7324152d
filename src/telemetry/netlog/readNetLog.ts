import { ok, type Result } from '../../shared/result.ts';
import { altSvcFolds, connectionFolds } from './foldConnections.ts';
import { handshakeFolds } from './foldHandshakes.ts';
import { poolFolds } from './foldPool.ts';
import { raceFolds, requestFolds } from './foldRequests.ts';
import {
  emptyState,
  type EventFolds,
  type FoldState,
  type RaceDraft,
  type RequestDraft,
} from './foldState.ts';
import { scanNetLog, type NetLogConstants, type NetLogEvent } from './netLogEvents.ts';
import type { NetLogFacts, NetLogRace, NetLogRequest, RaceOutcome } from './netLogFacts.ts';

/** Reads a NetLog in chunks; memory grows with its requests, not with its size. */
interface NetLogReader {
  push(text: string): void;
  /** A sentence as soon as it is certain that this is no NetLog; null until then. */
  refused(): string | null;
  end(): Result<NetLogFacts>;
}

/** @param more folds behind its own, as those of `foldCauses.ts`, for which the page has no bytes */
export function createNetLogReader(more: EventFolds = {}): NetLogReader {
  const state = emptyState(more);
  let quicSettings: NetLogFacts['quicSettings'] = {};
  const scanner = scanNetLog({
    wanted: new Set([...WANTED, ...Object.keys(more).map(nameOf)]),
    onEvent: (event, constants) => fold(state, event, constants),
    onPolled: ({ quicInfo }) => {
      if (Object.keys(quicSettings).length === 0) quicSettings = settingsIn(quicInfo);
    },
  });
  return {
    push: scanner.push,
    refused() {
      const head = scanner.head();
      return head && !head.ok ? head.error : null;
    },
    end() {
      const head = scanner.end();
      return head.ok ? ok({ ...factsOf(state, head.value), quicSettings }) : head;
    },
  };
}

const settingsIn = (quicInfo: unknown): NetLogFacts['quicSettings'] =>
  Object.fromEntries(
    Object.entries(quicInfo ?? {}).filter(
      (entry): entry is [string, number | boolean] =>
        typeof entry[1] === 'boolean' || Number.isFinite(entry[1]),
    ),
  );

/** Reads a NetLog whose text is whole. */
export function readNetLog(text: string): Result<NetLogFacts> {
  const reader = createNetLogReader();
  reader.push(text);
  return reader.end();
}

/** In this order: a close is known before it is a cause. */
const FOLDS: readonly EventFolds[] = [
  requestFolds,
  raceFolds,
  handshakeFolds,
  poolFolds,
  connectionFolds,
  altSvcFolds,
];

const nameOf = (key: string): string => key.slice(0, -2);

/** Names of the events that are read. */
export const WANTED: ReadonlySet<string> = new Set(FOLDS.flatMap((folds) => Object.keys(folds)).map(nameOf));

function fold(state: FoldState, event: NetLogEvent, constants: NetLogConstants): void {
  state.constants = constants;
  state.firstUnixMs ??= event.unixMs;
  state.lastUnixMs = event.unixMs;
  const key = `${event.name} ${event.phase}`;
  for (const folds of [...FOLDS, state.more]) folds[key]?.(state, event);
}

function factsOf(
  state: FoldState,
  { netErrorNames, typeNames }: NetLogConstants,
): Omit<NetLogFacts, 'quicSettings'> {
  const { firstUnixMs, lastUnixMs } = state;
  const known = new Set(typeNames.values());
  const lacking = [...WANTED].filter((name) => !known.has(name));
  const isWhole = (keys: readonly string[]): boolean => !keys.some((key) => lacking.includes(nameOf(key)));
  // Without one of their events nobody knows how races ended.
  const decided = { byJobs: isWhole(OF_JOBS), byPool: isWhole(OF_POOL) };
  return {
    requests: state.found.map((request) => requestOf(request, decided)),
    lacking,
    connections: state.connections,
    brokenPeriods: state.brokenPeriods,
    spanUnixMs: firstUnixMs === null ? null : { from: firstUnixMs, to: lastUnixMs ?? firstUnixMs },
    netErrorNames,
  };
}

const ALWAYS = ['HTTP_TRANSACTION_SEND_REQUEST 1', 'HTTP_STREAM_JOB_CONTROLLER 1', 'HTTP_STREAM_REQUEST 2'];
const OF_JOBS = [...ALWAYS, ...Object.keys(raceFolds), ...Object.keys(handshakeFolds)];
const OF_POOL = [...ALWAYS, ...Object.keys(poolFolds), 'QUIC_SESSION_POOL_JOB_RESULT 0'];

interface Decided {
  readonly byJobs: boolean;
  /** By HappyEyeballsV3. */
  readonly byPool: boolean;
}

function requestOf(request: RequestDraft, decided: Decided): NetLogRequest {
  const { races, firstByteUnixMs, netError } = request;
  const answered = firstByteUnixMs !== null && netError === null ? races.at(-1) : null;
  return {
    ...request,
    races: races.map((race) => {
      const isKnown = race.isPooled ? decided.byPool : decided.byJobs;
      const outcome = isKnown ? finalOutcome(race) : 'unknown';
      // What brought an answer has not lost.
      return raceOf(race, race === answered && LOST.has(outcome) ? 'unknown' : outcome);
    }),
  };
}

const LOST: ReadonlySet<RaceOutcome> = new Set(['failed', 'cancelled', 'unfinished']);

function raceOf(race: RaceDraft, outcome: RaceOutcome): NetLogRace {
  const { startUnixMs, decidedUnixMs, mainDelayMs, mainResumedUnixMs, orphanEndUnixMs } = race;
  return {
    startUnixMs,
    outcome,
    decidedUnixMs,
    mainDelayMs,
    mainResumedUnixMs,
    orphanEndUnixMs,
    orphanRuns: [...race.running.values()].some(({ orphaned }) => orphaned),
    connectionId: race.connectionId,
    netError: race.netError,
    ...(race.cause !== undefined && { cause: race.cause }),
  };
}

/** A job is bound to its request also to hand over its failure; then nothing was ever sent. */
function finalOutcome({ outcome, sent, netError }: RaceDraft): RaceOutcome {
  const bound = outcome !== null && outcome !== 'cancelled';
  if (netError !== null && !sent && bound) return 'failed';
  // A browser whose jobs are of a kind that this reader does not know.
  if (sent && !bound) return 'unknown';
  return outcome ?? 'unfinished';
}
