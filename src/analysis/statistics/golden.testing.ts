import { readFileSync } from 'node:fs';
import { expect } from 'vitest';

interface Golden {
  readonly scipy: string;
  readonly normalTail: readonly { call: string; z: number; is: number }[];
  readonly normalQuantile: readonly { call: string; share: number; is: number }[];
  readonly studentTail: readonly { call: string; t: number; degrees: number; is: number }[];
  readonly wilcoxon: readonly {
    name: string;
    call: string;
    differences: readonly number[];
    zeroMethod: 'wilcox' | 'pratt';
    method: 'exact' | 'normal';
    correction: boolean | null;
    statistic: number;
    p: number;
  }[];
  readonly mannWhitney: readonly {
    name: string;
    call: string;
    a: readonly number[];
    b: readonly number[];
    method: 'exact' | 'normal';
    correction: boolean | null;
    u: number;
    p: number;
  }[];
  readonly bootstrap: readonly {
    name: string;
    differences: readonly number[];
    resamples: number;
    bca: readonly [number, number];
    percentile: readonly [number, number];
  }[];
  readonly libraryBootstrap: readonly {
    name: string;
    differences: readonly number[];
    mean: readonly [number, number];
    deviation: readonly [number, number];
  }[];
  readonly welch: readonly {
    name: string;
    call: string;
    a: readonly number[];
    b: readonly number[];
    t: number;
    degrees: number;
    p: number;
  }[];
}

/** What SciPy says; `golden/scipy_golden.py` wrote it, each value with its call. */
export const golden = JSON.parse(
  readFileSync(new URL('golden/scipy.json', import.meta.url), 'utf8'),
) as Golden;

/** Within 1e-9 of the expected value, relative to it. */
export function expectNear(value: number, expected: number, relative = 1e-9): void {
  if (expected === 0) expect(Math.abs(value)).toBeLessThan(1e-15);
  else expect(Math.abs(value / expected - 1), `${value} against ${expected}`).toBeLessThan(relative);
}
