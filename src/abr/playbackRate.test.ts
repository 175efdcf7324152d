import { expect, test } from 'vitest';
import { choosePlaybackRate, formatPlaybackRate, type LiveForecast } from './playbackRate.ts';

const live = { targetMs: 2000, minRate: 0.9, maxRate: 1.1 };
const forecast = (over: Partial<LiveForecast> = {}): LiveForecast => ({
  live,
  latencyMs: 2000,
  bufferMs: 1500,
  segmentMs: 2000,
  downloadMs: 1500,
  ...over,
});

test.each([
  // latency, buffer, download → rate, by what
  { what: 'at the target', over: {}, rate: 1, by: null },
  { what: 'within 2 % of it', over: { latencyMs: 2039 }, rate: 1, by: null },
  // 100 ms in 2 s
  { what: 'behind it', over: { latencyMs: 2100 }, rate: 1.05, by: 'target' },
  { what: 'far behind it', over: { latencyMs: 6000 }, rate: 1.1, by: 'target' },
  { what: 'ahead of it', over: { latencyMs: 1900 }, rate: 0.95, by: 'target' },
  // the download takes longer than the segment plays: 100 ms in 4 s, and (2500 + 2000 − 500) / 4000 leaves the margin
  {
    what: 'behind it for longer',
    over: { latencyMs: 2100, bufferMs: 2500, downloadMs: 4000 },
    rate: 1,
    by: 'buffer',
  },
  {
    what: 'with 0.9 s of media missing',
    over: { bufferMs: 1000, downloadMs: 2600 },
    rate: 0.962,
    by: 'buffer',
  },
  {
    what: 'with a buffer that nothing saves',
    over: { bufferMs: 200, downloadMs: 9000 },
    rate: 0.9,
    by: 'buffer',
  },
  {
    what: 'without a known target',
    over: { live: { ...live, targetMs: null }, latencyMs: 9000 },
    rate: 1,
    by: null,
  },
  { what: 'without a known latency', over: { latencyMs: null }, rate: 1, by: null },
  {
    what: 'without a known length',
    over: { segmentMs: 0, downloadMs: 0, latencyMs: 9000 },
    rate: 1,
    by: null,
  },
])('$what: $rate', ({ over, rate, by }) => {
  expect(choosePlaybackRate(forecast(over))).toMatchObject({ rate, decidedBy: by });
});

test('the limits of the stream hold', () => {
  const narrow = { ...live, minRate: 0.96, maxRate: 1.04 };
  expect(choosePlaybackRate(forecast({ live: narrow, latencyMs: 9000 })).rate).toBe(1.04);
  expect(choosePlaybackRate(forecast({ live: narrow, latencyMs: 100 })).rate).toBe(0.96);
});

test('it says what it expects: latency and buffer when the next segment is there', () => {
  const choice = choosePlaybackRate(forecast({ latencyMs: 2100 }));
  expect(choice.latencyAfterMs).toBeCloseTo(2000, 6);
  expect(choice.bufferAfterMs).toBeCloseTo(1500 + 2000 - 2100, 6);
  expect(choosePlaybackRate(forecast({ bufferMs: 0, downloadMs: 9000 })).bufferAfterMs).toBe(0);
});

test('and why', () => {
  const say = (over: Partial<LiveForecast>): string =>
    formatPlaybackRate(choosePlaybackRate(forecast(over)), forecast(over));
  expect(say({ latencyMs: 2100 })).toBe('The playback rate is 1.05: the latency is 2.1 s, its target 2.0 s.');
  expect(say({ bufferMs: 1000, downloadMs: 2600 })).toBe(
    'The playback rate is 0.962: the next segment may take 2.6 s, and 1.0 s are buffered.',
  );
  expect(say({})).toBe('The playback rate is 1.');
});
