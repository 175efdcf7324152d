import { describe, expect, test } from 'vitest';
import { metrics } from '../analysis/metrics/registry.ts';
import { faultsOf } from '../shared/registry.ts';
import { exampleDecision, exampleLog, exampleRequest } from '../telemetry/exampleLog.testing.ts';
import { everything } from './exampleSession.testing.ts';
import { columnOf } from '../telemetry/sessionFile.ts';
import { exportTables, sessionFormats } from './registry.ts';
import type { Cell, ExportTable } from './table.ts';
import { metricColumnName } from './tables/sessions.ts';

const LOGS = {
  'with everything': everything,
  'an ordinary one': exampleLog(),
  'nothing at all': { ...exampleLog(), events: [] },
};
const OPTIONS = { screen: '1920x1080', fps: 25 };
const tableOf = (id: string): ExportTable => exportTables.find((table) => table.id === id)!;
/** The rows of a table as records. */
const recordsOf = (id: string): Record<string, Cell>[] => {
  const table = tableOf(id);
  return table
    .rows(everything, 'lap.json')
    .map((row) => Object.fromEntries(table.columns.map(({ name }, at) => [name, row[at]!])));
};

test('the registries have no faults', () => {
  expect(faultsOf(sessionFormats)).toEqual([]);
  expect(faultsOf(exportTables)).toEqual([]);
  const endings = sessionFormats.map(({ extension }) => extension);
  expect(new Set(endings).size).toBe(endings.length);
});

describe.each(sessionFormats)('$id', (format) => {
  test('says what it is', () => expect(format.about.length).toBeGreaterThan(20));
  test.each(Object.entries(LOGS))('gives text, or one sentence that says why not: %s', (_name, log) => {
    const before = structuredClone(log);
    const made = format.convert(log, OPTIONS);
    if (made.ok) expect(made.value.text).toMatch(/\S[^]*\n$/);
    else expect(made.error).toMatch(/^[A-Z].*\.$/);
    expect(JSON.stringify(made)).not.toMatch(/NaN|undefined|Infinity/);
    expect(format.convert(log, OPTIONS)).toEqual(made);
    expect(log).toEqual(before);
  });
});

describe.each(exportTables)('table $id', (table) => {
  test('begins with the session; its columns are named once, each with a meaning', () => {
    const names = table.columns.map(({ name }) => name);
    expect(names[0]).toBe('session');
    expect(new Set(names).size).toBe(names.length);
    for (const { name, meaning } of table.columns) {
      expect(name).toMatch(/^[A-Za-z][A-Za-z0-9_]*$/);
      expect(meaning).toMatch(/^\S/);
    }
  });
  test('the session with everything has rows in it', () =>
    expect(table.rows(everything, 'lap.json').length).toBeGreaterThan(0));
  test.each(Object.entries(LOGS))('a cell for each column, of its type or null: %s', (_name, log) => {
    for (const row of table.rows(log, 'lap.json')) {
      expect(row).toHaveLength(table.columns.length);
      row.forEach((cell, at) =>
        expect(fits(cell, table.columns[at]!.type), table.columns[at]!.name).toBe(true),
      );
    }
  });
});

function fits(cell: Cell, type: string): boolean {
  if (cell === null) return true;
  if (type === 'integer') return Number.isInteger(cell);
  return typeof cell === (type === 'text' ? 'string' : type) && cell === cell;
}

describe('numbers equal those of the log', () => {
  test.each([
    ['requests', 'request', Object.keys(exampleRequest())],
    ['decisions', 'decision', Object.keys(exampleDecision()).filter((name) => name !== 'moment')],
    ['buffer', 'buffer', ['atMs', 'mediaType', 'levelMs']],
    ['stalls', 'stall', ['atMs', 'playheadMs', 'durationMs']],
  ])('%s: every field of every event', (id, kind, fields) => {
    const records = recordsOf(id);
    const found = everything.events.filter((event) => event.kind === kind);
    expect(records).toHaveLength(found.length);
    found.forEach((event, at) => {
      for (const name of fields.filter((field) => field !== 'kind' && field !== 'missing')) {
        const value = (event as unknown as Record<string, unknown>)[name];
        const cell = records[at]![columnOf(name)];
        expect(typeof value === 'object' && value !== null ? JSON.parse(String(cell)) : cell, name).toEqual(
          value,
        );
      }
    });
  });

  test('steering: what each choice began', () =>
    expect(recordsOf('steering')).toMatchObject([
      { atMs: 1300, pathway: 'main', fromPathway: null, probePathway: 'tcp', probeBytes: 8193 },
      {
        atMs: 1900,
        policy: 'throughput',
        fromPathway: 'main',
        pathway: 'tcp',
        because: 'A probe got more.',
        probePathway: null,
        probeBytes: null,
        rescuedRequestId: 'q3',
        pulledAway: true,
        values: '{"nowKbps":62,"otherKbps":null}',
      },
    ]));

  test('reasons stand beside what is unknown', () =>
    expect(recordsOf('requests').find(({ id }) => id === 'q2')!['missing']).toContain('firstByteMs=no-tao'));

  test('decisions: the moment as the rule received it', () =>
    expect(recordsOf('decisions')[0]).toMatchObject({
      bufferMs: 0,
      bufferTargetMs: 18_000,
      playbackRate: 1,
    }));

  test('races: one row each, with the connection that came of it', () =>
    expect(recordsOf('races')).toMatchObject([
      {
        requestId: 'q1',
        place: 0,
        outcome: 'alternative-won',
        connectionId: '12',
        netError: -356,
        cause: null,
      },
      { requestId: 'q1', place: 1, outcome: 'main-won', connectionId: '13', startMs: 1021, endMs: 1025 },
    ]));

  test('transport: the origin’s samples, and what responses report', () =>
    expect(recordsOf('transport')).toMatchObject([
      {
        source: 'origin',
        connection: '77',
        atMs: 1100,
        rttMs: 21.5,
        deliveryRateKbps: 4100.5,
        appLimited: true,
      },
      {
        source: 'Server-Timing',
        connection: '77',
        requestId: 'q1',
        atMs: 1050.25,
        rttMs: 20.5,
        cwndBytes: 48_000,
      },
    ]));

  test('sessions: all metrics, and why one has no value', () => {
    const [record] = recordsOf('sessions');
    const why = JSON.parse(String(record!['why'])) as Record<string, string>;
    for (const metric of metrics) {
      const { value, why: reason } = metric.of(everything);
      expect(record![metricColumnName(metric)], metric.id).toBe(value);
      expect(why[metric.id]).toBe(reason);
    }
    expect(record).toMatchObject({
      file: 'lap.json',
      transport: 'h3-only',
      rule: 'throughput',
      lengthMs: 9600,
    });
  });

  test('metrics: the same, with all parts', () => {
    const records = recordsOf('metrics');
    for (const { id, of } of metrics) {
      const { value, by = {} } = of(everything);
      const rows = records.filter(({ metric }) => metric === id);
      expect(rows.map(({ part, value: cell }) => [part, cell])).toEqual([
        [null, value],
        ...Object.entries(by),
      ]);
    }
  });
});

test('the columns of a table begin with the session', () =>
  expect(tableOf('stalls').columns.map(({ name }) => name)).toEqual([
    ...['session', 'atMs', 'playheadMs', 'durationMs'],
  ]));
