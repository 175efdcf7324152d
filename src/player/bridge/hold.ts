import type { MediaPlayerClass, Representation, RulesContext } from 'dashjs';
import type { CheckedAnswer } from '../../abr/answer.ts';
import { findProcessor, type Processor, type ScheduleController } from '../streamProcessors.ts';
import { bufferMsOf, type Question } from './dashTerms.ts';

/**
 * Holds requests back until the buffer has fallen to the level that a rule named, then lets the rule be asked again.
 *
 * Before each media request dash.js looks whether its buffer is being pruned, makes none then, and looks again
 * (StreamProcessor._onMediaFragmentNeeded). A hold answers yes there, for as long as the buffer is above the level and no
 * longer: there is no request that waits and no delay that could outlast what it was for. A seek ends every hold.
 */
interface Hold {
  /** What was chosen when a hold began that still stands: the rule is not asked then. null: it is. */
  standing(context: RulesContext, question: Pick<Question, 'choices'>): Representation | null;
  /** To be called with each answer, before dash.js makes the request. */
  arrange(
    context: RulesContext,
    question: Pick<Question, 'mediaType' | 'moment' | 'choices'>,
    answer: CheckedAnswer,
  ): void;
  /** False for the same choice again after a hold: the decision that was recorded then still stands. */
  isNews(context: RulesContext, answer: CheckedAnswer): boolean;
  /** Lets whatever waits be decided anew at once (another rule takes over). */
  release(): void;
  dispose(): void;
}

/** ms. dash.js by itself looks every 500 ms (scheduling.defaultTimeout); the simulator holds to the millisecond. */
const LOOK_EVERY_MS = 50;
/**
 * ms. Below `buffer.stallThreshold`, 300 ms as shipped, dash.js takes the buffer for empty, and with `syntheticStallEvents` sets
 * the playback rate to 0 (VideoModel.addStalledStream): the buffer never falls to a level under that.
 */
export const MIN_LEVEL_MS = 500;
/** What dash.js loads next is then another question than the one that was answered. */
const NEW_PLACE = ['playbackSeeking', 'currentTrackChanged'];

interface Held {
  readonly mediaType: Question['mediaType'];
  readonly levelMs: number;
  readonly rung: number;
  readonly representationId: string | undefined;
  readonly processor: Processor;
  /** dash.js wanted to make a request, and will only by and by look whether it may. */
  waits: boolean;
  /** The buffer was at the level. What was decided still is no news then. */
  over: boolean;
}

export function createHold(player: MediaPlayerClass): Hold {
  const holds = createHolds(player);
  const guarded = new WeakSet<ScheduleController>();
  const onNewPlace = (): void => void holds.clear();
  for (const type of NEW_PLACE) player.on(type, onNewPlace);
  return {
    standing(context, { choices }) {
      const held = holds.holding(scheduleOf(context));
      return choices.find(({ id }) => id === held?.representationId) ?? null;
    },
    isNews: (context, { rung }) => holds.newest(scheduleOf(context))?.rung !== rung,
    arrange(context, { mediaType, moment, choices }, { rung, holdUntilBufferMs }) {
      const schedule = scheduleOf(context);
      holds.end(schedule);
      const levelMs = Math.max(holdUntilBufferMs ?? Infinity, MIN_LEVEL_MS);
      const processor = moment.bufferMs > levelMs ? findProcessor(schedule) : null;
      if (!processor) return;
      const representationId = choices[rung]?.id;
      holds.begin(schedule, {
        mediaType,
        levelMs,
        rung,
        representationId,
        processor,
        waits: false,
        over: false,
      });
      if (!guarded.has(schedule)) guardRequests(processor, () => holds.isHeld(schedule));
      guarded.add(schedule);
    },
    release() {
      for (const [schedule, held] of holds.clear())
        if (!isGone(schedule, held) && !held.over) askAgain(schedule, held);
    },
    dispose() {
      holds.clear();
      for (const type of NEW_PLACE) player.off(type, onNewPlace);
    },
  };
}

/** The holds of a player, one per media type and period: dash.js loads ahead into the next period, with another schedule. */
interface Holds {
  begin(schedule: ScheduleController, held: Held): void;
  end(schedule: ScheduleController): void;
  /** Ends all, and returns them. */
  clear(): readonly (readonly [ScheduleController, Held])[];
  /** Also one that is over; null when there was none since the last seek. */
  newest(schedule: ScheduleController): Held | null;
  /** The one that stands. */
  holding(schedule: ScheduleController): Held | null;
  /** What dash.js is answered that wants to make a request. */
  isHeld(schedule: ScheduleController): boolean;
}

function createHolds(player: MediaPlayerClass): Holds {
  const all = new Map<ScheduleController, Held>();
  let timer: ReturnType<typeof setInterval> | null = null;
  const newest = (schedule: ScheduleController): Held | null => all.get(schedule) ?? null;
  const holding = (schedule: ScheduleController): Held | null => {
    const held = newest(schedule);
    return held && !held.over && bufferMsOf(player, held.mediaType) > held.levelMs ? held : null;
  };
  const stopLooking = (): void => {
    if (timer !== null) clearInterval(timer);
    timer = null;
  };
  const look = (): void => {
    for (const [schedule, held] of all) {
      if (isGone(schedule, held)) all.delete(schedule);
      else if (!held.over && !holding(schedule)) {
        held.over = true;
        askAgain(schedule, held);
      }
    }
    if ([...all.values()].every(({ over }) => over)) stopLooking();
  };
  return {
    begin(schedule, held) {
      all.set(schedule, held);
      timer ??= setInterval(look, LOOK_EVERY_MS);
    },
    end: (schedule) => void all.delete(schedule),
    clear() {
      const ended = [...all];
      all.clear();
      stopLooking();
      return ended;
    },
    newest,
    holding,
    isHeld(schedule) {
      const stands = holding(schedule) !== null;
      const held = newest(schedule);
      if (held) held.waits = stands;
      // dash.js requests now, also where it did not ask first (after an init segment): the next question is another.
      if (!stands) all.delete(schedule);
      return stands;
    },
  };
}

const scheduleOf = (context: RulesContext): ScheduleController =>
  context.getScheduleController() as unknown as ScheduleController;

/** Its period was played to the end, or the stream was taken away (StreamProcessor.reset). */
const isGone = (schedule: ScheduleController, { processor }: Held): boolean =>
  processor.getScheduleController() !== schedule;

/** From now on no media request is made while `isHeld`. */
function guardRequests(processor: Processor, isHeld: () => boolean): void {
  const buffer = processor.getBufferController();
  const isPruning = buffer.getIsPruningInProgress;
  buffer.getIsPruningInProgress = () => isPruning() || isHeld();
}

/** Has dash.js look at once, and ask for the rung first, where nothing but the hold keeps it; else it comes by itself. */
function askAgain(schedule: ScheduleController, { waits, processor }: Held): void {
  if (!waits || processor.getFragmentModel().getRequests({ state: 'loading' }).length > 0) return;
  schedule.setShouldCheckPlaybackQuality(true);
  schedule.startScheduleTimer(0);
}
