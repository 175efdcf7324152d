import { readdirSync, readFileSync } from 'node:fs';
import { gunzipSync, gzipSync } from 'node:zlib';
import { expect, test, vi } from 'vitest';
import { createDiagnostics } from '../../analysis/diagnostics/diagnostics.ts';
import { readSession } from '../../telemetry/schema/readSession.ts';
import type { SessionLog } from '../../telemetry/schema/sessionLog.ts';
import { loadSession } from './loadSession.ts';
import { RECORDED_SESSIONS, sessionIn } from './recordedSessions.ts';

const FOLDER = new URL('../../../public/sessions/', import.meta.url);

function logOf(id: string): SessionLog {
  const read = readSession(gunzipSync(readFileSync(new URL(`${id}.json.gz`, FOLDER))).toString());
  if (!read.ok) throw new Error(read.error);
  return read.value;
}

const SHOWS: Readonly<Record<string, (log: SessionLog) => void>> = {
  stall(log) {
    const diagnostics = createDiagnostics(log);
    for (const event of log.events) diagnostics.append(event);
    const [worst] = diagnostics.findings();
    expect(worst?.sentence).toMatch(/^Playback stalled for .* came, and playing it takes .* had estimated /);
  },
  race(log) {
    const outcomes = log.events.flatMap((event) =>
      event.kind === 'transport' ? event.races.map(({ outcome }) => outcome) : [],
    );
    expect(new Set(outcomes).size).toBeGreaterThan(1);
    const diagnostics = createDiagnostics(log);
    for (const event of log.events) diagnostics.append(event);
    // 587 kB came in 2.4 s over h2: slow was the connection over QUIC that it was sent over first.
    expect(diagnostics.findings()[0]?.sentence).toMatch(
      /took 31\.5 s over h2: 29\.1 s until the first byte, then 1\.93 Mbit\/s.* The QUIC connection that it was sent over first died \(net error -356\)$/,
    );
  },
  'udp-limiter'(log) {
    const uses = log.events.flatMap((event) => (event.kind === 'steering' ? [event.pathway] : []));
    expect(uses.indexOf('tcp')).toBeGreaterThan(0);
    expect(uses.at(-1)).toBe('main');
  },
};

test.each(RECORDED_SESSIONS.map(({ id, atMs }) => [id, atMs] as const))(
  '%s is a real session that shows what it promises',
  (id, atMs) => {
    const log = logOf(id);
    SHOWS[id]!(log);
    expect(log.environment.linkRun, 'an emulated link').toBeDefined();
    expect(log.environment.pitwallVersion).toMatch(/\+g[0-9a-f]{10}$/);
    expect(log.environment.machine?.flags).toEqual([]);
    expect(atMs).toBeGreaterThan(0);
    expect(atMs).toBeLessThan(log.parts.at(-1)!.endMs ?? 0);
  },
);

test('every file is offered', () =>
  expect(readdirSync(FOLDER).sort()).toEqual(RECORDED_SESSIONS.map(({ id }) => `${id}.json.gz`).sort()));

const PAGE = 'https://player.example/app/';

test('an address names one, none, or gets a question', () => {
  expect(sessionIn('?recorded=race', PAGE)).toMatchObject({
    ok: true,
    value: { url: 'sessions/race.json.gz', atMs: 90_000 },
  });
  expect(sessionIn('?mpd=x&session=', PAGE)).toEqual({ ok: true, value: null });
  expect(sessionIn('?recorded=rase', PAGE)).toMatchObject({
    ok: false,
    error: expect.stringContaining('did you mean "race"?') as string,
  });
});

test.each([
  ['https://logs.example/runs/a.json?x=1', 'https://logs.example/runs/a.json?x=1', 'a.json'],
  ['logs/b.json.gz', `${PAGE}logs/b.json.gz`, 'b.json.gz'],
  ['https://logs.example/', 'https://logs.example/', 'logs.example'],
])('a log elsewhere: %s', (address, url, title) =>
  expect(sessionIn(`?session=${encodeURIComponent(address)}`, PAGE)).toEqual({
    ok: true,
    value: { url, title, atMs: null },
  }),
);

test.each(['javascript:alert(1)', 'file:///etc/passwd', 'http://', 'https://me:key@logs.example/a'])(
  'is refused: %s',
  (address) =>
    expect(sessionIn(`?session=${encodeURIComponent(address)}`, PAGE)).toMatchObject({
      ok: false,
      error: expect.stringMatching(/address/) as string,
    }),
);

test('a log that does not come is one sentence; one that comes has its bytes, zipped or not', async () => {
  const named = { title: 'a.json', url: 'https://logs.example/a.json', atMs: null };
  const answer = (reply: () => Promise<Response>) => vi.stubGlobal('fetch', vi.fn(reply));
  answer(() => Promise.reject(new TypeError('Failed to fetch')));
  await expect(loadSession(named)).rejects.toThrow(
    '“a.json” could not be loaded: its server does not answer',
  );
  answer(() => Promise.resolve(new Response('no', { status: 404 })));
  await expect(loadSession(named)).rejects.toThrow('“a.json” could not be loaded: the server answered 404.');
  for (const body of ['{}', gzipSync('{}'), '']) {
    answer(() => Promise.resolve(new Response(body)));
    const file = await loadSession(named);
    expect([file.name, await file.text()]).toEqual(['a.json', body === '' ? '' : '{}']);
  }
  const endless = new ReadableStream({ pull: (stream) => stream.enqueue(new Uint8Array(50e6)) });
  answer(() => Promise.resolve(new Response(endless)));
  await expect(loadSession(named)).rejects.toThrow('“a.json” could not be loaded: it is larger than 500 MB');
  vi.unstubAllGlobals();
});
