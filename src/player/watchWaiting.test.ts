import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { WAITING_MS, watchWaiting } from './watchWaiting.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function watching() {
  let tell: (payload: object) => void = () => undefined;
  const state = { inFlight: 0, video: { paused: false, buffered: { length: 0 } } };
  const said: string[] = [];
  watchWaiting({
    player: {
      on: ((_name: string, listener: typeof tell) => void (tell = listener)) as never,
      off: (() => void (tell = () => undefined)) as never,
    },
    video: state.video as HTMLVideoElement,
    requestsInFlight: () => state.inFlight,
    reason: () => ({ sentence: 'why', isHopeless: false }),
    say: ({ sentence }) => void said.push(sentence),
  });
  return { state, said, manifest: () => tell({ data: {} }) };
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
