import { describe, expect, it, test } from 'vitest';
import { seededRandom } from '../../src/analysis/statistics/random.ts';
import { bolaOnHsdpa } from './bolaOnHsdpa.testing.ts';
import {
  formatInterval,
  formatNetworks,
  meanByNetwork,
  meanOverNetworks,
  MIN_NETWORKS,
  traceNetworks,
} from './traceNetworks.ts';

const alone = (count: number) => traceNetworks(Array.from({ length: count }, (_, place) => `bus_${place}`));
const meanOf = (values: readonly number[]): number =>
  values.reduce((sum, each) => sum + each, 0) / values.length;

describe('traceNetworks', () => {
  it('puts the traces of one household together, also under a path, and no others', () => {
    const names = [
      'trace_7_http---www.ebay.com_0',
      'bus_1',
      'fcc/test_fcc_trace_7_http---www.amazon.com_960_0',
      'bus-1',
      'trace_8_http---www.ebay.com_0',
    ];
    const networks = traceNetworks(names);
    expect(networks).toEqual({ traces: [[0, 2], [1], [3], [4]], areHouseholds: false });
    expect(formatNetworks(networks)).toBe('4 networks');
    expect(formatNetworks(traceNetworks([names[0]!, names[2]!]))).toBe('1 household');
    expect(formatNetworks(traceNetworks([names[1]!, names[4]!]))).toBeNull();
    expect(meanByNetwork([1, 2, 4, 8, 16], networks)).toEqual([2.5, 2, 8, 16]);
  });
});

/** How many of so many intervals hold the mean of all traces, of those that are printed. */
function coverageOf(draw: (random: () => number) => ReturnType<typeof meanOverNetworks>, runs: number) {
  const truth = meanOf(bolaOnHsdpa);
  const random = seededRandom(11);
  let [held, printed] = [0, 0];
  for (let run = 0; run < runs; run++) {
    const { interval } = draw(random);
    if (!interval) continue;
    printed += 1;
    if (interval[0] <= truth && truth <= interval[1]) held += 1;
  }
  return { share: held / printed, printed };
}

const drawn = (random: () => number): number => bolaOnHsdpa[Math.floor(random() * bolaOnHsdpa.length)]!;

describe('the 95 % interval of the mean QoE per chunk', () => {
  // 142 traces, skewed: most near 0.6, a tail up to 3.6.
  test.each([5, 10, 20])('holds the mean of %d networks in 93 % of runs or more', (count) => {
    const networks = alone(count);
    const { share, printed } = coverageOf(
      (random) =>
        meanOverNetworks(
          Array.from({ length: count }, () => drawn(random)),
          networks,
          1,
        ),
      300,
    );
    expect(printed).toBeGreaterThan(290);
    expect(share).toBeGreaterThanOrEqual(0.93);
  });

  test('holds it where each network has several traces that are nearly the same', () => {
    const sizes = Array.from({ length: 10 }, (_, network) => 1 + (network % 7) * 3);
    const names = sizes.flatMap((size, network) =>
      Array.from({ length: size }, (_, at) => `trace_${network}_http---a_${at}`),
    );
    const valuesOf = (random: () => number): number[] =>
      sizes.flatMap((size) => {
        const own = drawn(random);
        return Array.from({ length: size }, () => own + 0.1 * (random() - 0.5));
      });
    const networks = traceNetworks(names);
    const { share } = coverageOf((random) => meanOverNetworks(valuesOf(random), networks, 1), 400);
    expect(share).toBeGreaterThanOrEqual(0.93);
    const asTraces = coverageOf((random) => meanOverNetworks(valuesOf(random), alone(names.length), 1), 100);
    expect(asTraces.share).toBeLessThan(0.7);
  });

  test.each([1, 2, MIN_NETWORKS - 1])('is not there for %d networks', (count) => {
    const values = Array.from({ length: count }, (_, place) => place + 1);
    expect(meanOverNetworks(values, alone(count), 1)).toEqual({ value: (count + 1) / 2, interval: null });
    expect(formatInterval(null, String)).toBe('–');
  });

  test('is not there where one household has most of the traces', () => {
    const names = Array.from(
      { length: 60 },
      (_, place) => `trace_${Math.max(0, place - 50)}_http---a_${place}`,
    );
    const values = names.map((_, place) => place % 7);
    expect(traceNetworks(names).traces).toHaveLength(10);
    expect(meanOverNetworks(values, traceNetworks(names), 1).interval).toBeNull();
  });

  test('is not there where all values are equal up to rounding, or but for one', () => {
    const equal = Array.from({ length: 6 }, (_, place) => 0.29 + place * 1e-16);
    expect(new Set(equal).size).toBeGreaterThan(1);
    expect(meanOverNetworks(equal, alone(6), 1).interval).toBeNull();
    expect(meanOverNetworks([...equal, 5], alone(7), 1).interval).toBeNull();
  });

  test('is that of the means where all networks have as many traces', () => {
    const names = Array.from({ length: 24 }, (_, place) => `trace_${place % 8}_http---a_${place}`);
    const values = names.map((_, place) => (place % 8) ** 2 + (place % 3));
    const networks = traceNetworks(names);
    expect(networks.traces).toHaveLength(8);
    const [ofTraces, ofMeans] = [
      meanOverNetworks(values, networks, 1),
      meanOverNetworks(meanByNetwork(values, networks), alone(8), 1),
    ];
    expect(ofTraces.value).toBeCloseTo(ofMeans.value, 12);
    for (const end of [0, 1] as const) expect(ofTraces.interval![end]).toBeCloseTo(ofMeans.interval![end], 6);
  });
});
