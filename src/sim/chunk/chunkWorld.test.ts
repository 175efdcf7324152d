import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { RateTrace } from '../../network/rateTrace.ts';
import { describeWithTraces } from '../../shared/sharedTraces.testing.ts';
import type { Content } from '../content.ts';
import { envivio } from '../envivio.ts';
import { testTrace } from '../trace.testing.ts';
import { createChunkWorld } from './chunkWorld.ts';

const rung = (bitrateKbps: number) => ({ bitrateKbps, width: null, height: null });

/** Three segments of 4 s; 9500 bytes are 80,000 bits with what the payload share takes away. */
const content = (sizesBytes: number[][], segments = 3): Content => ({
  name: 'made by hand',
  video: {
    ladder: sizesBytes.map((_, index) => rung(100 * (index + 1))),
    segmentMs: 4000,
    segments,
    sizesBytes,
    initBytes: null,
  },
  audio: null,
});
const trace = (pieces: [endMs: number, rateKbps: number][], startMs = 0): RateTrace => ({
  name: 'made by hand',
  endMs: Float64Array.from(pieces, ([endMs]) => endMs),
  rateKbps: Float64Array.from(pieces, ([, rateKbps]) => rateKbps),
  rttMs: null,
  startMs,
});

function play(world: ReturnType<typeof createChunkWorld>, rungs: number[]) {
  return rungs.map((each) => {
    world.step(each);
    const { delayMs, stallMs, sleepMs, bufferMs } = world;
    return [delayMs, stallMs, sleepMs, bufferMs].map((ms) => Math.round(ms * 1e6) / 1e6);
  });
}

test('a download crosses pieces of the trace, and the trace begins again at its zero', () => {
  // 80,000 bits: 500 ms at 100 kbit/s (from 500 to 1000) and 30,000 bits at 10 kbit/s, which are 3000 ms.
  // Then 1000 ms at 10 kbit/s, and 70,000 bits at 100 kbit/s from 0: 700 ms.
  const pieces: [number, number][] = [
    [1000, 100],
    [5000, 10],
  ];
  const world = createChunkWorld(trace(pieces, 500), content([[9500, 9500, 9500]]));
  const rows = play(world, [0, 0, 0]);
  expect(rows[0]).toEqual([3580, 3580, 0, 4000]);
  expect(rows[1]).toEqual([1780, 0, 0, 6220]);
  // 300 ms at 100 kbit/s, 4000 ms at 10, then the remaining 10,000 bits at 100 again: 100 ms.
  expect(rows[2]).toEqual([4480, 0, 0, 5740]);
  expect(world.done).toBe(true);
});

test('the 80 ms of latency do not move the trace', () => {
  const world = createChunkWorld(
    trace([
      [800, 100],
      [1000, 1],
      [2000, 100],
    ]),
    content([[9500, 9500, 9500]]),
  );
  // The first takes the first piece exactly; the second waits out the slow piece: 200 bits in 200 ms, 79,800 at 100.
  expect(play(world, [0, 0])).toEqual([
    [880, 880, 0, 4000],
    [1078, 0, 0, 6922],
  ]);
});

test('above 60 s it sleeps in steps of 500 ms, in which the trace goes on', () => {
  const sizes = Array.from({ length: 17 }, () => 95);
  // 800 bits: 8 ms at 100 kbit/s. After n segments: 4000 + (n − 1) × (4000 − 88) ms, so the 16th has 62,680 ms.
  const world = createChunkWorld(
    trace([
      [16 * 8 + 2900, 100],
      [1e6, 1],
    ]),
    content([sizes], 17),
  );
  const rows = play(world, Array<number>(17).fill(0));
  expect(rows[14]).toEqual([88, 0, 0, 58_768]);
  expect(rows[15]).toEqual([88, 0, 3000, 59_680]);
  // 128 + 3000 ms of the trace have passed, so this one comes at 1 kbit/s: 800 ms.
  expect(rows[16]).toEqual([880, 0, 3000, 59_800]);
});

test('a stall is what the download takes beyond the buffer', () => {
  const world = createChunkWorld(trace([[1e6, 10]]), content([[9500, 9500]], 2));
  expect(play(world, [0, 0])).toEqual([
    [8080, 8080, 0, 4000],
    [8080, 4080, 0, 4000],
  ]);
});

test('what cannot be fetched is refused', () => {
  const world = createChunkWorld(trace([[1e6, 100]]), content([[95]], 1));
  expect(() => world.step(1)).toThrow('No segment 0 at rung 1.');
  world.step(0);
  expect(() => world.step(0)).toThrow('No segment 1 at rung 0.');
});

describeWithTraces('the golden rows of the public environment', (folder) => {
  const [, ...lines] = readFileSync(path.join(folder, 'anchors/simulator_golden.csv'), 'utf8')
    .trim()
    .split('\n');
  const rows = lines.map((line) => {
    const [name = '', ...numbers] = line.split(',');
    return { name, numbers: numbers.map(Number) };
  });
  const names = [...new Set(rows.map(({ name }) => name))];

  test('are 384 of 8 traces', () => expect([rows.length, names.length]).toEqual([384, 8]));

  test.each(names)('%s', (name) => {
    const world = createChunkWorld(testTrace(folder, name), envivio);
    let before: number | null = null;
    for (const { numbers } of rows.filter((row) => row.name === name)) {
      const [segment, quality, sizeBytes, delayMs, sleepMs, bufferS, stallS, reward] = numbers;
      expect(world.segment).toBe(segment);
      world.step(quality!);
      expect(world.sizeBytes).toBe(sizeBytes);
      expect(Math.abs(world.delayMs - delayMs!) / 1000).toBeLessThanOrEqual(1e-6);
      expect(world.sleepMs).toBe(sleepMs);
      expect(Math.abs(world.bufferMs / 1000 - bufferS!)).toBeLessThanOrEqual(1e-6);
      expect(Math.abs(world.stallMs / 1000 - stallS!)).toBeLessThanOrEqual(1e-6);
      const mbps = envivio.video.ladder[quality!]!.bitrateKbps / 1000;
      // The environment takes the first segment's change from its own first rung, 750 kbit/s.
      const ours = mbps - 4.3 * (world.stallMs / 1000) - Math.abs(mbps - (before ?? 0.75));
      expect(Math.abs(ours - reward!)).toBeLessThanOrEqual(1e-6);
      before = mbps;
    }
    expect(world.done).toBe(true);
  });
});
