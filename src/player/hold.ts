import type { FragmentRequest, MediaPlayerClass, RulesContext } from 'dashjs';
import type { CheckedAnswer } from '../abr/checkedAnswer.ts';
import { bufferMsOf } from './dashMoment.ts';
import type { Question } from './question.ts';
import { findProcessor, type Processor, type ScheduleController } from './streamProcessors.ts';

/**
 * Holds requests back until the buffer has fallen to the level that a rule named, then lets the rule be asked again.
 *
 * dash.js has one means for it: `ScheduleController.setTimeToLoadDelay`, which the next media request takes over, whenever
 * that is and whatever it is for. A delay can outlive its reason: no request is made where the stream ends, and the one
 * after a seek takes the delay with it. So a hold is a watch over both places where its delay can be, the schedule and the
 * request that waits inside dash.js. It ends when the delay is in neither (dash.js aborted the request: a seek, another
 * track), and it takes the delay away from either once the buffer is at the level.
 */
export interface Hold {
  /** To be called with each answer, before dash.js makes the request. */
  arrange(
    context: RulesContext,
    question: Pick<Question, 'mediaType' | 'moment'>,
    answer: CheckedAnswer,
  ): void;
  /** False for the same choice again after a hold: the decision that was recorded then still stands. */
  isNews(context: RulesContext, answer: CheckedAnswer): boolean;
  /** Lets whatever waits be decided anew at once (another rule takes over). */
  release(): void;
  clear(): void;
}

const LOOK_EVERY_MS = 50;
/** dash.js keeps a delayed request to itself; ours is taken back and asked for again, so it must not leave before. */
const UNTIL_RELEASED_MS = 24 * 3600 * 1000;

interface Held {
  readonly rung: number;
  /** Stops the watch and leaves no delay in the schedule. A request that waits is left alone. */
  stop(): void;
  /** Has the request that waits decided anew; false when none does. */
  askAgain(): boolean;
}

export function createHold(player: MediaPlayerClass): Hold {
  // One per media type and period: dash.js loads ahead into the next period, with another schedule.
  const holds = new Map<ScheduleController, Held>();

  const watch = (schedule: ScheduleController, question: WatchedQuestion, levelMs: number): Held => {
    let timer: ReturnType<typeof setInterval> | null = null;
    const processor = findProcessor(schedule);
    const held: Held = {
      rung: question.rung,
      stop() {
        if (timer !== null) clearInterval(timer);
        timer = null;
        if (isArmed(schedule)) setDelay(schedule, 0);
      },
      askAgain: () => processor !== null && askAgain(processor),
    };
    timer = setInterval(() => {
      const isHolding = isArmed(schedule) || (processor !== null && waitingRequest(processor) !== null);
      if (isHolding && bufferMsOf(player, question.mediaType) > levelMs) return;
      held.stop();
      // What was asked again keeps its entry: the same answer is no news then.
      if (!held.askAgain()) holds.delete(schedule);
    }, LOOK_EVERY_MS);
    return held;
  };

  const clear = (): void => {
    for (const held of holds.values()) held.stop();
    holds.clear();
  };
  return {
    isNews: (context, { rung }) => holds.get(scheduleOf(context))?.rung !== rung,
    arrange(context, { mediaType, moment }, { rung, holdUntilBufferMs }) {
      const schedule = scheduleOf(context);
      holds.get(schedule)?.stop();
      holds.delete(schedule);
      // dash.js asks without requesting when it is pruning: a delay that no request has taken away is still there.
      setDelay(schedule, 0);
      if (holdUntilBufferMs === null || moment.bufferMs <= holdUntilBufferMs) return;
      setDelay(schedule, UNTIL_RELEASED_MS);
      holds.set(schedule, watch(schedule, { mediaType, rung }, holdUntilBufferMs));
    },
    release() {
      const all = [...holds.values()];
      clear();
      for (const held of all) held.askAgain();
    },
    clear,
  };
}

interface WatchedQuestion extends Pick<Question, 'mediaType'> {
  readonly rung: number;
}

const scheduleOf = (context: RulesContext): ScheduleController =>
  context.getScheduleController() as unknown as ScheduleController;

const setDelay = (schedule: ScheduleController, ms: number): void => schedule.setTimeToLoadDelay(ms);

/** Is our delay still in the schedule, for the next request to take? */
const isArmed = (schedule: ScheduleController): boolean =>
  schedule.getTimeToLoadDelay() === UNTIL_RELEASED_MS;

/** The request that waits inside dash.js' HTTPLoader for our delay to end; one that is on its way is not it. */
function waitingRequest(processor: Processor): FragmentRequest | null {
  const loading = processor.getFragmentModel().getRequests({ state: 'loading' });
  const soonMs = Date.now() + UNTIL_RELEASED_MS / 2;
  return loading.find(({ delayLoadingTime }) => delayLoadingTime > soonMs) ?? null;
}

/** Takes the request that waits back (it never left) and has the same segment decided anew. */
function askAgain(processor: Processor): boolean {
  const waiting = waitingRequest(processor);
  if (!waiting) return false;
  processor.getFragmentModel().abortRequests();
  // The middle of the segment names it whatever the rounding (as dash.js does after a failed download).
  processor.setExplicitBufferingTime(waiting.startTime + waiting.duration / 2);
  processor.getScheduleController().startScheduleTimer(0);
  return true;
}
