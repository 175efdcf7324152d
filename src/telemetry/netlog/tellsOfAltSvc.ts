import type { AltSvcState, FoldState, Tells } from './foldState.ts';
import { netErrorIn, numberIn, textIn, type NetLogEvent } from './netLogEvent.ts';

/**
 * Broken Alt-Svc. Chromium logs no event for the marking itself: each race says whether it found the alternative
 * broken, so a period begins between the last race that did not and the first that did. QUIC's failure to that
 * place in between is its cause and its begin. An earlier failure is its cause, too, where a request that died with it was
 * restarted: Chromium marks the alternative when TCP has answered that request, and others may race meanwhile.
 */
export const tellsOfAltSvc: Tells = {
  'HTTP_STREAM_JOB_CONTROLLER_ALT_SVC_FOUND 0': (state, { unixMs, params }) => {
    const place = /^\S+ ([^,\s]+)/.exec(textIn(params, 'alt_svc') ?? '')?.[1];
    if (place === undefined) return;
    if (params['is_broken'] === true) noteBroken(state, place, unixMs);
    else noteUsable(stateOf(state, place), unixMs);
  },
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
    const place = `${textIn(params, 'host') ?? ''}:${numberIn(params, 'port') ?? ''}`;
    state.attempts.set(sourceId, place);
  },
  'QUIC_SESSION_POOL_JOB 2': (state, { sourceId }) => void state.attempts.delete(sourceId),
  'QUIC_SESSION_POOL_JOB_CONNECT 2': noteAttempt,
};

function stateOf({ altSvc }: FoldState, place: string): AltSvcState {
  const known = altSvc.get(place) ?? { usableUnixMs: null, broken: null, failure: null };
  altSvc.set(place, known);
  return known;
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
