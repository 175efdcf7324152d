import { describe, expect, test } from 'vitest';
import { seededNormals } from '../../../src/analysis/statistics/random.ts';
import type { SessionSummary } from '../sessionSummary.ts';
import { exampleSource } from './exampleSource.testing.ts';
import type { ReportFigure } from './figure.ts';
import { runningMeansTests } from './runningMeansTests.ts';

const next = seededNormals(9);

/** Windows whose bitrate keeps 0.77 of the one before, around a level. */
function windowsOf(levelKbps: number): SessionSummary['windows'] {
  let value = 0;
  return next(40).map((normal, index) => ({
    fromMs: index * 30_000,
    toMs: (index + 1) * 30_000,
    tcpShare: null,
    qualityDropS: 0,
    stallS: 0,
    bitrateKbps: levelKbps + (value = 0.77 * value + 10 * normal),
    bytes: { h1: 0, h2: 0, unknown: 0, h3: 0 },
  }));
}

const figureOf = (...args: Parameters<typeof exampleSource>): ReportFigure | null =>
  [runningMeansTests.draw(exampleSource(...args)) ?? []].flat()[0] ?? null;

describe('the test of the 2024 paper', () => {
  test('calls all pairs better where one arm is, and many of equal arms different: it says so beside', () => {
    const figure = figureOf({ repeats: 40, profiles: ['slow-500'] }, ({ transport }) => ({
      windows: windowsOf(transport === 'h2' ? 1000 : 2000),
    }))!;
    const [bitrate, , stall] = figure.rows;
    expect(bitrate!.slice(0, 10)).toEqual([
      ...['h3-only', 'h2', 'throughput', 'all', 'bitrate'],
      ...[40, 100, 0, 0, 0],
    ]);
    expect(bitrate![10]).toBe(40);
    expect(bitrate![11]).toBeGreaterThan(40);
    // Nothing ever stalls: similar in every pair, and never different among equal arms.
    expect(stall!.slice(4)).toEqual(['stall', 40, 0, 100, 0, 0, 40, 0]);
    expect(figure.caption).toContain('No verdict');
  });

  test('is not there without sessions of one arm that met the same', () => {
    const single = figureOf({ repeats: 1 }, () => ({ windows: windowsOf(1000) }));
    expect(single).toBeNull();
    const copies = figureOf({ repeats: 6 }, ({ transport }) => ({
      windows: windowsOf(1000),
      playbackHash: transport,
    }));
    expect(copies).toBeNull();
  });

  test('of A/A labels counts their own pairs as equal arms', () => {
    const aaLabels = { transports: ['h2' as const], aaLabels: ['a', 'b'], compare: 'aaLabels' as const };
    const figure = figureOf({ ...aaLabels, repeats: 12 }, () => ({ windows: windowsOf(1000) }))!;
    const [bitrate] = figure.rows;
    expect([bitrate![5], bitrate![10]]).toEqual([12, 12]);
    expect(Number(bitrate![6]) + Number(bitrate![8])).toBeCloseTo(Number(bitrate![11]), 9);
  });
});
