import type { DecisionEvent, RequestEvent } from './event.ts';

/**
 * CSV by RFC 4180 (CRLF, quotes doubled), UTF-8. An unknown value is an empty cell, and its reason stands in the
 * column `missing` as "field=reason". Text that a spreadsheet would run as a formula is prefixed with an apostrophe
 * (OWASP, "CSV injection"): URLs, ids and headers come from outside.
 */
export const requestsCsv = table<RequestEvent>([
  'id',
  'atMs',
  'type',
  'mediaType',
  'url',
  'finalUrl',
  'method',
  'range',
  'attempt',
  'outcome',
  'status',
  'segment',
  'mediaStartMs',
  'mediaDurationMs',
  'periodId',
  'representationId',
  'rung',
  'bitrateKbps',
  'serviceLocation',
  'protocol',
  'connectionReused',
  'startMs',
  'redirectStartMs',
  'redirectEndMs',
  'fetchStartMs',
  'domainLookupStartMs',
  'domainLookupEndMs',
  'connectStartMs',
  'secureConnectionStartMs',
  'connectEndMs',
  'requestStartMs',
  'firstByteMs',
  'lastByteMs',
  'endMs',
  'receivedBytes',
  'transferSizeBytes',
  'encodedBodyBytes',
  'decodedBodyBytes',
  'serverTiming',
  'cmsdStatic',
  'cmsdDynamic',
  'missing',
]);

export const decisionsCsv = table<DecisionEvent>([
  'id',
  'atMs',
  'mediaType',
  'requestId',
  'segment',
  'rule',
  'fromRung',
  'rung',
  'bitrateKbps',
  'holdUntilBufferMs',
  'because',
  'values',
  'votes',
  'moment',
  'estimateKbps',
  'tookMs',
  'missing',
]);

/** A table in pieces: its head, and any number of batches of rows. */
export interface CsvTable<Row> {
  readonly head: string;
  rows(rows: readonly Row[]): string;
}

function table<Row extends object>(columns: readonly (keyof Row & string)[]): CsvTable<Row> {
  return {
    head: `${columns.join(',')}\r\n`,
    rows: (rows) =>
      rows.map((row) => `${columns.map((column) => cell(column, row[column])).join(',')}\r\n`).join(''),
  };
}

function cell(column: string, value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return quoted(harmless(value));
  return quoted(harmless(column === 'missing' ? reasons(value) : JSON.stringify(value)));
}

const reasons = (missing: object): string =>
  Object.entries(missing)
    .map(([field, reason]) => `${field}=${String(reason)}`)
    .join(' ');

/** A tab or line break in front does not stop a spreadsheet either. */
function harmless(text: string): string {
  return /^\s*[=+\-@]/.test(text) || /^[\t\r\n]/.test(text) ? `'${text}` : text;
}

function quoted(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
