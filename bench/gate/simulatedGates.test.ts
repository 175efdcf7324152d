import { expect, it, test } from 'vitest';
import type { AaPair } from './aaPairs.ts';
import { effectsOf, simulateGate } from './simulatedGates.ts';
import { usualGate } from '../../experiment/plan/gateFile.ts';
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
const effects = effectsOf(usualGate);
const GATES = 40;

const verdictsOf = (id: string): string[] =>
  Array.from(
    { length: GATES },
    (_, index) =>
      simulateGate(usualGate, design, { recorded, effect: pick(effects, id), seed: index + 1 }).verdict,
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

test('a seed gives the same gate again, and a gate ends at a look', () => {
  const play = (seed: number) =>
    simulateGate(usualGate, design, { recorded, effect: pick(effects, 'join-time-1'), seed });
  expect(play(3)).toEqual(play(3));
  expect([4 / 12, 8 / 12, 1]).toContain(play(3).share);
});
