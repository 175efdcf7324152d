import { expect, test, vi } from 'vitest';
import { plainRule } from '../../abr/plainRule.testing.ts';
import type { Rule } from '../../abr/rule.ts';
import { createLiveRate } from './liveRate.ts';

const sets: Rule = { ...plainRule, setsPlaybackRate: true };

const SERVICE = { Latency: { target: 2000, max: '6000' }, PlaybackRate: { min: '0.96', max: 1.04 } };

/** A player of a live stream 2.5 s behind its edge, with a target of 2 s. */
function liveWith({
  service = SERVICE as object,
  isDynamic = true,
  latencyS = 2.5,
  targetS = 2,
  rate = 1,
} = {}) {
  const listeners = new Map<string, () => void>();
  const video = { playbackRate: rate };
  const seekToOriginalLive = vi.fn();
  const liveRate = createLiveRate({
    on: (name: string, listener: () => void) => void listeners.set(name, listener),
    off: (name: string) => void listeners.delete(name),
    isDynamic: () => isDynamic,
    isSeeking: () => false,
    getManifest: () => ({ ServiceDescription: [service] }),
    getTargetLiveDelay: () => targetS,
    getCurrentLiveLatency: () => latencyS,
    getVideoElement: () => video,
    seekToOriginalLive,
  } as unknown as Parameters<typeof createLiveRate>[0]);
  return { liveRate, video, seekToOriginalLive, pass: () => listeners.get('playbackTimeUpdated')?.() };
}

test('a rule that sets the rate learns target and limits of the stream, for its video', () => {
  const { liveRate } = liveWith();
  expect(liveRate.momentFor('video')).toBeNull();
  liveRate.use(sets);
  expect(liveRate.momentFor('video')).toEqual({ targetMs: 2000, minRate: 0.96, maxRate: 1.04 });
  expect(liveRate.momentFor('audio')).toBeNull();
  liveRate.use(plainRule);
  expect(liveRate.momentFor('video')).toBeNull();
});

test.each([
  [{}, 0.9, 1.1],
  [{ PlaybackRate: { min: 'slow', max: -3 } }, 0.9, 1.1],
  // A stream cannot ask for a rate that is never 1.
  [{ PlaybackRate: { min: 1.2, max: 0.8 } }, 1, 1],
])('of a stream with %j the limits are %d and %d', (service, minRate, maxRate) => {
  const { liveRate } = liveWith({ service, targetS: NaN });
  liveRate.use(sets);
  expect(liveRate.momentFor('video')).toEqual({ targetMs: null, minRate, maxRate });
});

test('on demand there is nothing to set', () => {
  const { liveRate } = liveWith({ isDynamic: false });
  liveRate.use(sets);
  expect(liveRate.momentFor('video')).toBeNull();
});

test.each([
  { rate: 1, wanted: 1.04, played: 1.04 },
  { rate: 1, wanted: 1.001, played: 1 },
  { rate: 1, wanted: undefined, played: 1 },
  // dash.js waits for media.
  { rate: 0, wanted: 0.96, played: 0 },
])('at $rate, $wanted is wanted: $played', ({ rate, wanted, played }) => {
  const { liveRate, video } = liveWith({ rate });
  liveRate.play(wanted);
  expect(video.playbackRate).toBe(played);
});

test.each([
  { what: 'as far as the stream allows', latencyS: 6.4, service: SERVICE, seeks: 0 },
  { what: 'farther', latencyS: 6.6, service: SERVICE, seeks: 1 },
  { what: '12 s behind the target', latencyS: 13.9, service: {}, seeks: 0 },
  { what: 'farther without a limit of the stream', latencyS: 14.1, service: {}, seeks: 1 },
])('a viewer who is $what behind: $seeks seeks', ({ latencyS, service, seeks }) => {
  const { liveRate, seekToOriginalLive, pass } = liveWith({ latencyS, service });
  pass();
  expect(seekToOriginalLive).not.toHaveBeenCalled();
  liveRate.use(sets);
  pass();
  expect(seekToOriginalLive).toHaveBeenCalledTimes(seeks);
  liveRate.dispose();
  expect(pass()).toBeUndefined();
});
