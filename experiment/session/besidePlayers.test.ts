import { expect, test } from 'vitest';
import { ratesBySecond, withPlayers } from './besidePlayers.ts';
import { besideFlows, exampleSession, playback, rung } from '../../src/analysis/timeline/example.testing.ts';
import { checkSession } from '../../src/telemetry/schema/readSession.ts';

const step = (durationMs: number, downKbps: number | null) => ({
  durationMs,
  downKbps,
  upKbps: null,
  rttMs: 20,
  lossDown: 0,
  lossUp: 0,
});

test.each([
  ['the last step goes on', [step(2000, 100), step(1000, 200)], [100, 100, 200, 200, 200]],
  ['a second has the rate at its beginning', [step(1500, 100), step(1000, 200)], [100, 100, 200, 200, 200]],
  [
    'steps within a second are passed over',
    [step(500, 100), step(200, 150), step(9000, null)],
    [100, null, null, null, null],
  ],
] as const)('the rate of a link by second: %s', (_what, steps, rates) =>
  expect(ratesBySecond(steps, 5)).toEqual(rates),
);

test('a log with another viewer is valid, and names the log of that viewer', () => {
  const log = exampleSession([playback(500, 'playing'), rung(500, 1), playback(3000, 'stopped')]);
  const other = { ...log, id: 'a.beside-1' };
  const beside = besideFlows(log, []).environment.beside!;
  const run = withPlayers(beside, [other], [step(60_000, 3000)]);
  expect(run.players).toMatchObject([
    {
      log: 'a.beside-1.json',
      rule: 'throughput',
      transport: 'h3-only',
      bitrateKbpsBySecond: [null, 1000, 1000],
    },
  ]);
  expect(run.linkKbpsBySecond).toEqual([3000, 3000, 3000]);
  const read = checkSession({ ...log, environment: { ...log.environment, beside: run } });
  expect(read.ok ? 'valid' : read.error).toBe('valid');
  expect(withPlayers(beside, [], [])).toBe(beside);
});
