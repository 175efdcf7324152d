import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { faultsOf } from '../../src/shared/registry.ts';
import { startPacedServer, type PacedServer } from './pacedServer.ts';
import { paces, sentAtMs } from './paces.ts';

describe('a pace', () => {
  const steps = [
    { durationMs: 1000, kbps: 800 },
    { durationMs: 2000, kbps: 0 },
    { durationMs: 1000, kbps: 80 },
  ];
  test.each([
    // 100 kB/s, then nothing for 2 s, then 10 kB/s, then the first step again.
    [0, 50_000, 500],
    [500, 50_000, 1000],
    [500, 55_000, 3500],
    [1000, 1, 3000.1],
    [3000, 10_000, 4000],
    [3900, 1000 + 100_000, 5000],
    [3900, 1000 + 100_000 + 1000, 7100],
    [7100, 0, 7100],
    [1500, 0, 1500],
  ])('from %s ms on, %s bytes are through at %s ms', (fromMs, bytes, atMs) =>
    expect(sentAtMs({ steps }, fromMs, bytes)).toBeCloseTo(atMs, 6),
  );

  test('has an id, words, and a time in which something is sent', () => {
    expect(faultsOf(paces)).toEqual([]);
    for (const { about, steps: all } of paces) {
      expect(about).not.toBe('');
      expect(all.some(({ kbps }) => kbps > 0)).toBe(true);
      expect(all.every(({ durationMs }) => durationMs > 0)).toBe(true);
    }
  });
});

describe('the paced server', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'pitwall-paced-'));
  const bytes = Buffer.from(Array.from({ length: 20_000 }, (_, at) => at % 251));
  let server: PacedServer;
  beforeAll(async () => {
    mkdirSync(path.join(folder, 'demo'));
    writeFileSync(path.join(folder, 'demo', 'a.mp4'), bytes);
    writeFileSync(path.join(folder, 'demo', 'empty.json'), '');
    writeFileSync(path.join(folder, 'demo', 'a.mpd'), '<MPD/>');
    writeFileSync(path.join(folder, 'demo', '.hidden'), 'no');
    writeFileSync(path.join(folder, 'outside'), 'no');
    server = await startPacedServer({ '/media/demo': path.join(folder, 'demo') });
  });
  afterAll(async () => {
    await server.stop();
    rmSync(folder, { recursive: true });
  });
  const get = (at: string, range?: string): Promise<Response> =>
    fetch(`${server.proxyUrl}${at}`, { headers: range ? { range } : {} });

  test('sends every byte, no faster than its pace', async () => {
    const startedMs = performance.now();
    const answer = await get('/changing/a1/media/demo/a.mp4');
    expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'video/mp4']);
    // 160 kbit at 4000 kbit/s.
    expect(performance.now() - startedMs).toBeGreaterThanOrEqual(38);
  });

  test('gives both of two bodies at once no more than the pace', async () => {
    const startedMs = performance.now();
    const both = await Promise.all([1, 2].map(() => get('/changing/b2/media/demo/a.mp4')));
    await Promise.all(both.map((answer) => answer.arrayBuffer()));
    expect(performance.now() - startedMs).toBeGreaterThanOrEqual(78);
  });

  test.each([
    ['bytes=0-9', 206, 'bytes 0-9/20000', bytes.subarray(0, 10)],
    ['bytes=19990-', 206, 'bytes 19990-19999/20000', bytes.subarray(19_990)],
    ['bytes=-5', 206, 'bytes 19995-19999/20000', bytes.subarray(19_995)],
    ['bytes=30000-', 416, 'bytes */20000', Buffer.alloc(0)],
  ])('range %s', async (range, status, contentRange, expected) => {
    const answer = await get('/changing/c3/media/demo/a.mp4', range);
    expect([answer.status, answer.headers.get('content-range')]).toEqual([status, contentRange]);
    expect(Buffer.from(await answer.arrayBuffer()).equals(expected)).toBe(true);
  });

  test('begins anew with the manifest: after a reload nobody waits for the end of an outage', async () => {
    const steps = [
      { durationMs: 150, kbps: 4000 },
      { durationMs: 60_000, kbps: 0 },
    ];
    const short = { id: 'short', label: 'Short', about: 'for this test', steps };
    const own = await startPacedServer({ '/media/demo': path.join(folder, 'demo') }, [short]);
    const bytesOf = async (name: string): Promise<number> =>
      (await (await fetch(`${own.proxyUrl}/short/g7/media/demo/${name}`)).arrayBuffer()).byteLength;
    expect(await bytesOf('a.mp4')).toBe(20_000);
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect([await bytesOf('a.mpd'), await bytesOf('a.mp4')]).toEqual([6, 20_000]);
    await own.stop();
  });

  test('answers HEAD at once, and nothing else than GET', async () => {
    const head = await fetch(`${server.proxyUrl}/outage/d4/media/demo/a.mp4`, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length')]).toEqual([200, '20000']);
    const post = await fetch(`${server.proxyUrl}/outage/d4/media/demo/a.mp4`, { method: 'POST' });
    expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });

  test('an empty file has no body', async () => {
    const answer = await get('/changing/e5/media/demo/empty.json');
    expect([answer.status, await answer.text()]).toEqual([200, '']);
  });

  test.each([
    '/media/demo/a.mp4',
    '/magic/a1/media/demo/a.mp4',
    '/changing/a1/media/demo/b.mp4',
    '/changing/a1/media/demo/',
    '/changing/a1/media/demo/%2e%2e/outside',
    '/changing/a1/media/demo/..%2foutside',
    '/changing/a1/media/demo/.hidden',
    '/changing/a1/media/demo/%',
    '/changing/a1/media/other/a.mp4',
  ])('%s is not there', async (at) => expect((await get(at)).status).toBe(404));
});
