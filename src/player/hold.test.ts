import type { MediaPlayerClass, RulesContext } from 'dashjs';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createHold } from './hold.ts';
import type { CheckedAnswer } from '../abr/checkedAnswer.ts';
import { momentOf } from '../abr/testMoments.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const HOUR_MS = 3600_000;

interface Request {
  readonly startTime: number;
  readonly duration: number;
  readonly delayLoadingTime: number;
}

/** dash.js as far as a hold sees it: the schedule's delay, which a request takes over, and the requests under way. */
function createStage() {
  let delayMs = 0;
  let bufferMs = 8000;
  let loading: Request[] = [];
  let asked = 0;
  let from: number | null = null;
  const schedule = {
    getTimeToLoadDelay: () => delayMs,
    setTimeToLoadDelay: (ms: number) => void (delayMs = ms),
    startScheduleTimer: () => void (asked += 1),
    getPlaybackController: () => ({
      getStreamController: () => ({
        getStreams: () => [
          { getStreamProcessors: () => [{ getScheduleController: () => ({}) }] },
          { getStreamProcessors: () => [processor] },
        ],
      }),
    }),
  };
  const processor = {
    getScheduleController: () => schedule,
    getFragmentModel: () => ({
      getRequests: () => loading,
      abortRequests: () => void (loading = []),
    }),
    setExplicitBufferingTime: (seconds: number) => void (from = seconds),
  };
  const context = { getScheduleController: () => schedule } as unknown as RulesContext;
  const player = {
    getDashMetrics: () => ({ getCurrentBufferLevel: () => bufferMs / 1000 }),
  } as unknown as MediaPlayerClass;
  const hold = createHold(player);
  const answer = (holdUntilBufferMs: number | null, rung = 0): CheckedAnswer =>
    ({ rung, holdUntilBufferMs }) as CheckedAnswer;
  return {
    hold,
    /** dash.js asks the rule. */
    ask(level: number | null): void {
      hold.arrange(context, { mediaType: 'video', moment: momentOf({ bufferMs }) }, answer(level));
    },
    isNews: (rung = 0): boolean => hold.isNews(context, answer(null, rung)),
    /** dash.js makes a request, which takes the delay over (StreamProcessor._mediaRequestGenerated). */
    request(startTime = 12): void {
      loading.push({ startTime, duration: 4, delayLoadingTime: Date.now() + delayMs });
      delayMs = 0;
    },
    /** dash.js aborts what loads: a seek, another track. */
    abort: () => void (loading = []),
    setBuffer: (ms: number) => void (bufferMs = ms),
    delayMs: () => delayMs,
    loading: () => loading,
    asked: () => asked,
    from: () => from,
  };
}

const wait = (): void => void vi.advanceTimersByTime(200);

describe('a hold', () => {
  test('delays the next request while the buffer is above the level', () => {
    const stage = createStage();
    stage.ask(5000);
    wait();
    expect(stage.delayMs()).toBeGreaterThan(HOUR_MS);
  });

  test('takes the waiting request back once the buffer is at the level, and has its segment decided anew', () => {
    const stage = createStage();
    stage.ask(5000);
    stage.request(12);
    stage.setBuffer(5001);
    wait();
    expect(stage.loading()).toHaveLength(1);
    stage.setBuffer(5000);
    wait();
    expect([stage.loading(), stage.from(), stage.asked()]).toEqual([[], 14, 1]);
    expect(stage.isNews()).toBe(false);
  });

  test.each([
    ['does not want to wait any more', 8000, null],
    ['asks for a level that the buffer is at', 4900, 5000],
  ])('that no request took over is gone when the rule is asked again and %s', (_, ms, level) => {
    const stage = createStage();
    stage.ask(5000);
    // dash.js was pruning and made no request: nobody has taken the delay away.
    stage.setBuffer(ms);
    stage.ask(level);
    expect(stage.delayMs()).toBe(0);
  });

  test('leaves no delay behind at the end of a stream, where no request follows the answer', () => {
    const stage = createStage();
    stage.ask(5000);
    stage.setBuffer(1000);
    wait();
    expect(stage.delayMs()).toBe(0);
  });

  test('frees a request that took its delay over for another place, as after a seek out of the buffer', () => {
    const stage = createStage();
    stage.ask(5000);
    stage.setBuffer(0);
    // Before the watch looks: dash.js does not ask the rule for the first request after a seek.
    stage.request(0);
    wait();
    expect([stage.loading(), stage.from(), stage.asked(), stage.delayMs()]).toEqual([[], 2, 1, 0]);
  });

  test('does not touch a request that is on its way after a seek aborted the one that waited', () => {
    const stage = createStage();
    stage.ask(5000);
    stage.request(40);
    stage.abort();
    stage.setBuffer(0);
    stage.request(0);
    wait();
    expect(stage.loading()).toHaveLength(1);
    expect(stage.asked()).toBe(0);
    expect(stage.isNews()).toBe(true);
  });

  test('ends with nothing left to watch when the waiting request was aborted', () => {
    const stage = createStage();
    stage.ask(5000);
    stage.request();
    stage.abort();
    wait();
    expect(vi.getTimerCount()).toBe(0);
    expect(stage.isNews()).toBe(true);
  });

  test.each([
    ['not taken over', false],
    ['taken over by a request', true],
  ])('that is %s is over when another rule takes over', (_, requested) => {
    const stage = createStage();
    stage.ask(5000);
    if (requested) stage.request();
    stage.hold.release();
    expect([stage.delayMs(), stage.loading(), stage.asked()]).toEqual([0, [], requested ? 1 : 0]);
    expect(vi.getTimerCount()).toBe(0);
  });
});
