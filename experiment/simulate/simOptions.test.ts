import { expect, test } from 'vitest';
import { doJob } from './doJob.ts';
import { playerSettingsOf, type PlayerOptions } from './simInputs.ts';
import { envivio } from '../../src/sim/envivio.ts';

/** A steady path of 4 Mbit/s: the first segment of the lowest rung, after its handshake. */
const trace = {
  name: 'steady',
  endMs: Float64Array.of(1e9),
  rateKbps: Float64Array.of(4000),
  rttMs: null,
  startMs: 0,
};

async function joinMsOf(options: PlayerOptions): Promise<number> {
  const task = {
    rules: [{ name: 'lowest', spec: 'lowest', weights: null }],
    traces: [trace],
    content: envivio,
    modelId: 'player',
    qoeId: 'lin',
    seed: 1,
    logFiles: null,
    player: playerSettingsOf(options, 'player'),
  };
  const { scores } = await doJob(task, { rule: 0, from: 0, to: 1 });
  return scores[0]!.joinSeconds * 1000;
}

test('each reaches the model', async () => {
  // Three round trips of 80 ms over h2, two over h3.
  expect((await joinMsOf({ rtt: 180 })) - (await joinMsOf({}))).toBeCloseTo(300, 6);
  expect((await joinMsOf({ protocol: 'h3', rtt: 180 })) - (await joinMsOf({ protocol: 'h3' }))).toBeCloseTo(
    200,
    6,
  );
  expect(playerSettingsOf({ buffer: 60 }, 'player')).toEqual({
    bufferTargetMs: 60_000,
    bufferTargetAtTopMs: 60_000,
  });
});

test('another model gets no player settings, and refuses them', () => {
  expect(playerSettingsOf({}, 'chunk')).toEqual({});
  expect(() => playerSettingsOf({ protocol: 'h1' }, 'chunk')).toThrow('--protocol needs --model player');
  expect(() => playerSettingsOf({ audio: 96 }, 'chunk')).toThrow('--audio needs --model player');
});
