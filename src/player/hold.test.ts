import type { MediaPlayerClass, RulesContext } from 'dashjs';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createHold } from './hold.ts';
import type { CheckedAnswer } from '../abr/checkedAnswer.ts';
import { momentOf } from '../abr/testMoments.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** dash.js as far as a hold sees it: the delay of the next request, which only a request takes away. */
function stage() {
  let delayMs = 0;
  const schedule = { setTimeToLoadDelay: (ms: number) => void (delayMs = ms) };
  const context = { getScheduleController: () => schedule } as unknown as RulesContext;
  const player = {
    getDashMetrics: () => ({ getCurrentBufferLevel: () => 8 }),
    getActiveStream: () => null,
  } as unknown as MediaPlayerClass;
  const hold = createHold(player);
  const ask = (bufferMs: number, holdUntilBufferMs: number | null): void =>
    hold.arrange(context, { mediaType: 'audio', moment: momentOf({ bufferMs }) }, {
      rung: 0,
      holdUntilBufferMs,
    } as CheckedAnswer);
  return { hold, ask, delayMs: () => delayMs };
}

test('holds the next request back while the buffer is above the level', () => {
  const { hold, ask, delayMs } = stage();
  ask(8000, 5000);
  expect(delayMs()).toBeGreaterThan(3600_000);
  hold.clear();
});

test.each([
  ['it does not want to wait any more', 8000, null],
  ['the buffer has fallen', 4900, 5000],
])(
  'a hold that dash.js never made a request of is over when the rule is asked again and %s',
  (_, ms, level) => {
    const { ask, delayMs } = stage();
    ask(8000, 5000);
    // dash.js was pruning and made no request: nobody has taken the delay away.
    ask(ms, level);
    expect(delayMs()).toBe(0);
  },
);
