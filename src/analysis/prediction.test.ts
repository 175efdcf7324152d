import { expect, test } from 'vitest';
import { pick } from '../shared/registry.ts';
import { metrics } from './metrics/registry.ts';
import type { Metric } from './metrics/metric.ts';
import { type KnownSession, predict, predictionModels } from './prediction.ts';
import { seededNormals } from './statistics/random.ts';

const metric = (id: string): Metric => pick<Metric>(metrics, id);
const INPUTS = [metric('throughput'), metric('response-latency')];
const TARGET = metric('mean-bitrate');

const session = (
  network: string,
  [throughput, latency]: readonly [number, number],
  value: number | null,
): KnownSession => ({
  id: `${network}-${throughput}`,
  arm: 'bola/h2',
  network,
  machine: 'a',
  values: { throughput, 'response-latency': latency, [TARGET.id]: value },
});

/** On so many networks three sessions each, whose bitrate is what `valueOf` makes of their throughput and latency. */
function sessionsOf(
  networks: number,
  valueOf: (throughput: number, latency: number, network: number) => number | null,
): KnownSession[] {
  const normals = seededNormals(7)(6 * networks);
  return Array.from({ length: 3 * networks }, (_, place) => {
    const [rate, latency] = [1000 * 2 ** normals[2 * place]!, 50 * 2 ** normals[2 * place + 1]!];
    const network = Math.floor(place / 3);
    return session(`n${network}`, [rate, latency], valueOf(rate, latency, network));
  });
}

const predictOf = (sessions: readonly KnownSession[]) =>
  predict(sessions, { inputs: INPUTS, targets: [TARGET] })[0]!;
const errorOf = (sessions: readonly KnownSession[], id: string) =>
  predictOf(sessions).models.find(({ model }) => model === id)!;

test('what follows from the logarithms of rate and latency is predicted without error', () => {
  const { sessions, networks, models } = predictOf(
    sessionsOf(8, (rate, latency) => 100 * Math.log(rate) - 10 * Math.log(latency)),
  );
  expect([sessions.length, networks.length]).toEqual([24, 8]);
  const [mean, linear, nearest] = models;
  expect(linear!.meanError).toBeCloseTo(0, 6);
  expect(linear!.gain!.explainedShare).toBeCloseTo(1, 9);
  expect(linear!.gain!.betterNetworks).toBe(8);
  expect(linear!.gain!.meanError).toBeCloseTo(mean!.meanError, 6);
  expect(linear!.gain!.interval![0]).toBeGreaterThan(0);
  expect(mean!.gain).toBeUndefined();
  expect(nearest!.meanError).toBeGreaterThan(1);
  expect(nearest!.meanError).toBeLessThan(mean!.meanError);
});

test('no session of a network is in the training of that network', () => {
  const offset = (own: number) => (rate: number, _: number, network: number) =>
    rate + (network === 2 ? own : 0);
  const [one, other] = [sessionsOf(5, offset(0)), sessionsOf(5, offset(1e6))];
  for (const { id } of predictionModels) {
    const [before, after] = [errorOf(one, id).predicted, errorOf(other, id).predicted];
    expect(after.slice(6, 9)).toEqual(before.slice(6, 9));
    expect(after.slice(0, 6)).not.toEqual(before.slice(0, 6));
  }
});

test('noise is predicted no better than by the mean', () => {
  const noise = seededNormals(3)(60);
  let place = 0;
  const { gain } = errorOf(
    sessionsOf(20, () => noise[place++]!),
    'linear',
  );
  expect(gain!.explainedShare).toBeLessThan(0.2);
  expect(gain!.interval![0]).toBeLessThan(0);
});

test('networks weigh the same, whatever their number of sessions', () => {
  const at = (network: string, value: number) => session(network, [1000, 50], value);
  // The others' mean is 2 for a, 4/3 for b, and 4/3 for c.
  const sessions = [at('a', 0), at('b', 2), at('c', 2), at('c', 2)];
  const { meanError, rmsError } = errorOf(sessions, 'mean');
  expect(meanError).toBeCloseTo((2 + (2 - 4 / 3) + (2 - 1)) / 3, 12);
  expect(rmsError).toBeCloseTo(Math.sqrt((4 + (2 / 3) ** 2 + 1) / 3), 12);
});

test('sessions without a value, or with a latency of 0, are left out', () => {
  const sessions = [...sessionsOf(4, (rate) => rate), session('n9', [1000, 50], null)];
  const zero = session('n8', [1000, 0], 5);
  expect(predictOf([...sessions, zero]).networks).toEqual(['n0', 'n1', 'n2', 'n3']);
});

test('two networks are too few, and a target that never varies has no share to explain', () => {
  expect(predictOf(sessionsOf(2, (rate) => rate)).models).toEqual([]);
  const { models } = predictOf(sessionsOf(4, () => 0));
  expect(models.map(({ meanError }) => meanError)).toEqual([0, 0, 0]);
  expect(models[1]!.gain).toMatchObject({ explainedShare: null, betterNetworks: 0, interval: [0, 0] });
});
