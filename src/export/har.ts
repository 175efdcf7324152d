import { eventsOf, logEndMs } from '../analysis/timeline/log.ts';
import { groupBy } from '../shared/groupBy.ts';
import { ok } from '../shared/result.ts';
import type { TransportEvent, RequestEvent } from '../telemetry/event.ts';
import type { SessionLog } from '../telemetry/schema/sessionLog.ts';
import type { SessionFormat } from './sessionFormat.ts';
import { transportView } from '../telemetry/transportView.ts';

/**
 * Writes HAR 1.2 (w3c.github.io/web-performance/specs/HAR, "HTTP Archive 1.2"): every request of the session, as the network panels
 * of browsers and HAR viewers open it. What HAR has no field for stands
 * in fields with an underscore: races, what was asked for.
 */
export const har: SessionFormat = {
  id: 'har',
  label: 'HAR 1.2',
  about: 'HTTP Archive 1.2: the requests, for the network panel of DevTools and HAR viewers',
  extension: 'har',
  convert: (log) => ok({ text: `${JSON.stringify(archiveOf(log), null, 1)}\n`, notes: [] }),
};

const PAGE = 'page_1';

function archiveOf(log: SessionLog): object {
  const { environment, clock } = log;
  const browser = /^(.*?)[ /](\d[\w.]*)$/.exec(environment.browser ?? '');
  return {
    log: {
      version: '1.2',
      creator: { name: 'Pitwall', version: environment.pitwallVersion },
      ...(browser && { browser: { name: browser[1]!, version: browser[2]! } }),
      pages: [
        {
          startedDateTime: formatTime(clock.startedAtUnixMs),
          id: PAGE,
          title: environment.mpdUrl ?? log.id,
          // A page's events are nothing that a session of playing has.
          pageTimings: { onContentLoad: -1, onLoad: -1 },
        },
      ],
      entries: entriesOf(log),
      comment: `Pitwall session ${log.id}`,
    },
  };
}

/** Formats a moment as ISO 8601 in UTC, to the millisecond. */
const formatTime = (unixMs: number): string => new Date(unixMs).toISOString();

/** Returns the entries in the order in which their requests began, as HAR wants them. */
function entriesOf(log: SessionLog): HarEntry[] {
  const reported = groupBy(eventsOf(log, 'transport'), ({ requestId }) => requestId);
  const around = { pageref: PAGE, startedAtUnixMs: log.clock.startedAtUnixMs, endMs: logEndMs(log) };
  return eventsOf(log, 'request')
    .toSorted((one, other) => (one.startMs ?? one.atMs) - (other.startMs ?? other.atMs))
    .map((event) => harEntry(event, { ...around, reported: reported.get(event.id) ?? [] }));
}

interface NamedValue {
  readonly name: string;
  readonly value: string;
}

/** An entry of HAR 1.2; names that begin with _ are ours or DevTools'. Sizes that nobody knows are -1, as HAR has it. */
interface HarEntry {
  readonly pageref: string;
  readonly startedDateTime: string;
  readonly time: number;
  readonly request: object;
  readonly response: object;
  readonly cache: object;
  readonly timings: HarTimings;
  readonly connection?: string;
  /** Id of the connection, as in `connection`, under the name that DevTools reads. */
  readonly _connectionId?: string;
  readonly _resourceType: string;
  /** The request as the log has it, where HAR has no field for it. */
  readonly _pitwall: object;
  readonly _races?: readonly object[];
}

interface Surroundings {
  readonly pageref: string;
  readonly startedAtUnixMs: number;
  /** Last moment of the log: what is in flight has taken until here at least. */
  readonly endMs: number;
  /** What browser and origin reported of this request. */
  readonly reported: readonly TransportEvent[];
}

/** Makes the entry of a request. Its times are those of Resource Timing, see `harTimings`. */
function harEntry(event: RequestEvent, around: Surroundings): HarEntry {
  const { time, timings } = harTimings(event, around.endMs);
  const connection = connectionOf(event, around.reported);
  const races = around.reported.flatMap(({ source, races: reported }) =>
    reported.map((race) => ({ source, ...race })),
  );
  return {
    pageref: around.pageref,
    startedDateTime: formatTime(around.startedAtUnixMs + (event.startMs ?? event.atMs)),
    time,
    request: requestOf(event),
    response: responseOf(event),
    cache: {},
    timings,
    ...(connection !== null && { connection, _connectionId: connection }),
    _resourceType: event.type === 'media' || event.type === 'init' ? 'media' : 'xhr',
    _pitwall: ownOf(event),
    ...(races.length > 0 && { _races: races }),
  };
}

function requestOf({ method, url, protocol, range, type }: RequestEvent): object {
  return {
    method: method ?? '',
    url,
    httpVersion: versionOf(protocol),
    cookies: [],
    headers: range === null ? [] : [{ name: 'Range', value: `bytes=${range}` }],
    queryString: queryOf(url),
    headersSize: -1,
    bodySize: method === 'GET' || method === 'HEAD' ? 0 : -1,
    ...(type === 'license' && { comment: 'A licence request: its body is never recorded.' }),
  };
}

/** Viewers count entries with `_error` as failed. */
const UNFAILED: ReadonlySet<RequestEvent['outcome']> = new Set(['ok', 'aborted', null]);

function responseOf(event: RequestEvent): object {
  const { status, protocol, outcome, transferSizeBytes, finalUrl } = event;
  return {
    // 0 where no answer came, as DevTools writes it.
    status: status ?? 0,
    statusText: '',
    httpVersion: versionOf(protocol),
    cookies: [],
    headers: headersOf(event),
    content: { size: event.decodedBodyBytes ?? event.receivedBytes ?? -1, mimeType: mimeTypeOf(event) },
    redirectURL: '',
    headersSize: -1,
    bodySize: event.encodedBodyBytes ?? -1,
    ...(transferSizeBytes !== null && { _transferSize: transferSizeBytes }),
    ...(finalUrl !== null && { _finalUrl: finalUrl }),
    ...(outcome === 'aborted' && {
      comment: 'Aborted by the player (a seek, a switch or the stop): no failure.',
    }),
    ...(!UNFAILED.has(outcome) && { _error: outcome }),
  };
}

/** Returns the headers of the answer that the log keeps. */
function headersOf({ serverTiming, cmsdStatic, cmsdDynamic }: RequestEvent): NamedValue[] {
  const timing = serverTiming?.map(
    ({ name, durationMs, description }) =>
      `${name}${durationMs > 0 ? `;dur=${durationMs}` : ''}${description === '' ? '' : `;desc=${JSON.stringify(description)}`}`,
  );
  const headers = {
    'Server-Timing': timing?.join(', '),
    'CMSD-Static': cmsdStatic,
    'CMSD-Dynamic': cmsdDynamic,
  };
  return Object.entries(headers).flatMap(([name, value]) => (value == null ? [] : [{ name, value }]));
}

/** Returns what HAR has no field for, and why unknown values are unknown. */
function ownOf(event: RequestEvent): object {
  const { id, atMs, endMs, startMs, type, mediaType, segment, mediaStartMs, periodId } = event;
  const { representationId, rung, bitrateKbps, attempt, outcome, receivedBytes, connectionReused, missing } =
    event;
  return {
    id,
    type,
    mediaType,
    segment,
    mediaStartMs,
    periodId,
    representationId,
    rung,
    bitrateKbps,
    attempt,
    outcome,
    atMs,
    startMs,
    endMs,
    receivedBytes,
    connectionReused,
    missing,
    ...(event.ranges && { ranges: event.ranges }),
  };
}

/** Names the version as Chrome does in its own HAR files. */
function versionOf(protocol: string | null): string {
  if (protocol === null) return 'unknown';
  return protocol === 'h2' ? 'http/2.0' : protocol;
}

function queryOf(url: string): NamedValue[] {
  const query = /^[^#?]*\?([^#]*)/.exec(url)?.[1] ?? '';
  return query
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const [name = '', ...value] = pair.split('=');
      return { name, value: value.join('=') };
    });
}

/** The browser's number of the connection, else the server's name of it. */
function connectionOf(event: RequestEvent, reported: readonly TransportEvent[]): string | null {
  const byBrowser = reported.flatMap(({ connectionId, races }) => [
    connectionId,
    ...races.map((race) => race.connectionId ?? null),
  ]);
  return byBrowser.findLast((id) => id !== null) ?? transportView(event)?.connection ?? null;
}

/** Phases of HAR 1.2, ms. -1 is "does not apply"; send, wait and receive must not be below 0. */
interface HarTimings {
  readonly blocked: number;
  readonly dns: number;
  readonly connect: number;
  readonly ssl: number;
  readonly send: number;
  readonly wait: number;
  readonly receive: number;
  readonly comment?: string;
}

/**
 * Resource Timing as HAR's phases. `time` is what passed from start to last byte, and the phases without -1 and `ssl` (it
 * is within `connect`) add up to it. Redirects and waiting for a connection are `blocked`; a browser does not
 * separate sending from waiting. Where it hid the phases, all time stands in `wait`, and the comment says so.
 * `endMs`: the end of the log.
 */
function harTimings(
  event: RequestEvent,
  endMs: number,
): { readonly time: number; readonly timings: HarTimings } {
  const { startMs, requestStartMs, firstByteMs, lastByteMs } = event;
  if (startMs === null || requestStartMs === null || firstByteMs === null) return hidden(event, endMs);
  const time = Math.max(firstByteMs, lastByteMs ?? event.endMs ?? endMs) - startMs;
  const wait = Math.max(0, firstByteMs - requestStartMs);
  const receive = Math.max(0, time - (firstByteMs - startMs));
  const dns = between(event.domainLookupStartMs, event.domainLookupEndMs);
  const connect = between(event.connectStartMs, event.connectEndMs);
  const ssl = connect < 0 ? -1 : between(event.secureConnectionStartMs, event.connectEndMs);
  const blocked = Math.max(0, time - wait - receive - Math.max(0, dns) - Math.max(0, connect));
  return { time, timings: { blocked, dns, connect, ssl, send: 0, wait, receive } };
}

function hidden(event: RequestEvent, endMs: number): { time: number; timings: HarTimings } {
  const { startMs, lastByteMs, atMs, missing } = event;
  const time = Math.max(0, (lastByteMs ?? event.endMs ?? endMs) - (startMs ?? atMs));
  const why = missing['firstByteMs'] ?? missing['requestStartMs'] ?? missing['startMs'] ?? 'unknown';
  const comment = `The phases are not known (${why}): the whole time is in wait.`;
  const none = { blocked: -1, dns: -1, connect: -1, ssl: -1, send: 0 };
  return { time, timings: { ...none, wait: time, receive: 0, comment } };
}

const between = (fromMs: number | null, toMs: number | null): number =>
  fromMs === null || toMs === null ? -1 : Math.max(0, toMs - fromMs);

/** The log has no Content-Type: known from what was asked for, else from the name's ending, else as DevTools says unknown. */
function mimeTypeOf({ type, mediaType, url }: RequestEvent): string {
  if (type === 'manifest') return 'application/dash+xml';
  if (mediaType === null || mediaType === 'text') return UNKNOWN;
  const ending = /\.([a-z0-9]+)(?:[?#]|$)/i.exec(url)?.[1]?.toLowerCase() ?? '';
  const container = CONTAINERS.get(ending);
  return container === undefined ? UNKNOWN : `${mediaType}/${container}`;
}

const UNKNOWN = 'x-unknown';
const CONTAINERS: ReadonlyMap<string, string> = new Map([
  ['webm', 'webm'],
  ...['mp4', 'm4s', 'm4v', 'm4a', 'cmfv', 'cmfa'].map((ending) => [ending, 'mp4'] as const),
]);
