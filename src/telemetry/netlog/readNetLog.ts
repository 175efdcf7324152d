import { ok, type Result } from '../../shared/result.ts';
import { altSvcFolds, connectionFolds } from './foldConnections.ts';
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
const FOLDS: readonly EventFolds[] = [requestFolds, raceFolds, connectionFolds, altSvcFolds];

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
  // Without one of its events nobody knows how a race ended.
  const isDecided = !Object.keys(raceFolds).some((key) => lacking.includes(nameOf(key)));
  return {
    requests: state.found.map((request) => requestOf(request, isDecided)),
    lacking,
    connections: state.connections,
    brokenPeriods: state.brokenPeriods,
    spanUnixMs: firstUnixMs === null ? null : { from: firstUnixMs, to: lastUnixMs ?? firstUnixMs },
    netErrorNames,
  };
}

const requestOf = (request: RequestDraft, isDecided: boolean): NetLogRequest => ({
  ...request,
  races: request.races.map((race) => raceOf(race, isDecided)),
});

function raceOf(
  { altSvcBroken: _broken, quicFailed: _failed, running, sent, ...facts }: RaceDraft,
  isDecided: boolean,
): NetLogRace {
  return {
    ...facts,
    outcome: isDecided ? finalOutcome(facts, sent) : 'unknown',
    orphanRuns: [...running.values()].some(({ orphaned }) => orphaned),
  };
}

/** A job is bound to its request also to hand over its failure; then nothing was ever sent. */
function finalOutcome(
  { outcome, netError }: Pick<RaceDraft, 'outcome' | 'netError'>,
  sent: boolean,
): RaceOutcome {
  const bound = outcome !== null && outcome !== 'cancelled';
  if (netError !== null && !sent && bound) return 'failed';
  // Chromium's HappyEyeballsV3 has jobs of another kind.
  if (sent && !bound) return 'unknown';
  return outcome ?? 'unfinished';
}
