import type { RequestEvent, TransportEvent } from '../../telemetry/event.ts';
import { transportView } from '../../telemetry/transportView.ts';
import { harTimings, type HarTimings } from './harTimings.ts';
import { isoTime } from './isoTime.ts';
import { mimeTypeOf } from './mimeTypeOf.ts';

interface NamedValue {
  readonly name: string;
  readonly value: string;
}

/** An entry of HAR 1.2; names that begin with _ are ours or DevTools'. Sizes that nobody knows are -1, as HAR has it. */
export interface HarEntry {
  readonly pageref: string;
  readonly startedDateTime: string;
  readonly time: number;
  readonly request: object;
  readonly response: object;
  readonly cache: object;
  readonly timings: HarTimings;
  readonly connection?: string;
  /** The same, where DevTools looks for it. */
  readonly _connectionId?: string;
  readonly _resourceType: string;
  /** The request as the log has it, where HAR has no field for it. */
  readonly _pitwall: object;
  readonly _races?: readonly object[];
}

export interface Surroundings {
  readonly pageref: string;
  readonly startedAtUnixMs: number;
  /** Last moment of the log: what is in flight has taken until here at least. */
  readonly endMs: number;
  /** What browser and origin reported of this request. */
  readonly reported: readonly TransportEvent[];
}

/** A request of the session. Its times are those of Resource Timing; see `harTimings.ts`. */
export function harEntry(event: RequestEvent, around: Surroundings): HarEntry {
  const { time, timings } = harTimings(event, around.endMs);
  const connection = connectionOf(event, around.reported);
  const races = around.reported.flatMap(({ source, races: reported }) =>
    reported.map((race) => ({ source, ...race })),
  );
  return {
    pageref: around.pageref,
    startedDateTime: isoTime(around.startedAtUnixMs + (event.startMs ?? event.atMs)),
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
    method,
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
const UNFAILED: ReadonlySet<RequestEvent['outcome']> = new Set(['ok', 'aborted']);

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

/** Those that the log keeps. */
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

/** What HAR has no field for, and why what it has is unknown. */
function ownOf(event: RequestEvent): object {
  const { id, atMs, endMs, startMs, type, mediaType, segment, mediaStartMs, periodId } = event;
  const { representationId, rung, bitrateKbps, attempt, outcome, receivedBytes, connectionReused, missing } =
    event;
  return {
    ...{ id, type, mediaType, segment, mediaStartMs, periodId, representationId, rung, bitrateKbps },
    ...{ attempt, outcome, atMs, startMs, endMs, receivedBytes, connectionReused, missing },
  };
}

/** As Chrome names versions in its own HAR files. */
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
