import { expect, it } from 'vitest';
import { envivio } from '../../src/sim/envivio.ts';
import { refuseScene } from '../../src/sim/model.ts';
import { fixed } from '../../src/abr/rules/fixed.ts';
import { audioBeside, simInputs } from './simInputs.ts';
import { headNotes } from './simTable.ts';
import { traceNetworks } from './traceNetworks.ts';

it('puts segments of one bitrate beside those of the video', () => {
  const { video, audio } = audioBeside(envivio, 96);
  expect(video).toBe(envivio.video);
  // 96 kbit/s for 4 s.
  expect(audio).toMatchObject({ segmentMs: 4000, segments: 48, ladder: [{ bitrateKbps: 96 }] });
  expect(new Set(audio!.sizesBytes[0])).toEqual(new Set([48_000]));
  const trace = { name: 't', endMs: [1000], rateKbps: [1], rttMs: null, startMs: 0 };
  const floats = { endMs: Float64Array.from(trace.endMs), rateKbps: Float64Array.from(trace.rateKbps) };
  expect(() =>
    refuseScene({ trace: { ...trace, ...floats }, content: audioBeside(envivio, 96), rule: fixed, seed: 1 }),
  ).not.toThrow();
});

it('says where no level of the video fits a network: all rules are then equal', async () => {
  const head = async (profile: string): Promise<string> => {
    const inputs = await simInputs({
      rules: 'lowest',
      traces: [`profile:${profile}`],
      video: 'envivio',
      qoe: 'lin',
      model: 'chunk',
      seed: 1,
      jobs: 1,
      optimum: false,
    });
    return headNotes(inputs, traceNetworks([profile]));
  };
  expect(await head('dvl')).toContain(
    'dvl: no level of this video fits this network: it carries at most 256 kbit/s, and the lowest level has 300 kbit/s',
  );
  expect(await head('3g')).not.toContain('no level');
});

it('leaves a video alone where none is asked for, and refuses one that has its own', () => {
  expect(audioBeside(envivio, undefined)).toBe(envivio);
  expect(() => audioBeside(audioBeside(envivio, 64), 96)).toThrow(
    'envivio: --audio needs a video without audio; this one has its own.',
  );
});
