import type { Answer, MediaType, Moment, RuleEvent } from '../../abr/rule.ts';
import { createPauses, type PathwayChange } from '../../abr/ruleInput.ts';
import { createRuleRunners, type Offer } from '../../abr/ruleRunners.ts';
import type { Track } from '../content.ts';
import { ruleEvent, tabledSizes } from '../log/simEvents.ts';
import type { Scene } from '../model.ts';
import type { PlayerLog } from './playerLog.ts';

/** The rule at work, once per track. It receives its inputs as in the player: the ladder and the sizes first. */
export interface TrackRunners {
  /** Something that concerns every track. `pathway`: over which it was measured, if over one. */
  tellAll(event: RuleEvent, atMs: number, pathway?: string): void;
  /** The requests to come go over another pathway: see `RuleRunners`. */
  usePathway(change: PathwayChange, atMs: number): void;
  /** A track's connection work ended: what comes after is a pause. */
  busyUntil(mediaType: MediaType, atMs: number): void;
  /**
   * Reports the pause before the question to the rule, if there was one, then asks. Throws what the rule throws, and
   * one sentence when it answers a rung that is not there.
   */
  ask(mediaType: MediaType, moment: Moment): Answer;
}

export function createTrackRunners(scene: Scene, live: boolean, log: PlayerLog | null): TrackRunners {
  const { rule, content, seed } = scene;
  const { video, audio } = content;
  const trackOf = (mediaType: MediaType): Track => (mediaType === 'audio' && audio ? audio : video);
  const offers = { video: offerOf(video), audio: offerOf(audio ?? video) };
  const pauses = createPauses();
  let nowMs = 0;
  const runners = createRuleRunners({
    nowMs: () => nowMs,
    record(mediaType, input) {
      log?.log.input(mediaType, input, nowMs);
      return null;
    },
    isLive: () => live,
    // In a laboratory a rule that fails ends the session: nobody should compare what it did not decide.
    onFault(thrown) {
      throw thrown;
    },
    seed,
    sizesOf: (mediaType) => tabledSizes(trackOf(mediaType), nowMs),
  });
  runners.use(rule);
  runners.begin('video', offers.video);
  if (audio) runners.begin('audio', offers.audio);
  return {
    tellAll(event, atMs, pathway) {
      nowMs = atMs;
      runners.tellAll(event, pathway);
    },
    usePathway(change, atMs) {
      runners.usePathway(change);
      // A replay begins anew where the rule did.
      if (!change.keepsHistory) log?.log.record(ruleEvent(scene, atMs));
    },
    busyUntil: pauses.busyUntil,
    ask(mediaType, moment) {
      ({ nowMs } = moment);
      const idle = pauses.before(mediaType, nowMs);
      if (idle) runners.tell(mediaType, idle);
      const answer = runners.ask(mediaType, offers[mediaType], moment);
      const { ladder } = trackOf(mediaType);
      if (ladder[answer.rung] === undefined)
        throw new Error(
          `The rule ${rule.id} returned the index ${answer.rung}; the levels have the indices 0 to ${ladder.length - 1}.`,
        );
      log?.asked(mediaType, moment, answer);
      return answer;
    },
  };
}

const offerOf = ({ ladder, segmentMs }: Track): Offer => ({ ladder, segmentMs });
