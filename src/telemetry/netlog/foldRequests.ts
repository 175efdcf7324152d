import { decideReuse } from './foldHandshakes.ts';
import type { EventFolds, FoldState, Job, RaceDraft, RequestDraft } from './foldState.ts';
import { dependencyIn, netErrorIn, numberIn, textIn, type NetLogEvent } from './netLogEvents.ts';
import type { RaceOutcome } from './netLogFacts.ts';

/** Requests: when they began, their first and last byte, how much came, and what ended them. */
export const requestFolds: EventFolds = {
  'URL_REQUEST_START_JOB 1': beginRequest,
  'HTTP_TRANSACTION_SEND_REQUEST 1': (state, event) => {
    const race = state.requests.get(event.sourceId)?.races.at(-1);
    if (race) race.sent = true;
  },
  'HTTP_TRANSACTION_RESTART_AFTER_ERROR 0': (state, event) => {
    const race = state.requests.get(event.sourceId)?.races.at(-1);
    if (race) race.netError = netErrorIn(event.params);
  },
  'HTTP_TRANSACTION_READ_HEADERS 2': (state, { sourceId, unixMs }) => {
    const request = state.requests.get(sourceId);
    // A stream that failed also ends this phase, without headers: the log has its error just before.
    if (request && request.races.at(-1)?.netError == null) request.firstByteUnixMs = unixMs;
  },
  'HTTP_TRANSACTION_READ_BODY 2': (state, { sourceId, unixMs }) => {
    const request = state.requests.get(sourceId);
    if (request) request.lastByteUnixMs = unixMs;
  },
  'URL_REQUEST_JOB_FILTERED_BYTES_READ 0': (state, { sourceId, params }) => {
    const request = state.requests.get(sourceId);
    if (request) request.receivedBytes += numberIn(params, 'byte_count') ?? 0;
  },
  'FAILED 0': (state, event) => void noteError(state, event),
  'REQUEST_ALIVE 2': (state, event) => {
    noteError(state, event);
    state.requests.delete(event.sourceId);
  },
};

/** A redirect starts a second job of the same source: it is a request of its own. */
function beginRequest(state: FoldState, { sourceId, unixMs, params }: NetLogEvent): void {
  const url = textIn(params, 'url');
  if (url === null) return;
  const request: RequestDraft = {
    sourceId,
    url,
    method: textIn(params, 'method') ?? 'GET',
    startUnixMs: unixMs,
    firstByteUnixMs: null,
    lastByteUnixMs: null,
    receivedBytes: 0,
    netError: null,
    races: [],
  };
  state.requests.set(sourceId, request);
  state.found.push(request);
}

function noteError(state: FoldState, { sourceId, params }: NetLogEvent): void {
  const request = state.requests.get(sourceId);
  const error = netErrorIn(params);
  if (!request || error === null) return;
  request.netError ??= error;
  const race = request.races.at(-1);
  if (race) race.netError ??= error;
}

/**
 * Races: one job controller is one race; its jobs are the cars. A job's end before it was bound is a failure, unless
 * another was bound already (net/http/http_stream_factory_job_controller.cc).
 */
export const raceFolds: EventFolds = {
  'HTTP_STREAM_JOB_CONTROLLER 1': (state, { sourceId, unixMs, params }) =>
    void state.controllers.set(sourceId, newRace(unixMs, placeOf(textIn(params, 'url') ?? ''))),
  'HTTP_STREAM_JOB_CONTROLLER 2': (state, { sourceId }) => void state.controllers.delete(sourceId),
  'HTTP_STREAM_JOB_CONTROLLER_BOUND 0': (state, { sourceId, params }) => {
    const race = state.controllers.get(dependencyIn(params) ?? NaN);
    if (race) state.requests.get(sourceId)?.races.push(race);
  },
  'HTTP_STREAM_JOB_CONTROLLER_ALT_SVC_FOUND 0': (state, { sourceId, params }) => {
    const race = state.controllers.get(sourceId);
    if (race) [race.altSvcFound, race.altSvcBroken] = [true, params['is_broken'] === true];
  },
  'HTTP_STREAM_JOB_DELAYED 0': (state, { sourceId, params }) => {
    const race = state.controllers.get(sourceId);
    if (race) race.mainDelayMs ??= numberIn(params, 'delay');
  },
  'HTTP_STREAM_JOB 1': beginJob,
  'HTTP_STREAM_JOB 2': endJob,
  'HTTP_STREAM_JOB_RESUMED 0': (state, { sourceId, unixMs }) => {
    const job = state.jobs.get(sourceId);
    if (job?.kind === 'main') job.race.mainResumedUnixMs = unixMs;
  },
  'HTTP_STREAM_JOB_ORPHANED 0': (state, { sourceId }) => {
    const job = state.jobs.get(sourceId);
    if (job) job.orphaned = true;
  },
  'SOCKET_POOL_BOUND_TO_SOCKET 0': (state, event) => noteConnection(state, event),
  'HTTP2_SESSION_POOL_FOUND_EXISTING_SESSION 0': (state, event) => noteConnection(state, event),
  'HTTP2_SESSION_POOL_FOUND_EXISTING_SESSION_FROM_IP_POOL 0': (state, event) => noteConnection(state, event),
  'HTTP_STREAM_REQUEST_BOUND_TO_JOB 0': bind,
  'HTTP_STREAM_REQUEST_BOUND_TO_QUIC_SESSION 0': (state, { sourceId, params }) => {
    const race = state.requests.get(sourceId)?.races.at(-1);
    if (race) race.connectionId = dependencyIn(params);
  },
  'HTTP_STREAM_REQUEST 2': (state, { sourceId, unixMs }) => {
    const race = state.requests.get(sourceId)?.races.at(-1);
    if (!race || race.outcome !== null) return;
    [race.outcome, race.decidedUnixMs] = ['cancelled', unixMs];
  },
};

/** Returns host:port of an https URL; empty for others. */
function placeOf(url: string): string {
  const host = /^https:\/\/([^/?#]+)/.exec(url)?.[1] ?? '';
  return host === '' || /:\d+$/.test(host) ? host : `${host}:443`;
}

const newRace = (startUnixMs: number, place: string): RaceDraft => ({
  startUnixMs,
  place,
  outcome: null,
  decidedUnixMs: null,
  mainDelayMs: null,
  mainResumedUnixMs: null,
  orphanEndUnixMs: null,
  connectionId: null,
  netError: null,
  altSvcFound: false,
  altSvcBroken: false,
  quicFailed: false,
  hasQuicJob: false,
  isPooled: false,
  sent: false,
  running: new Map(),
});

const KINDS: Readonly<Record<string, Job['kind']>> = {
  main: 'main',
  alternative: 'alternative',
  dns_alpn_h3: 'dns-alpn',
};

function beginJob(state: FoldState, { sourceId, params }: NetLogEvent): void {
  const race = state.controllers.get(dependencyIn(params) ?? NaN);
  const kind = KINDS[textIn(params, 'type') ?? ''];
  if (!race || !kind) return;
  const overQuic = params['using_quic'] === true;
  const job: Job = {
    kind,
    race,
    overQuic,
    reused: false,
    orphaned: false,
    connectionId: null,
    attemptId: null,
    charged: null,
  };
  race.hasQuicJob ||= kind !== 'main';
  state.jobs.set(sourceId, job);
  race.running.set(sourceId, job);
}

function endJob(state: FoldState, { sourceId, unixMs }: NetLogEvent): void {
  const job = state.jobs.get(sourceId);
  if (!job) return;
  state.jobs.delete(sourceId);
  job.race.running.delete(sourceId);
  if (job.orphaned) job.race.orphanEndUnixMs = unixMs;
  else if (job.race.outcome === null && hasTriedQuic(state, job)) job.race.quicFailed = true;
}

/** Every request that knows no Alt-Svc has a job for what DNS may tell: without a record it ends with nothing tried. */
const hasTriedQuic = ({ begun }: FoldState, { kind, attemptId }: Job): boolean =>
  kind === 'alternative' || (kind === 'dns-alpn' && attemptId !== null && begun.has(attemptId));

function noteConnection(state: FoldState, { sourceId, params }: NetLogEvent): void {
  // With HappyEyeballsV3 the request itself finds a session.
  const holder = state.jobs.get(sourceId) ?? state.requests.get(sourceId)?.races.at(-1);
  const id = dependencyIn(params);
  if (holder && id !== null) holder.connectionId = state.socketOfSession.get(id) ?? id;
}

function bind(state: FoldState, { sourceId, unixMs, params }: NetLogEvent): void {
  const race = state.requests.get(sourceId)?.races.at(-1);
  const job = state.jobs.get(dependencyIn(params) ?? NaN);
  if (!race || job?.race !== race) return;
  race.connectionId = job.connectionId;
  const { kind, reused, charged } = job;
  if (kind !== 'main' && reused) return decideReuse(race, { kind, charged, unixMs });
  race.outcome = kind === 'main' ? outcomeOfMain(job) : `${kind}-won`;
  race.decidedUnixMs = unixMs;
}

function outcomeOfMain({ race, overQuic }: Job): RaceOutcome {
  if (overQuic) return 'quic-forced';
  if (race.running.size > 1) return 'main-won';
  if (race.quicFailed) return 'main-after-quic-failed';
  return race.altSvcBroken ? 'main-broken' : 'main-alone';
}
