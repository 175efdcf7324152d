import { expect, it } from 'vitest';
import type { Moment } from '../../rule.ts';
import { contextOf, ladderOf, momentOf } from '../../testMoments.testing.ts';
import { testWeights } from '../../testWeights.testing.ts';
import type { PensieveState } from './pensieveEntry.ts';
import { readPensieveWeights } from './pensieveWeights.ts';
import { trainedLadder, writeInputs } from './weightedPensieve.ts';

const KBPS = [300, 750, 1200, 1850, 2850, 4300];
const read = readPensieveWeights(JSON.stringify(testWeights(KBPS)));
if (!read.ok) throw new Error(read.error);
const weights = read.value;

function inputsOf(moment: Partial<Moment>, kbps = KBPS, over: Partial<PensieveState> = {}): number[] {
  const ladder = ladderOf(...kbps);
  const { mediaType, segmentMs, sizeBytes } = contextOf(ladder, {
    sizeBytes: (segment, rung) => 1000 * segment + rung + 1,
  });
  const trained = trainedLadder(ladder, weights.ladderKbps);
  const history = { ratesKbps: [800, 1600, 4000], downloadMs: [5000, 2000, 1000] };
  const input = new Float32Array(25).fill(99);
  const state = { mediaType, ladder, segmentMs, sizeBytes, trained, ...history, ...over };
  writeInputs(input, weights, { state, moment: momentOf(moment) });
  return [...input].map((value) => Number(value.toPrecision(6)));
}

const MOMENT = { lastRung: 3, bufferMs: 12_500, segment: 20, segmentsLeft: 28 };

it('writes the six rows in the units of the paper', () => {
  expect(inputsOf(MOMENT)).toEqual([
    ...[0.430233, 1.25],
    ...[0, 0, 0, 0, 0, 0.1, 0.2, 0.5],
    ...[0, 0, 0, 0, 0, 0.5, 0.2, 0.1],
    ...[0.020001, 0.020002, 0.020003, 0.020004, 0.020005, 0.020006],
    0.583333,
  ]);
});

it('has the segments left in row 5, not a size', () => {
  const left = (segmentsLeft: number | null) => inputsOf({ ...MOMENT, segmentsLeft }).at(-1);
  expect([48, 24, 1, 0, 500, null].map(left)).toEqual([1, 0.5, 0.0208333, 0, 1, 1]);
});

it('takes sizes that nobody knows to be bitrate × duration', () => {
  expect(inputsOf({ ...MOMENT, segment: null }).slice(18, 24)).toEqual([
    0.15, 0.375, 0.6, 0.925, 1.425, 2.15,
  ]);
});

it('reads another ladder by its scale: all that is in bits, and nothing in ms', () => {
  const tenfold = KBPS.map((kbps) => 10 * kbps);
  const history = { ratesKbps: [8000, 16_000, 40_000], downloadMs: [5000, 2000, 1000] };
  const sizes = { sizeBytes: (segment: number, rung: number) => 10 * (1000 * segment + rung + 1) };
  expect(inputsOf(MOMENT, tenfold, { ...history, ...sizes })).toEqual(inputsOf(MOMENT));
});

it('knows no rung before the first segment, and none above a ladder that has shrunk', () => {
  expect(inputsOf({ ...MOMENT, lastRung: null })[0]).toBe(0);
  expect(inputsOf({ ...MOMENT, lastRung: 5 }, [300, 4300])[0]).toBe(1);
});

const TRAINED = [300, 750, 1200, 1850, 2850, 4300];

it.each([
  { name: 'its own', ladder: TRAINED, scale: 1, rungOf: [0, 1, 2, 3, 4, 5] },
  {
    name: 'ten times its own',
    ladder: TRAINED.map((kbps) => 10 * kbps),
    scale: 0.1,
    rungOf: [0, 1, 2, 3, 4, 5],
  },
  { name: 'one rung', ladder: [128], scale: 4300 / 128, rungOf: [0, 0, 0, 0, 0, 0] },
  { name: 'fewer rungs', ladder: [350, 1300, 4300], scale: 1, rungOf: [0, 1, 1, 1, 2, 2] },
  {
    name: 'more rungs',
    ladder: [290, 310, 400, 750, 1200, 1850, 2850, 4300],
    scale: 1,
    rungOf: [1, 3, 4, 5, 6, 7],
  },
  { name: 'two as near as each other', ladder: [150, 600, 4300], scale: 1, rungOf: [0, 1, 1, 2, 2, 2] },
  { name: 'two of the same bitrate', ladder: [4300, 4300], scale: 1, rungOf: [0, 0, 0, 0, 0, 0] },
])('a net reads $name', ({ ladder, scale, rungOf }) => {
  const found = trainedLadder(ladderOf(...ladder), TRAINED);
  expect(found.scale).toBeCloseTo(scale, 12);
  expect(found.rungOf).toEqual(rungOf);
});
