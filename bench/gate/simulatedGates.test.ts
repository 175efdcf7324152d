import { expect, it, test } from 'vitest';
import type { AaPair } from './aaPairs.ts';
import { effectsOf, simulateGate } from './simulatedGates.ts';
import { usualGate } from '../../experiment/design/gateFile.ts';
import type { GateSession } from '../../experiment/verdict/gateVerdict.ts';
import { seededNormals } from '../../src/analysis/statistics/random.ts';
import { pick } from '../../src/shared/registry.ts';

const session = (kbps: number, joinMs: number): GateSession => ({
  played: true,
  values: new Map([
    ['mean-bitrate', kbps],
    ['rebuffer-rate', 0],
    ['join-time', joinMs],
  ]),
});
const normals = seededNormals(1)(200);
const recorded = Array.from({ length: 100 }, (_, index): AaPair => [
  session(2000, 800),
  session(2000 * Math.exp(0.01 * normals[index]!), 800 * Math.exp(0.02 * normals[100 + index]!)),
]);
const design = { pairs: 12, looks: [4, 8, 12] };
/** Twelve pairs rule one in four out, those of the usual gate are more. */
const gate = { ...usualGate, rareShare: 0.25 };
const effects = effectsOf(usualGate);
const GATES = 40;

const verdictsOf = (id: string): string[] =>
  Array.from(
    { length: GATES },
    (_, index) =>
      simulateGate(gate, design, { recorded, effect: pick(effects, id), seed: index + 1 }).verdict,
  );
const countOf = (verdicts: readonly string[], verdict: string): number =>
  verdicts.filter((each) => each === verdict).length;

it.each([
  ['mean-bitrate-1', [1904.8, 0, 800]],
  ['mean-bitrate-2', [1814.1, 0, 800]],
  ['rebuffer-rate-2', [2000, 1, 800]],
  ['join-time-1', [2000, 0, 880]],
  ['equal', [2000, 0, 800]],
])('%s worsens one metric towards its worse side', (id, values) => {
  const worse = [...pick(effects, id).apply(session(2000, 800)).values.values()];
  expect(worse.map((value) => Number(value!.toFixed(1)))).toEqual(values);
});

test('equal arms are passed, and two margins are a regression', () => {
  const equal = verdictsOf('equal');
  expect(countOf(equal, 'no-regression')).toBeGreaterThanOrEqual(GATES - 2);
  expect(countOf(verdictsOf('mean-bitrate-2'), 'regression')).toBeGreaterThanOrEqual(GATES - 2);
});

test('a fault is done to its share of sessions, and a session that does not play has no value', () => {
  expect(pick(effects, 'rebuffer-rate-60-in-20')).toMatchObject({ share: 1 / 20, isWorse: true });
  expect(pick(effects, 'dead-in-10').apply(session(2000, 800))).toEqual({
    played: false,
    values: new Map([
      ['mean-bitrate', null],
      ['rebuffer-rate', null],
      ['join-time', null],
    ]),
  });
});

test('rare faults pass in no more than alpha of gates that rule them out, and equal arms in most', () => {
  const long = { pairs: 60, looks: [20, 40, 60] };
  const passedOf = (id: string): number =>
    Array.from({ length: GATES }, (_, index) => {
      const seeded = { ...usualGate, metrics: usualGate.metrics.slice(1, 2) };
      return simulateGate(seeded, long, { recorded, effect: pick(effects, id), seed: index + 1 }).verdict;
    }).filter((verdict) => verdict === 'no-regression').length;
  expect(passedOf('equal')).toBeGreaterThanOrEqual(GATES - 2);
  // 5 % of 40 are 2, with a standard deviation of 1.4.
  for (const id of ['rebuffer-rate-10-in-10', 'rebuffer-rate-60-in-20', 'dead-in-20'])
    expect(passedOf(id), id).toBeLessThanOrEqual(6);
});

test('a seed gives the same gate again, and a gate ends at a look', () => {
  const play = (seed: number) =>
    simulateGate(gate, design, { recorded, effect: pick(effects, 'join-time-1'), seed });
  expect(play(3)).toEqual(play(3));
  expect([4 / 12, 8 / 12, 1]).toContain(play(3).share);
});
