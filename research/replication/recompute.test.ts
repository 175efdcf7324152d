import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { Aggregate } from './results/aggregate.ts';
import { resultsFile } from './campaignFiles.ts';
import { paperCampaigns } from './papers.ts';
import type { Interval } from '../../src/analysis/statistics/intervals.ts';

/**
 * The verdicts as `research/replication/recompute.py` computes them with SciPy, from the same CSV files, with code and random numbers
 * of its own: `python3 research/replication/recompute.py --json research/replication/golden/recomputed.json` writes them, and Prettier
 * formats them.
 */
interface Recomputed {
  readonly campaign: string;
  readonly first: string;
  readonly second: string;
  readonly network: string | null;
  readonly pairs: number;
  readonly difference: number;
  readonly p: number;
  readonly holmP: number;
  readonly leaveOneOut: Interval;
  readonly interval: Interval | null;
  readonly ratio: number | null;
  readonly ratioInterval: Interval | null;
  readonly direction: string;
  readonly relevance: string;
  readonly sensitivity: Readonly<Record<string, string>> | null;
}

/** Tolerance in widths of an interval, as in `recompute.py`: the two intervals come from different random numbers. */
const TOLERANCE = 0.05;

const root = fileURLToPath(new URL('../..', import.meta.url));
const { verdicts } = JSON.parse(readFileSync(new URL('golden/recomputed.json', import.meta.url), 'utf8')) as {
  verdicts: readonly Recomputed[];
};
const ours = paperCampaigns
  .map(({ id }) => id)
  .filter((id) => existsSync(resultsFile(root, id, 'json')))
  .flatMap((campaign) => {
    const aggregate = JSON.parse(readFileSync(resultsFile(root, campaign, 'json'), 'utf8')) as Aggregate;
    return aggregate.verdicts.map((line) => ({ campaign, line }));
  });

const near = (value: number | null | undefined, expected: number | null): void => {
  if (expected === null) expect(value ?? null).toBeNull();
  else expect(Math.abs(value! - expected)).toBeLessThanOrEqual(1e-6 * Math.abs(expected) + 1e-9);
};

function nearInterval(value: Interval | null | undefined, expected: Interval | null): void {
  if (expected === null) return void expect(value ?? null).toBeNull();
  const width = expected[1] - expected[0];
  for (const place of [0, 1] as const)
    expect(Math.abs(value![place] - expected[place])).toBeLessThanOrEqual(TOLERANCE * width);
}

test('every committed verdict has been computed again', () => {
  expect(verdicts).toHaveLength(ours.length);
  expect(ours.length).toBeGreaterThan(0);
});

test.each(verdicts)('$campaign: $first against $second, $network', (expected) => {
  const { line } = ours.find(
    ({ campaign, line: { comparison } }) =>
      campaign === expected.campaign &&
      comparison.firstArm === expected.first &&
      comparison.secondArm === expected.second &&
      comparison.network === expected.network,
  )!;
  expect(line.pairs.compared).toBe(expected.pairs);
  near(line.difference, expected.difference);
  near(line.p, expected.p);
  near(line.holmP, expected.holmP);
  near(line.ratio?.value, expected.ratio);
  line.leaveOneOut!.forEach((mean, place) => near(mean, expected.leaveOneOut[place]!));
  nearInterval(line.interval, expected.interval);
  nearInterval(line.ratio?.interval, expected.ratioInterval);
  const { direction, relevance } = expected;
  expect(line.judgement).toEqual({ direction, relevance });
  expect(line.sensitivity).toEqual(expected.sensitivity);
});
