import { createPauses, createRecentEvents, type PathwayChange } from '../../abr/ruleInput.ts';
import type { Answer, MediaType, Moment, RuleEvent } from '../../abr/rule.ts';
import { createRuleRunner, type RuleRunner } from '../../abr/runner.ts';
import type { Track } from '../content.ts';
import { knownFromStart, ruleEvent } from '../log/simEvents.ts';
import type { Scene } from '../model.ts';
import type { PlayerLog } from './playerLog.ts';

/** The rule at work, once per track. It receives its inputs as in the player: the ladder and the sizes first. */
export interface RuleRunners {
  /** Something that concerns every track. `pathway`: over which it was measured, if over one. */
  tellAll(event: RuleEvent, atMs: number, pathway?: string): void;
  /**
   * The requests to come go over another pathway. Unless the rule keeps its history, it begins anew at its next question,
   * with the latest events and without the downloads of other pathways, as in the player.
   */
  usePathway(change: PathwayChange, atMs: number): void;
  /** A track's connection work ended: what comes after is a pause. */
  busyUntil(mediaType: MediaType, atMs: number): void;
  /**
   * Reports the pause before the question to the rule, if there was one, then asks. Throws what the rule throws, and
   * one sentence when it answers a rung that is not there.
   */
  ask(mediaType: MediaType, moment: Moment): Answer;
}

export function createRuleRunners(scene: Scene, live: boolean, log: PlayerLog | null): RuleRunners {
  const { rule, content, seed } = scene;
  const recent = createRecentEvents();
  const runners = new Map<MediaType, RuleRunner>();
  const pauses = createPauses();
  const tell = (mediaType: MediaType, event: RuleEvent, atMs: number): void => {
    log?.log.input(mediaType, event, atMs);
    runners.get(mediaType)!.tell(event);
  };
  const begin = (mediaType: MediaType, track: Track, atMs: number): RuleRunner => {
    const context = { mediaType, ladder: track.ladder, segmentMs: track.segmentMs, live, seed };
    // In a laboratory a rule that fails ends the session: nobody should compare what it did not decide.
    const onFault = (thrown: unknown): never => {
      throw thrown;
    };
    const runner = createRuleRunner(rule, context, onFault);
    runners.set(mediaType, runner);
    for (const event of [...knownFromStart(track, atMs), ...recent.ofPresent()]) tell(mediaType, event, atMs);
    return runner;
  };
  begin('video', content.video, 0);
  if (content.audio) begin('audio', content.audio, 0);
  return {
    tellAll(event, atMs, pathway) {
      if (!recent.add(event, pathway)) return;
      for (const mediaType of runners.keys()) tell(mediaType, event, atMs);
    },
    usePathway(change, atMs) {
      recent.use(change);
      if (change.keepsHistory) return;
      runners.clear();
      // A replay begins anew where the rule did.
      log?.log.record(ruleEvent(scene, atMs));
    },
    busyUntil: pauses.busyUntil,
    ask(mediaType, moment) {
      const idle = pauses.before(mediaType, moment.nowMs);
      if (idle && runners.has(mediaType)) tell(mediaType, idle, moment.nowMs);
      const track = mediaType === 'audio' && content.audio ? content.audio : content.video;
      const { ladder } = track;
      const answer = (runners.get(mediaType) ?? begin(mediaType, track, moment.nowMs)).ask(moment);
      if (ladder[answer.rung] === undefined)
        throw new Error(
          `The rule ${rule.id} returned the index ${answer.rung}; the levels have the indices 0 to ${ladder.length - 1}.`,
        );
      log?.asked(mediaType, moment, answer);
      return answer;
    },
  };
}
