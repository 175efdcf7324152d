import type { MediaPlayerClass, RulesContext } from 'dashjs';
import type { MediaType, Moment } from '../abr/rule.ts';
import type { CheckedAnswer } from './checkedAnswer.ts';
import { bufferMsOf } from './dashMoment.ts';
import { streamProcessors } from './streamProcessors.ts';

/** Holds requests back until the buffer has fallen to the level that a rule named, then lets the rule be asked again. */
export interface Hold {
  /** To be called with each answer, before dash.js makes the request. */
  arrange(
    context: RulesContext,
    decided: { mediaType: MediaType; moment: Moment; answer: CheckedAnswer },
  ): void;
  /** False for the same choice again after a hold: the decision that was recorded then still stands. */
  isNews(mediaType: MediaType, answer: CheckedAnswer): boolean;
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
    arrange(context, { mediaType, moment, answer }) {
      drop(mediaType);
      const untilMs = answer.holdUntilBufferMs;
      if (untilMs === null || moment.bufferMs <= untilMs) return;
      context.getScheduleController().setTimeToLoadDelay(UNTIL_RELEASED_MS as unknown as object);
      const timer = setInterval(() => {
        if (bufferMsOf(player, mediaType) > untilMs) return;
        clearInterval(timer);
        askAgain(player, mediaType);
      }, LOOK_EVERY_MS);
      held.set(mediaType, { rung: answer.rung, timer });
    },
    clear,
  };
}

/** Takes the request that waits inside dash.js' HTTPLoader back (it never left) and has the same segment decided anew. */
function askAgain(player: MediaPlayerClass, mediaType: MediaType): void {
  const processor = streamProcessors(player).find((each) => each.getType() === mediaType);
  if (!processor) return;
  const waiting = processor.getFragmentModel().getRequests({ state: 'loading' });
  const media = waiting.find((request) => request.type === 'MediaSegment');
  if (!media) return;
  processor.getFragmentModel().abortRequests();
  // The middle of the segment names it whatever the rounding (as dash.js does after a failed download).
  processor.setExplicitBufferingTime(media.startTime + media.duration / 2);
  processor.getScheduleController().startScheduleTimer(0);
}
