import type { AltSvcState, ConnectionDraft, EventFolds, FoldState, RaceDraft } from './foldState.ts';
import { dependencyIn, netErrorIn, numberIn, textIn, type NetLogEvent } from './netLogEvents.ts';

/** QUIC sessions and TCP sockets: handshake, 0-RTT, packets, and why they closed. */
export const connectionFolds: EventFolds = {
  'QUIC_SESSION 1': (state, { sourceId, unixMs, params }) =>
    void state.connections.set(sourceId, {
      ...newConnection(sourceId, unixMs),
      kind: 'quic',
      peer: peerIn(params),
      packetsSent: 0,
      packetsReceived: 0,
      packetsLost: 0,
    }),
  'QUIC_SESSION 2': (state, { sourceId, unixMs }) => {
    const connection = state.connections.get(sourceId);
    if (connection) connection.endUnixMs ??= unixMs;
  },
  'QUIC_SESSION_CRYPTO_HANDSHAKE_COMPLETE 0': (state, event) =>
    change(state, event, ({ unixMs }) => ({ readyUnixMs: unixMs })),
  'QUIC_SESSION_ZERO_RTT_STATE 0': (state, event) =>
    change(state, event, ({ params }) => ({ zeroRtt: textIn(params, 'state') })),
  'QUIC_SESSION_PACKET_SENT 0': (state, { sourceId, params }) => {
    const connection = state.connections.get(sourceId);
    if (!connection) return;
    connection.packetsSent = (connection.packetsSent ?? 0) + 1;
    if (params['encryption_level'] === 'ENCRYPTION_ZERO_RTT') connection.zeroRtt ??= 'sent';
  },
  'QUIC_SESSION_PACKET_RECEIVED 0': (state, { sourceId }) => {
    const connection = state.connections.get(sourceId);
    if (connection) connection.packetsReceived = (connection.packetsReceived ?? 0) + 1;
  },
  'QUIC_SESSION_PACKET_LOST 0': (state, { sourceId }) => {
    const connection = state.connections.get(sourceId);
    if (connection) connection.packetsLost = (connection.packetsLost ?? 0) + 1;
  },
  'QUIC_SESSION_CLOSED 0': closeQuic,
  'TCP_CONNECT 1': (state, { sourceId, unixMs }) =>
    void state.connections.set(sourceId, newConnection(sourceId, unixMs)),
  'TCP_CONNECT 2': (state, event) =>
    change(state, event, ({ unixMs, params }) => {
      if (netErrorIn(params) !== null) return { endUnixMs: unixMs };
      return { peer: textIn(params, 'remote_address'), tcpReadyUnixMs: unixMs, readyUnixMs: unixMs };
    }),
  'SSL_CONNECT 1': (state, event) => change(state, event, () => ({ readyUnixMs: null })),
  'SSL_CONNECT 2': (state, event) =>
    change(state, event, ({ unixMs, params }) => {
      if (netErrorIn(params) !== null) return { endUnixMs: unixMs };
      return { readyUnixMs: unixMs, resumed: params['is_resumed'] === true };
    }),
  'SOCKET_ALIVE 2': (state, event) => change(state, event, ({ unixMs }) => ({ endUnixMs: unixMs })),
  'HTTP2_SESSION_INITIALIZED 0': (state, { sourceId, params }) => {
    const socket = dependencyIn(params);
    if (socket !== null) state.socketOfSession.set(sourceId, socket);
  },
};

const newConnection = (id: number, startUnixMs: number): ConnectionDraft => ({
  id,
  kind: 'tcp',
  peer: null,
  startUnixMs,
  readyUnixMs: null,
  tcpReadyUnixMs: null,
  endUnixMs: null,
  resumed: null,
  zeroRtt: null,
  packetsSent: null,
  packetsReceived: null,
  packetsLost: null,
  close: null,
});

function change(
  state: FoldState,
  event: NetLogEvent,
  changes: (event: NetLogEvent) => Partial<ConnectionDraft>,
): void {
  const connection = state.connections.get(event.sourceId);
  if (connection) Object.assign(connection, changes(event));
}

const peerIn = (params: NetLogEvent['params']): string =>
  `${textIn(params, 'host') ?? ''}:${numberIn(params, 'port') ?? ''}`;

/** Chromium logs the close twice; the first is the one at its time. */
function closeQuic(state: FoldState, { sourceId, unixMs, params }: NetLogEvent): void {
  const connection = state.connections.get(sourceId);
  if (!connection || connection.close) return;
  const code = numberIn(params, 'quic_error') ?? 0;
  connection.close = {
    error: state.constants?.quicErrorNames.get(code) ?? `QUIC error ${code}`,
    details: textIn(params, 'details') ?? '',
    fromPeer: params['from_peer'] === true,
  };
  connection.endUnixMs ??= unixMs;
}

/**
 * Broken Alt-Svc, and QUIC that DNS taught and that is marked broken alike. Chromium logs no event for the marking itself: each race says whether it found the alternative
 * broken, so a period begins between the last race that did not and the first that did. QUIC's failure to that
 * place in between is its cause and its begin. An earlier failure is its cause, too, where a request that died with it was
 * restarted: Chromium marks the alternative when TCP has answered that request, and others may race meanwhile.
 */
export const altSvcFolds: EventFolds = {
  'HTTP_STREAM_JOB_CONTROLLER_ALT_SVC_FOUND 0': (state, { unixMs, params }) => {
    const place = alternativeIn(params);
    if (place === undefined) return;
    if (params['is_broken'] === true) noteBroken(state, place, unixMs);
    else noteUsable(stateOf(state, place), unixMs);
  },
  'HTTP_STREAM_REQUEST_BOUND_TO_JOB 0': (state, { sourceId, unixMs }) => {
    const races = state.requests.get(sourceId)?.races ?? [];
    const [race] = races;
    // A restart leaves QUIC out, broken or not.
    if (!race || races.length > 1 || !lacksQuicJob(state, race)) return;
    race.outcome = 'main-broken';
    noteBroken(state, race.place, unixMs);
  },
  'HTTP_STREAM_JOB 1': (state, { sourceId, unixMs }) => {
    const job = state.jobs.get(sourceId);
    const known = state.altSvc.get(job?.race.place ?? '');
    if (job?.kind === 'dns-alpn' && known?.isTaughtByDns) noteUsable(known, unixMs);
  },
  'QUIC_SESSION_POOL_USE_EXISTING_SESSION 0': noteTaught,
  'BOUND_TO_QUIC_SESSION_POOL_JOB 0': noteTaught,
  'QUIC_SESSION_CLOSED 0': (state, event) => {
    const connection = state.connections.get(event.sourceId);
    if (!connection?.peer || !connection.close || numberIn(event.params, 'quic_error') === 0) return;
    const { error, details, fromPeer } = connection.close;
    const by = fromPeer ? ', closed by the peer' : '';
    noteFailure(state, connection.peer, { unixMs: event.unixMs, cause: `${error}: ${details}${by}` });
  },
  'HTTP_TRANSACTION_RESTART_AFTER_ERROR 0': ({ altSvc }, { unixMs }) => {
    for (const { failure } of altSvc.values())
      if (failure && unixMs - failure.unixMs <= SAME_MOMENT_MS) failure.isRetried = true;
  },
  'QUIC_SESSION_POOL_JOB 1': (state, { sourceId, params }) => {
    state.attempts.set(sourceId, peerIn(params));
  },
  'QUIC_SESSION_POOL_JOB 2': (state, { sourceId }) => void state.attempts.delete(sourceId),
  'QUIC_SESSION_POOL_JOB_CONNECT 2': noteAttempt,
};

/** Returns host:port of the Alt-Svc that a race has found. */
export const alternativeIn = (params: NetLogEvent['params']): string | undefined =>
  /^\S+ ([^,\s]+)/.exec(textIn(params, 'alt_svc') ?? '')?.[1];

function stateOf({ altSvc }: FoldState, place: string): AltSvcState {
  const known = altSvc.get(place) ?? {
    usableUnixMs: null,
    isTaughtByDns: false,
    broken: null,
    failure: null,
  };
  altSvc.set(place, known);
  return known;
}

/** DNS taught h3, QUIC failed, and a request has no job for QUIC: it would have one, with a record or without. */
function lacksQuicJob({ altSvc }: FoldState, { place, outcome, hasQuicJob }: RaceDraft): boolean {
  const known = altSvc.get(place);
  if (outcome !== 'main-alone' || hasQuicJob || !known?.isTaughtByDns) return false;
  return known.broken !== null || known.failure !== null;
}

/** A place to which nothing is known but by DNS has no failure of QUIC until DNS has taught it. */
function noteTaught(state: FoldState, { sourceId }: NetLogEvent): void {
  const job = state.jobs.get(sourceId);
  if (job?.kind === 'dns-alpn' && job.race.place !== '') stateOf(state, job.race.place).isTaughtByDns = true;
}

function noteUsable(place: AltSvcState, unixMs: number): void {
  if (place.broken) {
    place.broken.endUnixMs = unixMs;
    // It has had its effect: it is not the cause of another period.
    place.failure = null;
  }
  [place.usableUnixMs, place.broken] = [unixMs, null];
}

function noteBroken(state: FoldState, alternative: string, unixMs: number): void {
  const place = stateOf(state, alternative);
  if (place.broken) return;
  const { failure, usableUnixMs } = place;
  const isNew = failure !== null && failure.unixMs >= (usableUnixMs ?? -Infinity);
  place.broken = {
    alternative,
    startUnixMs: isNew ? failure.unixMs : unixMs,
    endUnixMs: null,
    cause: isNew || failure?.isRetried ? failure!.cause : null,
  };
  state.brokenPeriods.push(place.broken);
}

type Failure = Omit<NonNullable<AltSvcState['failure']>, 'isRetried'>;

/** What Chromium does in one go is logged within this. */
const SAME_MOMENT_MS = 5;

function noteFailure(state: FoldState, place: string, failure: Failure): void {
  const known = stateOf(state, place);
  // The close is logged twice, and an attempt ends with it: the first word is the fullest.
  if (known.failure && failure.unixMs - known.failure.unixMs <= SAME_MOMENT_MS) return;
  known.failure = { ...failure, isRetried: false };
}

/** An attempt that failed without a session, e.g. because the name was not found. */
function noteAttempt(state: FoldState, { sourceId, unixMs, params }: NetLogEvent): void {
  const place = state.attempts.get(sourceId);
  const error = netErrorIn(params);
  if (place === undefined || error === null) return;
  const cause = state.constants?.netErrorNames.get(error) ?? `net error ${error}`;
  noteFailure(state, place, { unixMs, cause });
}
