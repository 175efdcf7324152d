import { chargeHandshake, decideReuse } from './foldHandshakes.ts';
import type { EventFolds, FoldState, PoolManager, RaceDraft } from './foldState.ts';
import { dependencyIn, netErrorIn, numberIn, textIn, type NetLogEvent } from './netLogEvents.ts';
import type { RaceOutcome } from './netLogFacts.ts';

/**
 * Races of Chromium's HappyEyeballsV3, in which no job of a controller races. Each group of connections to a server has a
 * manager that attempts QUIC and TCP; the pool's jobs wait for it, one for each request and each preconnect
 * (net/http/http_stream_pool_attempt_manager.cc).
 */
export const poolFolds: EventFolds = {
  'HTTP_STREAM_POOL_JOB_CONTROLLER_ALIVE 1': (state, { sourceId }) => {
    const race = state.controllers.get(sourceId);
    if (race) race.isPooled = true;
  },
  'HTTP_STREAM_POOL_JOB_CONTROLLER_FOUND_EXISTING_QUIC_SESSION 0': reuseQuic,
  // The first event that names the session: the one before has no parameters (seen in Chromium 156).
  'HTTP_STREAM_REQUEST_BOUND_TO_QUIC_SESSION 0': (state, { sourceId, unixMs, params }) => {
    const race = state.requests.get(sourceId)?.races.at(-1);
    if (!race?.isPooled || race.outcome !== `${knownBy(race)}-reused`) return;
    decideReuse(race, { kind: knownBy(race), charged: chargeHandshake(state, dependencyIn(params)), unixMs });
  },
  'HTTP_STREAM_POOL_JOB_CONTROLLER_FOUND_EXISTING_SPDY_SESSION 0': (state, { sourceId, unixMs }) => {
    const race = state.controllers.get(sourceId);
    if (race) decide(race, unixMs, withoutQuic(race));
  },
  'HTTP_STREAM_POOL_JOB_CONTROLLER_JOB_BOUND 0': (state, { sourceId, params }) => {
    const race = state.controllers.get(sourceId);
    if (race) state.poolJobs.set(dependencyIn(params) ?? NaN, { race, manager: null });
  },
  'HTTP_STREAM_POOL_JOB_CONTROLLER_PRECONNECT_BOUND 0': (state, { sourceId, params }) => {
    const race = state.controllers.get(sourceId);
    const manager = state.managers.get(dependencyIn(params) ?? NaN);
    // A request that TCP has answered already tries QUIC for those that follow; a preconnect has no outcome.
    if (race?.outcome && manager) ownAttempt(state, manager, race);
  },
  'HTTP_STREAM_POOL_GROUP_ALIVE 1': (state, { sourceId, params }) =>
    void state.groups.set(sourceId, { isForced: params['force_quic'] === true, socketId: null }),
  'HTTP_STREAM_POOL_GROUP_HANDLE_CREATED 0': (state, { sourceId, unixMs, params }) => {
    const group = state.groups.get(sourceId);
    const socketId = dependencyIn(params);
    if (group) group.socketId = socketId;
    if (socketId !== null && numberIn(params, 'reuse_type') !== 0) state.idleUsed.set(socketId, unixMs);
  },
  // A connection of http/1.1 that lay idle is handed out without a job. The request is over a task later: others may begin between.
  'HTTP_STREAM_REQUEST 2': (state, { sourceId, unixMs }) => {
    const race = state.requests.get(sourceId)?.races.at(-1);
    if (!race?.isPooled || race.outcome !== 'cancelled') return;
    for (const [socketId, handedUnixMs] of state.idleUsed) {
      if (handedUnixMs < race.startUnixMs) continue;
      race.connectionId = socketId;
      state.idleUsed.delete(socketId);
      return decide(race, unixMs, withoutQuic(race));
    }
  },
  'HTTP_STREAM_POOL_GROUP_ALIVE 2': (state, { sourceId }) => void state.groups.delete(sourceId),
  'HTTP_STREAM_POOL_ATTEMPT_MANAGER_ALIVE 1': (state, { sourceId, params }) =>
    void state.managers.set(sourceId, {
      group: state.groups.get(dependencyIn(params) ?? NaN) ?? { isForced: false, socketId: null },
      attemptId: null,
      isOwned: false,
      isReused: false,
      quicFailed: false,
      beside: null,
    }),
  'HTTP_STREAM_POOL_ATTEMPT_MANAGER_JOB_BOUND 0': (state, { sourceId, params }) => {
    const job = state.poolJobs.get(sourceId);
    if (!job) return;
    job.manager = state.managers.get(dependencyIn(params) ?? NaN) ?? null;
    if (job.manager) ownAttempt(state, job.manager, null);
  },
  'HTTP_STREAM_POOL_ATTEMPT_MANAGER_QUIC_ATTEMPT_BOUND 0': (state, { sourceId, params }) => {
    const manager = state.managers.get(sourceId);
    if (!manager) return;
    manager.attemptId = dependencyIn(params);
    if (manager.isOwned) ownAttempt(state, manager, manager.beside);
  },
  'HTTP_STREAM_POOL_ATTEMPT_MANAGER_QUIC_ATTEMPT_COMPLETED 0': (state, { sourceId, params }) => {
    const manager = state.managers.get(sourceId);
    if (!manager) return;
    // Where DNS has no record the attempt ends with nothing tried.
    const isTried = manager.attemptId !== null && state.begun.has(manager.attemptId);
    manager.quicFailed = isTried && numberIn(params, 'quic_attempt_result') !== 0;
    manager.attemptId = null;
  },
  'HTTP_STREAM_POOL_ATTEMPT_MANAGER_EXISTING_QUIC_SESSION_MATCHED 0': (state, { sourceId }) => {
    const manager = state.managers.get(sourceId);
    if (manager) manager.isReused = true;
  },
  'HTTP_STREAM_POOL_ATTEMPT_MANAGER_ALIVE 2': (state, { sourceId }) => void state.managers.delete(sourceId),
  'HTTP_STREAM_POOL_QUIC_ATTEMPT_ALIVE 2': (state, { sourceId, unixMs }) => {
    const races = state.orphans.get(sourceId) ?? [];
    state.orphans.delete(sourceId);
    for (const race of races) {
      race.orphanEndUnixMs = unixMs;
      race.running.delete(sourceId);
    }
  },
  'HTTP_STREAM_POOL_JOB_ALIVE 2': endPoolJob,
};

const decide = (race: RaceDraft, unixMs: number, outcome: RaceOutcome): void => {
  [race.outcome, race.decidedUnixMs] = [outcome, unixMs];
};

/** Returns how h3 was known: Chromium names no job, but it has logged the Alt-Svc that it found. */
const knownBy = (race: RaceDraft): 'alternative' | 'dns-alpn' =>
  race.altSvcFound ? 'alternative' : 'dns-alpn';

function reuseQuic(state: FoldState, { sourceId, unixMs }: NetLogEvent): void {
  const race = state.controllers.get(sourceId);
  if (race)
    decide(race, unixMs, state.forcedPlaces.has(race.place) ? 'quic-forced' : `${knownBy(race)}-reused`);
}

/** A request waits for what a manager attempts: the attempt is this request's, and no preconnect's any more. */
function ownAttempt(state: FoldState, manager: PoolManager, beside: RaceDraft | null): void {
  manager.isOwned = true;
  manager.beside ??= beside;
  if (manager.attemptId === null) return;
  state.owned.add(manager.attemptId);
  if (beside) loseToTcp(state, beside, manager.attemptId);
}

/** TCP has the request; QUIC goes on without it. */
function loseToTcp(state: FoldState, race: RaceDraft, attemptId: number): void {
  race.outcome = 'main-won';
  state.orphans.set(attemptId, [...(state.orphans.get(attemptId) ?? []), race]);
  race.running.set(attemptId, { orphaned: true });
}

function endPoolJob(state: FoldState, { sourceId, unixMs, params }: NetLogEvent): void {
  const job = state.poolJobs.get(sourceId);
  state.poolJobs.delete(sourceId);
  if (!job?.manager || job.race.outcome !== null) return;
  const { race, manager } = job;
  const error = netErrorIn(params);
  // A request that is given up is cancelled where it ends.
  if (error === ERR_ABORTED) return;
  if (error !== null) return decide(race, unixMs, 'failed');
  if (textIn(params, 'negotiated_protocol') !== 'quic') endOverTcp(state, { race, manager, unixMs });
  else if (manager.group.isForced) {
    state.forcedPlaces.add(race.place);
    decide(race, unixMs, 'quic-forced');
  } else decide(race, unixMs, `${knownBy(race)}-${manager.isReused ? 'reused' : 'won'}`);
}

function endOverTcp(
  state: FoldState,
  {
    race,
    manager,
    unixMs,
  }: { readonly race: RaceDraft; readonly manager: PoolManager; readonly unixMs: number },
): void {
  race.connectionId = manager.group.socketId;
  state.idleUsed.delete(race.connectionId ?? NaN);
  decide(race, unixMs, manager.quicFailed ? 'main-after-quic-failed' : withoutQuic(race));
  if (state.begun.has(manager.attemptId ?? NaN)) loseToTcp(state, race, manager.attemptId!);
}

const withoutQuic = (race: RaceDraft): RaceOutcome => (race.altSvcBroken ? 'main-broken' : 'main-alone');

/** net/base/net_error_list.h */
const ERR_ABORTED = -3;
