import { afterEach, describe, expect, test } from 'vitest';
import { boxesIn } from './boxes.ts';
import { startLiveStream, type LiveStream } from './liveStream.ts';

let live: LiveStream;
afterEach(() => live.stop());

const newestNumber = (startUnixMs: number): number => Math.floor((Date.now() - startUnixMs) / 2000);

describe('startLiveStream', () => {
  test('has segments whose time has come, moved in time beyond the end of the encode, and no others', async () => {
    live = await startLiveStream({ ageSeconds: 60 });
    const manifest = await (await fetch(`${live.proxyUrl}/manifest.mpd`)).text();
    const startUnixMs = Date.parse(/availabilityStartTime="([^"]+)"/.exec(manifest)![1]!);
    const newest = newestNumber(startUnixMs);
    // 24 s were encoded: number 29 is in the third round.
    const segment = Buffer.from(await (await fetch(`${live.proxyUrl}/video-1/29.m4s`)).arrayBuffer());
    const fragments = boxesIn(segment).filter(({ type }) => type === 'moof');
    expect(fragments).toHaveLength(4);
    const tfdt = segment.indexOf('tfdt') + 8;
    expect(Number(segment.readBigUInt64BE(tfdt)) / 12_288).toBe(56);
    expect((await fetch(`${live.proxyUrl}/video-1/${newest + 3}.m4s`)).status).toBe(404);
    expect((await fetch(`${live.proxyUrl}/video-9/1.m4s`)).status).toBe(404);
  });

  test.each([
    ['bytes=0-99', 206, (whole: Buffer) => whole.subarray(0, 100)],
    ['bytes=100-', 206, (whole: Buffer) => whole.subarray(100)],
    ['bytes=-50', 206, (whole: Buffer) => whole.subarray(-50)],
    ['bytes=99999999-', 416, () => Buffer.alloc(0)],
  ])('sends the range %s of a segment', async (range, status, expected) => {
    live = await startLiveStream({ ageSeconds: 60 });
    const url = `${live.proxyUrl}/video-1/29.m4s`;
    const all = await fetch(url);
    const whole = Buffer.from(await all.arrayBuffer());
    expect([all.status, all.headers.get('accept-ranges')]).toEqual([200, 'bytes']);
    const answer = await fetch(url, { headers: { range } });
    expect([answer.status, answer.headers.get('content-range')?.split('/')[1]]).toEqual([
      status,
      String(whole.length),
    ]);
    expect(Buffer.from(await answer.arrayBuffer()).equals(expected(whole))).toBe(true);
  });

  test('low latency: a segment has no ranges, because its size is not known before its end', async () => {
    live = await startLiveStream({ isLowLatency: true, ageSeconds: 60 });
    const answer = await fetch(`${live.proxyUrl}/video-1/29.m4s`, { headers: { range: 'bytes=0-99' } });
    expect([answer.status, answer.headers.get('accept-ranges')]).toEqual([200, null]);
    expect((await answer.arrayBuffer()).byteLength).toBeGreaterThan(100);
  });

  test('after a restart it is as old as asked at the given moment', async () => {
    live = await startLiveStream({ ageSeconds: 60 });
    const atUnixMs = Date.now() - 3000;
    live.restart(atUnixMs);
    const manifest = await (await fetch(`${live.proxyUrl}/manifest.mpd`)).text();
    expect(manifest).toContain(`availabilityStartTime="${new Date(atUnixMs - 60_000).toISOString()}"`);
    // 63 s old: 31 segments are whole.
    expect((await fetch(`${live.proxyUrl}/video-1/31.m4s`)).status).toBe(200);
    expect((await fetch(`${live.proxyUrl}/video-1/33.m4s`)).status).toBe(404);
  });

  test.each([true, false])(
    'names a clock to be asked, which has ms (low latency: %s)',
    async (isLowLatency) => {
      live = await startLiveStream({ isLowLatency });
      const manifest = await (await fetch(`${live.proxyUrl}/manifest.mpd`)).text();
      const [, value] = /<UTCTiming schemeIdUri="urn:mpeg:dash:utc:http-iso:2014" value="([^"]+)"/.exec(
        manifest,
      )!;
      const beforeUnixMs = Date.now();
      const answer = await fetch(new URL(value!, `${live.proxyUrl}/manifest.mpd`));
      const clockUnixMs = Date.parse(await answer.text());
      expect(clockUnixMs).toBeGreaterThanOrEqual(beforeUnixMs);
      expect(clockUnixMs).toBeLessThanOrEqual(Date.now());
      expect(answer.headers.get('cache-control')).toBe('no-store');
    },
  );

  test('low latency: chunks of the segment in the making arrive at the pace of its time', async () => {
    live = await startLiveStream({ isLowLatency: true, ageSeconds: 60.6 });
    const startedMs = performance.now();
    // Segment 31 began 0.6 s ago: its first chunk is there, the last is due 1.4 s from now.
    const response = await fetch(`${live.proxyUrl}/video-1/31.m4s`);
    const firstMs = performance.now() - startedMs;
    await response.arrayBuffer();
    const lastMs = performance.now() - startedMs;
    expect(firstMs).toBeLessThan(800);
    expect(lastMs).toBeGreaterThan(1_000);
  });
});
