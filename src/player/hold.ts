import type { MediaPlayerClass, RulesContext } from 'dashjs';
import type { MediaType } from '../abr/rule.ts';
import type { CheckedAnswer } from '../abr/checkedAnswer.ts';
import { bufferMsOf } from './dashMoment.ts';
import type { Question } from './question.ts';
import { streamProcessors } from './streamProcessors.ts';

/** Holds requests back until the buffer has fallen to the level that a rule named, then lets the rule be asked again. */
export interface Hold {
  /** To be called with each answer, before dash.js makes the request. */
  arrange(
    context: RulesContext,
    question: Pick<Question, 'mediaType' | 'moment'>,
    answer: CheckedAnswer,
  ): void;
  /** False for the same choice again after a hold: the decision that was recorded then still stands. */
  isNews(mediaType: MediaType, answer: CheckedAnswer): boolean;
  /** Lets whatever waits be decided anew at once (another rule takes over). */
  release(): void;
  clear(): void;
}

const LOOK_EVERY_MS = 50;
/** dash.js keeps a delayed request to itself; ours is taken back and asked for again, so it must not leave before. */
const UNTIL_RELEASED_MS = 24 * 3600 * 1000;

interface Held {
  readonly rung: number;
  readonly timer: ReturnType<typeof setInterval>;
}

export function createHold(player: MediaPlayerClass): Hold {
  const held = new Map<MediaType, Held>();
  const drop = (mediaType: MediaType): void => {
    clearInterval(held.get(mediaType)?.timer);
    held.delete(mediaType);
  };
  const clear = (): void => [...held.keys()].forEach(drop);
  return {
    isNews: (mediaType, { rung }) => held.get(mediaType)?.rung !== rung,
    arrange(context, { mediaType, moment }, { rung, holdUntilBufferMs }) {
      drop(mediaType);
      const delay = (ms: number): void =>
        context.getScheduleController().setTimeToLoadDelay(ms as unknown as object);
      if (holdUntilBufferMs === null || moment.bufferMs <= holdUntilBufferMs) {
        // dash.js asks without requesting when it is pruning: a delay that no request has taken away is still there.
        delay(0);
        return;
      }
      delay(UNTIL_RELEASED_MS);
      const timer = setInterval(() => {
        if (bufferMsOf(player, mediaType) > holdUntilBufferMs) return;
        clearInterval(timer);
        askAgain(player, mediaType);
      }, LOOK_EVERY_MS);
      held.set(mediaType, { rung, timer });
    },
    release() {
      const waiting = [...held.keys()];
      clear();
      for (const mediaType of waiting) askAgain(player, mediaType);
    },
    clear,
  };
}

/** Takes the request that waits inside dash.js' HTTPLoader back (it never left) and has the same segment decided anew. */
function askAgain(player: MediaPlayerClass, mediaType: MediaType): void {
  const processor = streamProcessors(player).find((each) => each.getType() === mediaType);
  const loading = processor?.getFragmentModel().getRequests({ state: 'loading' }) ?? [];
  const waiting = loading.find((request) => request.type === 'MediaSegment');
  if (!processor || !waiting) return;
  processor.getFragmentModel().abortRequests();
  // The middle of the segment names it whatever the rounding (as dash.js does after a failed download).
  processor.setExplicitBufferingTime(waiting.startTime + waiting.duration / 2);
  processor.getScheduleController().startScheduleTimer(0);
}
