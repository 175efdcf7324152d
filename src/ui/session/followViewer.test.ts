import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { valueOf } from '../../shared/result.ts';
import { parseViewerScript } from '../../shared/viewerScript.ts';
import { followViewer } from './followViewer.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Follows a script in a stream of 200 s; `done` says what was done to the run, and at which ms. */
function follow(script: string, play: () => Promise<void> = () => Promise.resolve()) {
  const startMs = Date.now();
  const done: string[] = [];
  const note = (what: string): void => void done.push(`${Date.now() - startMs}: ${what}`);
  const video = { readyState: 0 };
  const state = { phase: 'waiting', isOver: false };
  const run = {
    player: {
      video,
      positionMs: () => 0,
      durationMs: () => (video.readyState === 0 ? null : 200_000),
      seek: (positionMs: number) => note(`seek to ${positionMs}`),
      pause: () => note('pause'),
      play: () => (note('play'), play()),
    },
    phase: () => state.phase,
    stop: () => Promise.resolve(note('leave')),
  };
  const onFault = vi.fn();
  void followViewer(run, valueOf(parseViewerScript(script)), onFault).then(() => (state.isOver = true));
  return { done, video, state, onFault };
}

const pass = (ms: number): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);

it.each([
  ['time-0:seek-to-100', 'seek to 100000'],
  ['time-0:seek-by-10', 'seek to 10000'],
  ['time-0:seek-to-300', 'seek to 200000'],
])('%s waits for the metadata of the stream', async (script, seek) => {
  const { done, video } = follow(script);
  await pass(500);
  expect(done).toEqual([]);
  video.readyState = 1;
  await pass(40);
  expect(done).toEqual([`520: ${seek}`]);
});

it('a run that ends before its metadata is there is left alone', async () => {
  const { done, state } = follow('time-0:seek-to-100,time-1:leave');
  await pass(500);
  state.phase = 'failed';
  await pass(1000);
  expect([done, state.isOver]).toEqual([[], true]);
});

it('a step after a pause comes at its time, also where no frame has come since', async () => {
  const { done } = follow('time-1:pause-2,time-5:leave', () => new Promise(() => {}));
  await pass(6000);
  expect(done).toEqual(['1000: pause', '3000: play', '5000: leave']);
});

it('says why a run could not play on', async () => {
  const fault = new Error('no');
  const { onFault, state } = follow('time-1:pause-2', () => Promise.reject(fault));
  await pass(4000);
  expect([onFault.mock.calls, state.isOver]).toEqual([[[fault]], true]);
});
