import type { RequestEvent } from '../../telemetry/event.ts';
import { type Cell, csvLine } from './csv.ts';

/** Every field of a request, in the order of the schema; a field that is added there and not here does not compile. */
const COLUMNS = {
  id: 1,
  atMs: 1,
  type: 1,
  mediaType: 1,
  url: 1,
  finalUrl: 1,
  method: 1,
  range: 1,
  attempt: 1,
  outcome: 1,
  status: 1,
  endMs: 1,
  segment: 1,
  mediaStartMs: 1,
  mediaDurationMs: 1,
  periodId: 1,
  representationId: 1,
  rung: 1,
  bitrateKbps: 1,
  serviceLocation: 1,
  protocol: 1,
  connectionReused: 1,
  startMs: 1,
  redirectStartMs: 1,
  redirectEndMs: 1,
  fetchStartMs: 1,
  domainLookupStartMs: 1,
  domainLookupEndMs: 1,
  connectStartMs: 1,
  secureConnectionStartMs: 1,
  connectEndMs: 1,
  requestStartMs: 1,
  firstByteMs: 1,
  lastByteMs: 1,
  receivedBytes: 1,
  transferSizeBytes: 1,
  encodedBodyBytes: 1,
  decodedBodyBytes: 1,
  serverTiming: 1,
  cmsdStatic: 1,
  cmsdDynamic: 1,
  missing: 1,
} as const satisfies Record<Exclude<keyof RequestEvent, 'kind'>, 1>;

const names = Object.keys(COLUMNS) as (keyof typeof COLUMNS)[];

export const requestsCsvHead = csvLine(names);

/** One row per request; `missing` holds "field:reason" pairs, one for each empty cell. */
export function requestsCsvLine(request: RequestEvent): string {
  return csvLine(names.map((name) => cellOf(request[name])));
}

function cellOf(value: RequestEvent[keyof typeof COLUMNS]): Cell {
  if (value === null || typeof value !== 'object') return value;
  if (!Array.isArray(value))
    return Object.entries(value)
      .map(([field, why]) => `${field}:${why}`)
      .join(' ');
  return value.map(({ name, durationMs }) => `${name};dur=${durationMs}`).join(', ');
}
