import { plainTable } from '../../node/textTable.ts';
import { bcaMeanInterval, type Interval } from '../../src/analysis/statistics/intervals.ts';
import {
  bootstrapTInterval,
  signFlipInterval,
  skewedInterval,
  studentInterval,
} from '../../src/analysis/statistics/meanIntervals.ts';
import { mean } from '../../src/analysis/statistics/summaries.ts';
import { median } from '../statistics.ts';
import { noises, type Noise } from './noises.ts';
import type { VerdictSection } from './verdictSection.ts';

interface Method {
  readonly name: string;
  readonly interval: (differences: readonly number[], seed: number) => Interval;
}

const CONFIDENCE = 0.95;
/** Count of resamples, as many as two digits of a coverage need: the verdicts draw ten times as many. */
const RESAMPLES = 1000;

const METHODS: readonly Method[] = [
  { name: 'Student', interval: (d) => studentInterval(d, CONFIDENCE) },
  { name: 'Hall', interval: (d) => skewedInterval(d, CONFIDENCE) },
  {
    name: 'bootstrap-t',
    interval: (d, seed) => bootstrapTInterval(d, CONFIDENCE, { seed, resamples: RESAMPLES }),
  },
  {
    name: 'sign flips',
    interval: (d, seed) => signFlipInterval(d, CONFIDENCE, { seed, resamples: RESAMPLES }),
  },
  {
    name: 'BCa',
    interval: (d, seed) => bcaMeanInterval(d, { seed, resamples: RESAMPLES }),
  },
];

const COUNTS = [6, 10, 20, 40];

interface Cell {
  readonly coverage: number;
  /** Median width over that of Student's interval; infinite where most have no end. */
  readonly width: number;
}

/** How often each interval of the mean of few pairs holds the true mean, and how wide it is. */
export const coverageSection: VerdictSection = {
  id: 'coverage',
  label:
    'Share of 95 % intervals that hold the true mean, and their median width over that of Student’s interval',
  repetitions: 4000,
  measure({ repetitions, root, print, say }) {
    const rows = COUNTS.flatMap((count) =>
      noises(root).map((noise) => {
        say(`${count} pairs, ${noise.label}`);
        return [`${count} pairs, ${noise.label}`, ...cellsOf(noise, count, repetitions).map(formatCell)];
      }),
    );
    print(plainTable(['', ...METHODS.map(({ name }) => name)], rows));
    return [];
  },
};

/** One for each method, on the same draws. */
function cellsOf({ draw }: Noise, count: number, repetitions: number): Cell[] {
  const next = draw(count);
  const samples = Array.from({ length: repetitions }, () => next(count));
  const intervals = METHODS.map(({ interval }) =>
    samples.map((sample, index) => interval(sample, index + 1)),
  );
  const widths = intervals.map((each) => median(each.map(([min, max]) => max - min)));
  return intervals.map((each, method) => ({
    coverage: mean(each.map(([min, max]) => (min <= 0 && max >= 0 ? 1 : 0))),
    width: widths[method]! / widths[0]!,
  }));
}

const formatCell = ({ coverage, width }: Cell): string =>
  `${coverage.toFixed(3)} (${Number.isFinite(width) ? width.toFixed(2) : '∞'})`;
