import { describe, expect, test } from 'vitest';
import { exampleDecision, exampleLog, exampleRequest } from './exampleLog.testing.ts';
import { readSession } from './schema/readSession.ts';
import { columnOf, createSessionText, decisionsCsv, requestsCsv } from './sessionFile.ts';

describe('requests as CSV', () => {
  test('has a column for each field of a request', () => {
    const fields = Object.keys(exampleRequest()).filter((name) => name !== 'kind');
    expect(columns(requestsCsv.head).sort()).toEqual(fields.map(columnOf).sort());
  });

  test('calls a rung, which counts from 0, an index', () => {
    expect(columns(requestsCsv.head)).toContain('rung_index');
    expect(columns(decisionsCsv.head)).toEqual(expect.arrayContaining(['from_rung_index', 'rung_index']));
  });

  test('writes unknown as an empty cell and its reason in "missing"', () => {
    const row = rowOf(exampleRequest({ protocol: null, missing: { protocol: 'no-tao' } }));
    expect(row['protocol']).toBe('');
    expect(row['missing']).toContain('protocol=no-tao');
  });

  test('quotes what RFC 4180 wants quoted', () => {
    expect(rowOf(exampleRequest({ url: 'https://o.test/a,b"c' }))['url']).toBe('https://o.test/a,b"c');
    expect(requestsCsv.rows([exampleRequest({ url: 'a"b' })])).toContain('"a""b"');
    expect(requestsCsv.rows([exampleRequest()]).endsWith('\r\n')).toBe(true);
  });

  test.each(['=1+1', '+1', '-1', '@SUM(A1)', ' =1', '\t=1', '\r=1'])('disarms %j', (text) => {
    expect(rowOf(exampleRequest({ representationId: text }))['representationId']).toBe(`'${text}`);
  });

  test('leaves numbers alone', () => {
    expect(rowOf(exampleRequest({ mediaStartMs: -40 }))['mediaStartMs']).toBe('-40');
  });
});

test('decisions as CSV have a column for each field', () => {
  const fields = Object.keys(exampleDecision()).filter((name) => name !== 'kind');
  expect(columns(decisionsCsv.head).sort()).toEqual(fields.map(columnOf).sort());
});

describe('a session file in pieces', () => {
  test('reads back as the log it was', () => {
    const log = exampleLog({ segments: 4 });
    const { events, ...header } = log;
    const text = createSessionText();
    const pieces = [text.begin(header), text.events([]), text.events(events.slice(0, 3))];
    const whole = [...pieces, text.events(events.slice(3)), text.end()].join('');
    expect(readSession(whole)).toEqual({ ok: true, value: log });
  });

  test('reads back without any event', () => {
    const { events, ...header } = { ...exampleLog(), events: [] };
    const text = createSessionText();
    expect(readSession(text.begin(header) + text.end())).toMatchObject({ ok: true, value: { events } });
  });
});

const columns = (head: string): string[] => head.trim().split(',');

function rowOf(request: ReturnType<typeof exampleRequest>): Record<string, string> {
  const cells = [...requestsCsv.rows([request]).matchAll(/(?:"((?:[^"]|"")*)"|([^,"]*))(?:,|\r\n$)/g)].map(
    ([, quoted, bare]) => quoted?.replaceAll('""', '"') ?? bare ?? '',
  );
  return Object.fromEntries(columns(requestsCsv.head).map((name, index) => [name, cells[index] ?? '']));
}
