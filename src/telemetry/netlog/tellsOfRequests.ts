import type { FoldState, RequestDraft, Tells } from './foldState.ts';
import { netErrorIn, numberIn, textIn, type NetLogEvent } from './netLogEvent.ts';

/** Requests: when they began, their first and last byte, how much came, and what ended them. */
export const tellsOfRequests: Tells = {
  'URL_REQUEST_START_JOB 1': begin,
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
function begin(state: FoldState, { sourceId, unixMs, params }: NetLogEvent): void {
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
