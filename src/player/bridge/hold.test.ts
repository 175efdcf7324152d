import type { MediaPlayerClass, Representation, RulesContext } from 'dashjs';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { CheckedAnswer } from '../../abr/answer.ts';
import { momentOf } from '../../abr/testMoments.testing.ts';
import { createHold, MIN_LEVEL_MS } from './hold.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const choices = ['low', 'high'].map((id) => ({ id }) as Representation);

/** dash.js as far as a hold sees it: a schedule that looks whether its buffer is being pruned before each request. */
function createStage() {
  let bufferMs = 8000;
  let isPruning = false;
  let asked = 0;
  let checksQuality = false;
  let isReset = false;
  let loading: object[] = [];
  const listeners = new Map<string, () => void>();
  const schedule = {
    setShouldCheckPlaybackQuality: (isAsked: boolean) => void (checksQuality = isAsked),
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
  const buffer = { getIsPruningInProgress: () => isPruning };
  const processor = {
    getScheduleController: () => (isReset ? null : schedule),
    getBufferController: () => buffer,
    getFragmentModel: () => ({ getRequests: () => loading }),
  };
  const context = { getScheduleController: () => schedule } as unknown as RulesContext;
  const player = {
    getDashMetrics: () => ({ getCurrentBufferLevel: () => bufferMs / 1000 }),
    on: (type: string, listener: () => void) => void listeners.set(type, listener),
    off: (type: string) => void listeners.delete(type),
  } as unknown as MediaPlayerClass;
  const hold = createHold(player);
  const answer = (holdUntilBufferMs: number | null, rung = 0): CheckedAnswer =>
    ({ rung, holdUntilBufferMs }) as CheckedAnswer;
  return {
    hold,
    /** dash.js asks the rule. */
    ask(level: number | null): void {
      hold.arrange(context, { mediaType: 'video', moment: momentOf({ bufferMs }), choices }, answer(level));
    },
    standing: (among = choices) => hold.standing(context, { choices: among })?.id ?? null,
    isNews: (rung = 0): boolean => hold.isNews(context, answer(null, rung)),
    /** dash.js is about to make a media request (StreamProcessor._onMediaFragmentNeeded). */
    mayRequest: () => !buffer.getIsPruningInProgress(),
    setBuffer: (ms: number) => void (bufferMs = ms),
    prune: () => void (isPruning = true),
    event: (type: string) => listeners.get(type)?.(),
    load: () => void (loading = [{}]),
    reset: () => void (isReset = true),
    asked: () => asked,
    checksQuality: () => checksQuality,
    listeners,
  };
}

type Stage = ReturnType<typeof createStage>;

const wait = (): void => void vi.advanceTimersByTime(200);

describe('a hold', () => {
  test('lets dash.js make no request while the buffer is above the level', () => {
    const stage = createStage();
    stage.ask(5000);
    stage.setBuffer(5001);
    wait();
    expect(stage.mayRequest()).toBe(false);
    stage.setBuffer(5000);
    expect(stage.mayRequest()).toBe(true);
  });

  test('answers for its rule while it stands, as long as that choice is there', () => {
    const stage = createStage();
    stage.ask(5000);
    expect(stage.standing()).toBe('low');
    expect(stage.standing([{ id: 'of another track' } as Representation])).toBeNull();
    stage.setBuffer(5000);
    expect(stage.standing()).toBeNull();
  });

  test('has the rule asked as soon as the buffer is at the level; the same answer is no news', () => {
    const stage = createStage();
    stage.ask(5000);
    expect(stage.mayRequest()).toBe(false);
    wait();
    expect([stage.asked(), stage.checksQuality()]).toEqual([0, false]);
    stage.setBuffer(5000);
    wait();
    expect([stage.asked(), stage.checksQuality()]).toEqual([1, true]);
    expect([stage.isNews(0), stage.isNews(1)]).toEqual([false, true]);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('that dash.js did not come to yet is over without a word: it looks by itself', () => {
    const stage = createStage();
    stage.ask(5000);
    stage.setBuffer(5000);
    wait();
    expect([stage.asked(), vi.getTimerCount()]).toEqual([0, 0]);
  });

  test('is done with once dash.js requests without having asked: the same choice for the next segment is news', () => {
    const stage = createStage();
    stage.ask(5000);
    stage.setBuffer(5000);
    expect(stage.isNews()).toBe(false);
    expect(stage.mayRequest()).toBe(true);
    stage.setBuffer(7000);
    wait();
    expect([stage.isNews(), stage.standing(), vi.getTimerCount()]).toEqual([true, null, 0]);
  });

  test.each([
    ['does not want to wait any more', 8000, null],
    ['asks for a level that the buffer is at', 4900, 5000],
  ])('is gone when the rule is asked again and %s', (_, ms, level) => {
    const stage = createStage();
    stage.ask(5000);
    stage.setBuffer(ms);
    stage.ask(level);
    stage.setBuffer(8000);
    expect(stage.mayRequest()).toBe(true);
  });

  test.each([
    ['seek, wherever that goes', 'playbackSeeking'],
    ['change of the track', 'currentTrackChanged'],
  ])('ends with a %s, and leaves nothing behind', (_, type) => {
    const stage = createStage();
    stage.ask(5000);
    expect(stage.mayRequest()).toBe(false);
    stage.event(type);
    expect([stage.mayRequest(), stage.standing(), vi.getTimerCount()]).toEqual([true, null, 0]);
    expect(stage.isNews()).toBe(true);
  });

  test.each([
    ['went on at the level before the watch looked', (stage: Stage) => stage.mayRequest()],
    ['loads something else', (stage: Stage) => stage.load()],
  ])('does not have dash.js look out of turn where it %s', (_, goOn) => {
    const stage = createStage();
    stage.ask(5000);
    expect(stage.mayRequest()).toBe(false);
    stage.setBuffer(5000);
    goOn(stage);
    wait();
    expect([stage.asked(), vi.getTimerCount()]).toEqual([0, 0]);
  });

  test('ends with its period', () => {
    const stage = createStage();
    stage.ask(5000);
    expect(stage.mayRequest()).toBe(false);
    stage.reset();
    wait();
    expect([stage.asked(), vi.getTimerCount()]).toEqual([0, 0]);
  });

  test('waits for no level that dash.js never lets the buffer fall to', () => {
    const stage = createStage();
    stage.ask(0);
    expect(stage.mayRequest()).toBe(false);
    stage.setBuffer(MIN_LEVEL_MS);
    expect(stage.mayRequest()).toBe(true);
    stage.ask(0);
    expect(stage.standing()).toBeNull();
  });

  test('leaves it to dash.js to prune', () => {
    const stage = createStage();
    stage.ask(5000);
    stage.setBuffer(0);
    stage.prune();
    expect(stage.mayRequest()).toBe(false);
  });

  test.each([
    ['not come to yet', false, 0],
    ['waits for', true, 1],
  ])('that dash.js has %s is over when another rule takes over', (_, waits, asked) => {
    const stage = createStage();
    stage.ask(5000);
    if (waits) stage.mayRequest();
    stage.hold.release();
    expect([stage.mayRequest(), stage.asked(), vi.getTimerCount()]).toEqual([true, asked, 0]);
  });

  test('listens no longer once it is disposed of', () => {
    const stage = createStage();
    stage.ask(5000);
    stage.hold.dispose();
    expect([stage.mayRequest(), stage.listeners.size, vi.getTimerCount()]).toEqual([true, 0, 0]);
  });
});
