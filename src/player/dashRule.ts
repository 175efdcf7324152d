import type { MediaPlayerClass, Representation, RulesContext } from 'dashjs';
import type { MediaType, Moment, Rule } from '../abr/rule.ts';
import type { Telemetry } from '../telemetry/shell/telemetry.ts';
import { checkedAnswer, type CheckedAnswer } from './checkedAnswer.ts';
import { byBitrate, ladderOf, segmentMsOf } from './dashLadder.ts';
import { momentOf } from './dashMoment.ts';
import { decisionOf } from './decisionOf.ts';
import { createHold } from './hold.ts';
import { faultOf, stay } from './ruleFault.ts';
import { createSeats, type Offer } from './seats.ts';
import { watchForRules } from './watchForRules.ts';

/** Must differ from every built-in class name of dash.js (streaming/rules/abr/*.js). */
export const DASH_RULE_NAME = 'PitwallRule';

/**
 * The one custom rule that dash.js ever sees. It stands for the rule of ours that is in charge, or says "no change"
 * while dash.js' own rules are.
 */
export interface DashRule {
  /** What `player.addABRCustomRule` takes as the rule: a factory that dash.js calls as `rule(context).create()`. */
  readonly factory: () => { create(): DashJsRule };
  /** Puts a rule in charge; null leaves the choice to dash.js' own. */
  use(rule: Rule | null): void;
  dispose(): void;
}

export interface DashJsRule {
  getClassName(): string;
  getSwitchRequest(context: RulesContext): SwitchWish;
}

interface SwitchWish {
  /** null is dash.js' "no change". */
  readonly representation: Representation | null;
  readonly priority: number;
  readonly reason: { readonly rule: string } | null;
  readonly rule: string;
}

/** dash.js SwitchRequest.PRIORITY: DEFAULT 0.5, STRONG 1. Ours is STRONG, so that nothing else overrules it. */
const NO_CHANGE: SwitchWish = { representation: null, priority: 0.5, reason: null, rule: DASH_RULE_NAME };
const STRONG = 1;

export function createDashRule({
  player,
  telemetry,
  seed = 1,
}: {
  player: MediaPlayerClass;
  telemetry: Telemetry;
  seed?: number;
}): DashRule {
  let inCharge: Rule | null = null;
  let newest: DashJsRule | null = null;
  const desk = createDesk({ player, telemetry, seed });
  return {
    factory: () => ({
      create() {
        const instance: DashJsRule = {
          getClassName: () => DASH_RULE_NAME,
          // Should dash.js ever make a second instance, only the newest speaks.
          getSwitchRequest: (context) =>
            inCharge && instance === newest ? desk.decide(inCharge, context) : NO_CHANGE,
        };
        newest = instance;
        return instance;
      },
    }),
    use(rule) {
      inCharge = rule;
      desk.use(rule);
    },
    dispose: desk.dispose,
  };
}

interface Desk {
  decide(rule: Rule, context: RulesContext): SwitchWish;
  use(rule: Rule | null): void;
  dispose(): void;
}

/** Where dash.js' question becomes ours, and our answer dash.js'. */
function createDesk({
  player,
  telemetry,
  seed,
}: {
  player: MediaPlayerClass;
  telemetry: Telemetry;
  seed: number;
}): Desk {
  let ruleId = '';
  const onFault = (thrown: unknown): void =>
    void telemetry.record(faultOf(ruleId, thrown, telemetry.nowMs()));
  const seats = createSeats({ telemetry, isLive: () => player.isDynamic(), onFault, seed });
  const idsByType = new Map<MediaType, readonly string[]>();
  const watch = watchForRules({
    player,
    telemetry,
    rungOf: (mediaType, id) => indexIn(idsByType.get(mediaType) ?? [], id),
    onEvent: seats.tellAll,
  });
  const hold = createHold(player);
  const answerOf = (mediaType: MediaType, offer: Offer, moment: Moment): CheckedAnswer => {
    try {
      const checked = checkedAnswer(seats.ask(mediaType, offer, moment), offer.ladder.length);
      if (checked.ok) return checked.value;
      throw new Error(checked.error);
    } catch (thrown) {
      onFault(thrown);
      return stay(moment, thrown);
    }
  };
  return {
    decide(rule, context) {
      const mediaType = context.getMediaType();
      const choices = choicesOf(context);
      if ((mediaType !== 'video' && mediaType !== 'audio') || choices.length === 0) return NO_CHANGE;
      const ids = choices.map(({ id }) => id);
      idsByType.set(mediaType, ids);
      const offer: Offer = { ladder: ladderOf(choices), segmentMs: segmentMsOf(choices) ?? 0 };
      const lastRung = indexIn(ids, context.getRepresentation()?.id ?? null);
      const nowMs = telemetry.nowMs();
      const moment = momentOf(player, context, { nowMs, mediaType, segmentMs: offer.segmentMs, lastRung });
      const idle = watch.idleBefore(mediaType, nowMs);
      if (idle) seats.tell(mediaType, idle);
      const startedMs = performance.now();
      const answer = answerOf(mediaType, offer, moment);
      const tookMs = performance.now() - startedMs;
      const representation = choices[answer.rung];
      if (!representation) return NO_CHANGE;
      const bitrateKbps = offer.ladder[answer.rung]?.bitrateKbps ?? 0;
      const estimateKbps = player.getAverageThroughput(mediaType);
      if (hold.isNews(mediaType, answer))
        telemetry.decide(
          decisionOf({ ruleId: rule.id, mediaType, moment, answer, bitrateKbps, estimateKbps, tookMs }),
        );
      hold.arrange(context, { mediaType, moment, answer });
      return { representation, priority: STRONG, reason: { rule: rule.id }, rule: DASH_RULE_NAME };
    },
    use(rule) {
      ruleId = rule?.id ?? '';
      hold.clear();
      if (rule) seats.use(rule);
      else seats.clear();
    },
    dispose() {
      hold.clear();
      watch.dispose();
      seats.clear();
    },
  };
}

function choicesOf(context: RulesContext): Representation[] {
  const abr = context.getAbrController();
  return byBitrate(abr.getPossibleVoRepresentationsFilteredBySettings(context.getMediaInfo(), true) ?? []);
}

function indexIn(ids: readonly string[], id: string | null): number | null {
  const index = id === null ? -1 : ids.indexOf(id);
  return index === -1 ? null : index;
}
