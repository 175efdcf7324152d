import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { seededNormals, seededRandom } from '../../src/analysis/statistics/random.ts';
import { normalTail } from '../../src/analysis/statistics/distributions.ts';
import { clusteredDifference, differenceP, twoWayStandardError } from './clusteredDifference.ts';
import { halfWidthAt, mixtureAtPlan, sequenceHalfWidth, sequenceInterval } from './confidenceSequence.ts';
import { quantileEffects, quantileFinder } from './quantileEffects.ts';
import { quantile } from '../../src/analysis/statistics/summaries.ts';
import { ratioP } from './ratios.ts';
import { numberIds, numberPairs } from './numberIds.ts';
import type { Sample } from './samples.ts';

interface SampleRow {
  readonly value: number;
  readonly isTreated: boolean;
  readonly cluster: string;
}

function sampleOf(rows: readonly SampleRow[]): Sample {
  const ids = numberIds();
  return {
    values: Float64Array.from(rows, ({ value }) => value),
    isTreated: Uint8Array.from(rows, ({ isTreated }) => (isTreated ? 1 : 0)),
    clusters: Int32Array.from(rows, ({ cluster }) => ids.numberOf(cluster)),
  };
}

interface Golden {
  readonly mixture: readonly { ratio: number; alpha: number; is: number }[];
  readonly clusters: readonly {
    values: number[];
    isTreated: number[];
    viewers: number[];
    networks: number[];
    difference: number;
    oneWay: number;
    twoWay: number;
  }[];
  readonly chisquare: readonly { counts: number[]; shares: number[]; p: number }[];
}

// Written by golden/trial_golden.py with SciPy 1.17.1 and statsmodels 0.15.0.
const golden = JSON.parse(
  readFileSync(path.join(import.meta.dirname, 'golden', 'trial.json'), 'utf8'),
) as Golden;

const near = (value: number, expected: number, relative = 1e-9): void =>
  expect(Math.abs(value / expected - 1)).toBeLessThan(relative);

describe('the confidence sequence', () => {
  test.each(golden.mixture)(
    'has the width of the mixture that SciPy integrates: tρ² $ratio, α $alpha',
    (each) => near(sequenceHalfWidth(each.ratio, each.alpha), each.is, 1e-7),
  );

  // TwoSidedNormalMixture of confseq (uniform_boundaries.h at 70b1ef30): bound(v) / √v with v_opt = 1.
  test.each([
    [0.05, 0.1, 3.8550546335303104],
    [0.05, 0.5, 3.0835687143683495],
    [0.05, 1, 3.0352089903762534],
    [0.05, 2, 3.0614772188674166],
    [0.01, 1, 3.5716299708704495],
    [0.025, 2, 3.3044854364670173],
  ])('has the width of confseq: α %d at %d of the plan', (alpha, part, expected) =>
    near(sequenceHalfWidth(mixtureAtPlan(alpha) * part, alpha), expected),
  );

  // confseq's best_rho(100, 0.05) is 12.60056097925634, its ρ being 1/ρ² of the paper.
  it('chooses ρ as confseq does', () => near(100 / mixtureAtPlan(0.05), 12.60056097925634));

  it('is that of the paper for t values with deviation σ', () => {
    const [t, planned, sigma, alpha] = [400, 1000, 2.5, 0.05];
    const rho2 = mixtureAtPlan(alpha) / planned;
    const paper =
      sigma * Math.sqrt(((2 * (t * rho2 + 1)) / (t ** 2 * rho2)) * Math.log(Math.sqrt(t * rho2 + 1) / alpha));
    const standardError = sigma / Math.sqrt(t);
    near(
      standardError * halfWidthAt(standardError, { plannedError: sigma / Math.sqrt(planned), alpha }),
      paper,
    );
  });

  it('is the estimate alone without an error', () =>
    expect(sequenceInterval({ difference: 2, standardError: 0 }, { plannedError: 1, alpha: 0.05 })).toEqual([
      2, 2,
    ]));
});

describe('errors of clusters', () => {
  const sampleIn = (each: Golden['clusters'][number]): Sample => ({
    values: Float64Array.from(each.values),
    isTreated: Uint8Array.from(each.isTreated),
    clusters: Int32Array.from(each.viewers),
  });

  test.each(golden.clusters)('are those of statsmodels, one way and two ways', (each) => {
    const sample = sampleIn(each);
    const found = clusteredDifference(sample)!;
    near(found.difference, each.difference);
    near(found.standardError, each.oneWay);
    const networks = Int32Array.from(each.networks);
    const pairs = numberPairs(sample.clusters, networks);
    near(twoWayStandardError(sample, found, { networks, pairs })!, each.twoWay);
  });

  it('have clusters in each arm, and as many effective ones as share the spread', () => {
    const rows = (values: readonly number[]) =>
      sampleOf(
        values.map((value, index) => ({ value, isTreated: index % 2 === 0, cluster: `c${index >> 1}` })),
      );
    const even = clusteredDifference(rows([1, 0, -1, 0, 1, 0, -1, 0]))!;
    expect(even.clustersOf).toEqual({ treated: 4, control: 4 });
    expect(even.effectiveClusters).toBeCloseTo(4, 9);
    const one = clusteredDifference(rows([...Array<number>(199).fill(0), 0, 1000, 0]))!;
    expect(one.effectiveClusters).toBeLessThan(1.1);
    expect(clusteredDifference(rows([0, 0, 0, 0]))!.effectiveClusters).toBe(0);
  });

  it('give p of equal means, by the normal distribution', () => {
    const sample = sampleIn(golden.clusters[0]!);
    const { difference, standardError } = clusteredDifference(sample)!;
    near(differenceP(sample)!, 2 * normalTail(Math.abs(difference / standardError)));
    const constant = (treated: number) =>
      differenceP(
        sampleOf(
          [0, 1, 2, 3].map((index) => ({
            value: index % 2 === 0 ? treated : 0,
            isTreated: index % 2 === 0,
            cluster: String(index),
          })),
        ),
      );
    expect([constant(0), constant(1)]).toEqual([1, 0]);
  });

  it('are unknown with one arm, or with one cluster', () => {
    const row = { value: 1, isTreated: true, cluster: 'a' };
    expect(clusteredDifference(sampleOf([row, row]))).toBeNull();
    expect(clusteredDifference(sampleOf([row, { ...row, isTreated: false }]))).toBeNull();
    expect(clusteredDifference(sampleOf([]))).toBeNull();
  });
});

test.each(golden.chisquare)('the sample ratio has the p of SciPy: $counts', ({ counts, shares, p }) => {
  const arms = counts.map((reported, at) => ({
    arm: String(at),
    assigned: 0,
    reported,
    expectedShare: shares[at]!,
  }));
  near(ratioP(arms, 'reported')!, p);
});

test('intervals of quantile differences hold the true difference in about 95 % of samples with clusters', () => {
  const normals = seededNormals(5);
  const random = seededRandom(6);
  let held = 0;
  const samples = 200;
  for (let sample = 0; sample < samples; sample++) {
    const rows = Array.from({ length: 150 }, (_, viewer) => {
      const isTreated = random() < 0.5;
      const [of] = normals(1) as [number];
      return normals(4).map((each) => ({
        value: of + each + (isTreated ? 0.5 : 0),
        isTreated,
        cluster: String(viewer),
      }));
    }).flat();
    const median = quantileEffects(sampleOf(rows)).find(({ share }) => share === 0.5)!;
    if (median.interval[0] <= 0.5 && median.interval[1] >= 0.5) held += 1;
  }
  expect(held / samples).toBeGreaterThan(0.91);
  expect(held / samples).toBeLessThan(0.99);
});

test('quantiles are those of values in order', () => {
  const normals = seededNormals(7);
  const lists = [
    [0],
    [3, -1],
    [0, 0, 0, 5],
    normals(2000),
    normals(500).map((value) => Math.max(0, Math.round(value))),
  ];
  for (const list of lists) {
    const values = Float64Array.from(list);
    const find = quantileFinder(values);
    for (const share of [0, 0.1, 0.5, 0.61803, 0.99, 1])
      expect(find(share)).toBe(quantile(values.toSorted(), share));
  }
});
