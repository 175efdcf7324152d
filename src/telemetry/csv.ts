import { csvLine, type CsvCell } from '../shared/csv.ts';
import type { DecisionEvent, RequestEvent } from './event.ts';

/**
 * Writes the requests of a session as CSV (`csvLine`), UTF-8. An unknown value is an empty cell, and its reason stands in
 * the column `missing` as "field=reason".
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
    head: csvLine(columns),
    rows: (rows) => rows.map((row) => csvLine(columns.map((column) => cell(column, row[column])))).join(''),
  };
}

function cell(column: string, value: unknown): CsvCell {
  if (typeof value !== 'object') return (value ?? null) as CsvCell;
  return value && (column === 'missing' ? reasons(value) : JSON.stringify(value));
}

const reasons = (missing: object): string =>
  Object.entries(missing)
    .map(([field, reason]) => `${field}=${String(reason)}`)
    .join(' ');
