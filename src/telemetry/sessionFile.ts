import { csvLine, type CsvCell } from '../shared/csv.ts';
import type { DecisionEvent, RequestEvent } from './event.ts';
import { schemaOfKind } from './schema/recordFault.ts';
import type { SessionEvent, SessionHeader } from './schema/sessionLog.ts';

/**
 * Writes the requests of a session as CSV (`csvLine`), UTF-8. An unknown value is an empty cell, and its reason stands in
 * the column `missing` as "field=reason". The columns are the fields that each event of the kind has, as in the schema.
 */
export const requestsCsv = /* @__PURE__ */ table<RequestEvent>('request');

export const decisionsCsv = /* @__PURE__ */ table<DecisionEvent>('decision');

/**
 * The column of a field. A rung counts from 0, people count levels from 1: the name of the column says that it is an
 * index.
 */
export function columnOf(field: string): string {
  if (field === 'rung') return 'rung_index';
  return field === 'fromRung' ? 'from_rung_index' : field;
}

/** A table in pieces: its head, and any number of batches of rows. */
export interface CsvTable<Row> {
  readonly head: string;
  rows(rows: readonly Row[]): string;
}

function table<Row extends SessionEvent>(kind: Row['kind']): CsvTable<Row> {
  const fields = schemaOfKind(kind)?.required ?? [];
  const columns = fields.filter((field) => field !== 'kind' && field !== 'missing').concat('missing');
  return {
    head: csvLine(columns.map(columnOf)),
    rows: (rows) =>
      rows.map((row) => csvLine(columns.map((column) => cell(column, row[column as keyof Row])))).join(''),
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

/**
 * A session file in pieces, so that a day of playing need not be one string in memory. Joined they are the JSON of a
 * `SessionLog`, one event a line.
 */
export function createSessionText(): {
  begin(header: SessionHeader): string;
  /** May be called any number of times. */
  events(events: readonly SessionEvent[]): string;
  end(): string;
} {
  let first = true;
  return {
    begin: (header) => `${JSON.stringify(header).slice(0, -1)},"events":[`,
    events(events) {
      if (events.length === 0) return '';
      const lines = events.map((event) => JSON.stringify(event)).join(',\n');
      const before = first ? '\n' : ',\n';
      first = false;
      return before + lines;
    },
    end: () => '\n]}\n',
  };
}
