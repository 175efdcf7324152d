import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { WAITING_MS, waitingFacts, waitingReason, watchWaiting } from './waiting.ts';

const NOW = Date.parse('2026-11-01T12:00:00Z');
const reasonFor = (mpd: string) => waitingReason(waitingFacts(mpd), NOW);
const mpd = (attributes: string, inside = '') =>
  `<?xml version="1.0"?>\n<MPD ${attributes}>${inside}<Period/></MPD>`;

describe('what a player waits for that asks for nothing', () => {
  test.each([
    [mpd('type="static"', '<BaseURL>javascript:alert(1)//</BaseURL>'), /begin with "javascript:"/],
    [mpd('type="static"', '<BaseURL serviceLocation="a">\n FILE:///etc/</BaseURL>'), /begin with "FILE:"/],
    [mpd('', '<SegmentTemplate media="ftp://a.test/$Number$.m4s"/>'), /begin with "ftp:"/],
    [mpd('mediaPresentationDuration="-PT10S"'), /lasts -PT10S: there is nothing to play/],
  ])('without hope: %s', (text, sentence) => {
    expect(reasonFor(text)).toMatchObject({ isHopeless: true, sentence: expect.stringMatching(sentence) });
  });

  test.each([
    [
      mpd('type="dynamic" availabilityStartTime="2030-01-01T00:00:00Z"'),
      /has not begun: its manifest is available from 2030-01-01T00:00:00\.000Z/,
    ],
    [mpd('type="dynamic" availabilityStartTime="2020-01-01T00:00:00Z"'), /asks for no segment/],
    [mpd('type="static" availabilityStartTime="2030-01-01T00:00:00Z"'), /asks for no segment/],
    [mpd('', '<BaseURL>https://a.test/x:y/</BaseURL><BaseURL>v/a:b/</BaseURL>'), /asks for no segment/],
    [mpd('', '<SegmentTemplate media="video/$RepresentationID$/$Number$.m4s"/>'), /asks for no segment/],
  ])('with some: %s', (text, sentence) => {
    expect(reasonFor(text)).toMatchObject({ isHopeless: false, sentence: expect.stringMatching(sentence) });
  });

  test('without a manifest nothing is known', () =>
    expect(waitingReason(null, NOW)).toMatchObject({ isHopeless: false }));
});

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function watching() {
  const listeners = new Map<string, (payload: object) => void>();
  const tell = (name: string) => listeners.get(name)?.({ data: {} });
  const state = { inFlight: 0, video: { paused: false, buffered: { length: 0 } } };
  const said: string[] = [];
  watchWaiting({
    player: {
      on: ((name: string, listener: () => void) => void listeners.set(name, listener)) as never,
      off: ((name: string) => void listeners.delete(name)) as never,
    },
    video: state.video as HTMLVideoElement,
    attempts: () => state.inFlight,
    reason: () => ({ sentence: 'why', isHopeless: false }),
    say: ({ sentence }) => void said.push(sentence),
  });
  return { state, said, tell, manifest: () => tell('manifestLoaded') };
}

test('it is said once, some seconds after the last request', () => {
  const { state, said, manifest } = watching();
  manifest();
  state.inFlight = 1;
  vi.advanceTimersByTime(60_000);
  state.inFlight = 0;
  vi.advanceTimersByTime(WAITING_MS - 1000);
  expect(said).toEqual([]);
  vi.advanceTimersByTime(60_000);
  expect(said).toEqual(['why']);
});

test('neither before the manifest, nor while paused, nor once there is media', () => {
  const { state, said, manifest } = watching();
  vi.advanceTimersByTime(60_000);
  manifest();
  state.video.paused = true;
  vi.advanceTimersByTime(60_000);
  state.video.paused = false;
  state.video.buffered.length = 1;
  vi.advanceTimersByTime(60_000);
  state.video.buffered.length = 0;
  vi.advanceTimersByTime(60_000);
  expect(said).toEqual([]);
});

test('not while requests are made, however fast each of them fails', () => {
  const { said, tell, manifest } = watching();
  manifest();
  for (let second = 0; second < 30; second += 1) {
    tell(second % 2 ? 'fragmentLoadingStarted' : 'fragmentLoadingCompleted');
    vi.advanceTimersByTime(1000);
  }
  expect(said).toEqual([]);
  vi.advanceTimersByTime(WAITING_MS);
  expect(said).toEqual(['why']);
});
