import { describe, expect, test } from 'vitest';
import { exampleLog } from '../telemetry/exampleLog.testing.ts';
import { checkSession } from '../telemetry/schema/readSession.ts';
import type { SessionLog } from '../telemetry/schema/sessionLog.ts';
import { aborted, everything, hidden, opened, running } from './exampleSession.testing.ts';
import { har } from './har.ts';
import { faultsOfHar } from './harRules.testing.ts';

const OPTIONS = { screen: '', fps: null };

interface Entry {
  readonly startedDateTime: string;
  readonly time: number;
  readonly timings: Record<string, number | string>;
  readonly request: {
    readonly httpVersion: string;
    readonly headers: unknown;
    readonly queryString: unknown;
  };
  readonly response: Record<string, unknown> & { readonly content: object };
  readonly connection?: string;
  readonly _connectionId?: string;
  readonly _pitwall: Record<string, unknown> & { readonly id: string };
  readonly _races?: readonly unknown[];
}

function archived(log: SessionLog): { entries: Entry[]; whole: unknown } {
  const made = har.convert(log, OPTIONS);
  if (!made.ok) throw new Error(made.error);
  const whole = JSON.parse(made.value.text) as { log: { entries: Entry[] } };
  return { entries: whole.log.entries, whole };
}
const entryOf = (id: string): Entry =>
  archived(everything).entries.find(({ _pitwall }) => _pitwall.id === id)!;

test('the session of these tests is valid', () =>
  expect(checkSession(everything)).toMatchObject({ ok: true }));

test.each([
  ['with everything', everything],
  ['an ordinary one', exampleLog()],
  ['empty', { ...exampleLog(), events: [] }],
])('is HAR 1.2: %s', (_name, log) => expect(faultsOfHar(archived(log).whole)).toEqual([]));

test('every request is an entry, in the order in which they began', () => {
  const { entries } = archived(everything);
  const ids = everything.events.filter(({ kind }) => kind === 'request').map(({ id }) => id);
  expect(entries.map(({ _pitwall }) => _pitwall.id).sort()).toEqual(ids.sort());
  const began = entries.map(({ startedDateTime }) => Date.parse(startedDateTime));
  expect(began).toEqual(began.toSorted((one, other) => one - other));
});

test('phases are those of Resource Timing, and add up to what passed', () => {
  const { time, timings, startedDateTime } = entryOf(opened.id);
  expect(Date.parse(startedDateTime)).toBe(everything.clock.startedAtUnixMs + 1001);
  expect(timings).toEqual({
    blocked: 3.5,
    dns: 3,
    connect: 18,
    ssl: 13,
    send: 0,
    wait: 24.25,
    receive: 50.5,
  });
  expect(time).toBe(99.25);
});

test('the phases of every entry add up to its time, without ssl, which is within connect', () => {
  for (const { time, timings } of archived(everything).entries) {
    const phases = ['blocked', 'dns', 'connect', 'send', 'wait', 'receive'].map(
      (name) => timings[name] as number,
    );
    const sum = phases.reduce((all, ms) => all + Math.max(0, ms), 0);
    expect(sum).toBeCloseTo(time, 9);
  }
});

test('sizes, versions and headers are the log’s', () => {
  const { request, response, connection, _connectionId, _pitwall } = entryOf(opened.id);
  expect(request).toMatchObject({
    httpVersion: 'http/2.0',
    headers: [{ name: 'Range', value: 'bytes=0-4999' }],
    queryString: [
      { name: 't', value: '*' },
      { name: 'u', value: '*' },
    ],
  });
  expect(response).toMatchObject({
    status: 200,
    bodySize: 4800,
    _transferSize: 5100,
    _finalUrl: 'https://p.test/a/seg-1.m4s',
    content: { size: 5000, mimeType: 'video/mp4' },
    headers: [{ name: 'Server-Timing', value: 'rtt;dur=20.5, cwnd;desc="48000", connection;desc="77"' }],
  });
  expect([connection, _connectionId]).toEqual(['13', '13']);
  expect(_pitwall).toMatchObject({
    atMs: 1000,
    startMs: 1001.5,
    endMs: 1101,
    rung: 1,
    segment: 0,
    attempt: 1,
  });
});

test('all races of a request, in their order', () =>
  expect(entryOf(opened.id)._races).toMatchObject([
    { source: 'netlog', outcome: 'alternative-won', mainDelayMs: 25, netError: -356 },
    { source: 'netlog', outcome: 'main-won', startMs: 1021, connectionId: '13' },
  ]));

describe('what is not known', () => {
  test('phases that an origin hides are no zeros: the time is in wait, and the entry says why', () => {
    const { time, timings, request, response } = entryOf(hidden.id);
    expect(time).toBe(88);
    expect(timings).toMatchObject({ blocked: -1, dns: -1, connect: -1, ssl: -1, wait: 88 });
    expect(timings['comment']).toContain('no-tao');
    expect(request.httpVersion).toBe('unknown');
    expect(response).toMatchObject({ bodySize: -1 });
    expect(response).not.toHaveProperty('_transferSize');
  });
  test('an aborted one has no status, what it took, and no error', () => {
    const { time, response, _pitwall } = entryOf(aborted.id);
    expect(time).toBe(300);
    expect(response).toMatchObject({ status: 0, content: { size: 700 } });
    expect(response['comment']).toContain('Aborted by the player');
    expect(response).not.toHaveProperty('_error');
    expect(_pitwall['outcome']).toBe('aborted');
  });
  test('one in flight has taken until the end of the log at least', () => {
    const { time, response } = entryOf(running.id);
    expect(time).toBe(600);
    expect(response).toMatchObject({ status: 0, _error: 'in-flight', content: { size: -1 } });
  });
});

test('the rules find what is wrong', () => {
  const { whole } = archived(exampleLog());
  const broken = structuredClone(whole) as { log: { entries: Record<string, Record<string, unknown>>[] } };
  const [first, second] = broken.log.entries;
  first!['timings']!['wait'] = -1;
  delete second!['response']!['content'];
  Object.assign(second!, { startedDateTime: 'now', races: [] });
  expect(faultsOfHar(broken)).toEqual(
    expect.arrayContaining([
      'entries/0/timings/wait is -1',
      'entries/1/startedDateTime is now',
      'entries/1/races is no name of HAR',
      'entries/1/response/content is no object',
    ]),
  );
});
