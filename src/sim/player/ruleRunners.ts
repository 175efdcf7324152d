import { createPauses } from '../../abr/ruleInput.ts';
import type { Answer, MediaType, Moment, RuleEvent } from '../../abr/rule.ts';
import { createRuleRunner, type RuleRunner } from '../../abr/runner.ts';
import type { Track } from '../content.ts';
import { knownFromStart } from '../log/simEvents.ts';
import type { Scene } from '../model.ts';
import type { PlayerLog } from './playerLog.ts';

/** The rule at work, once per track. It receives its inputs as in the player: the ladder and the sizes first. */
export interface RuleRunners {
  /** Something that concerns every track. */
  tellAll(event: RuleEvent, atMs: number): void;
  /** A track's connection work ended: what comes after is a pause. */
  busyUntil(mediaType: MediaType, atMs: number): void;
  /**
   * Reports the pause before the question to the rule, if there was one, then asks. Throws what the rule throws, and
   * one sentence when it answers a rung that is not there.
   */
  ask(mediaType: MediaType, moment: Moment): Answer;
}

export function createRuleRunners(
  { rule, content, seed }: Scene,
  live: boolean,
  log: PlayerLog | null,
): RuleRunners {
  const runners = new Map<MediaType, RuleRunner>();
  const pauses = createPauses();
  const tell = (mediaType: MediaType, event: RuleEvent, atMs: number): void => {
    log?.log.input(mediaType, event, atMs);
    runners.get(mediaType)!.tell(event);
  };
  const begin = (mediaType: MediaType, track: Track): void => {
    const context = { mediaType, ladder: track.ladder, segmentMs: track.segmentMs, live, seed };
    // In a laboratory a rule that fails ends the session: nobody should compare what it did not decide.
    const onFault = (thrown: unknown): never => {
      throw thrown;
    };
    runners.set(mediaType, createRuleRunner(rule, context, onFault));
    for (const event of knownFromStart(track)) tell(mediaType, event, 0);
  };
  begin('video', content.video);
  if (content.audio) begin('audio', content.audio);
  return {
    tellAll(event, atMs) {
      for (const mediaType of runners.keys()) tell(mediaType, event, atMs);
    },
    busyUntil: pauses.busyUntil,
    ask(mediaType, moment) {
      const idle = pauses.before(mediaType, moment.nowMs);
      if (idle) tell(mediaType, idle, moment.nowMs);
      const answer = runners.get(mediaType)!.ask(moment);
      const { ladder } = mediaType === 'audio' && content.audio ? content.audio : content.video;
      if (ladder[answer.rung] === undefined)
        throw new Error(
          `The rule ${rule.id} chose rung ${answer.rung}; the rungs are 0 to ${ladder.length - 1}.`,
        );
      log?.asked(mediaType, moment, answer);
      return answer;
    },
  };
}
