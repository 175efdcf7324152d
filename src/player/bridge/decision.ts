import { checkedAnswer, formatThrown, stay, type CheckedAnswer } from '../../abr/answer.ts';
import type { Ladder } from '../../abr/ladder.ts';
import type { MediaType, Moment } from '../../abr/rule.ts';
import type { Offer, RuleRunners } from '../../abr/ruleRunners.ts';
import { errorDraft } from '../../telemetry/errorDraft.ts';
import type { DecisionEvent, Draft, ErrorEvent } from '../../telemetry/event.ts';

/** What any player asks: which rung of this offer, for this media type, at this moment? */
export interface Asked {
  readonly mediaType: MediaType;
  readonly offer: Offer;
  readonly moment: Moment;
}

/** Asks the rule that is active. An answer that cannot be acted on, or none, keeps playback where it is; `onFault` gets why. */
export function answerOf(
  runners: Pick<RuleRunners, 'ask'>,
  { mediaType, offer, moment }: Asked,
  onFault: (thrown: unknown) => void,
): { answer: CheckedAnswer; tookMs: number } {
  const startedMs = performance.now();
  const tookMs = (): number => performance.now() - startedMs;
  try {
    const checked = checkedAnswer(runners.ask(mediaType, offer, moment), offer.ladder.length, moment.live);
    if (!checked.ok) throw new Error(checked.error);
    return { answer: checked.value, tookMs: tookMs() };
  } catch (thrown) {
    onFault(thrown);
    return { answer: stay(moment, thrown), tookMs: tookMs() };
  }
}

/** A decision of ours as the log takes it. `estimateKbps` is as players say it: NaN before the first sample. */
export function decisionOf({
  ruleId,
  question: { mediaType, moment, offer },
  answer,
  inputId,
  estimateKbps,
  tookMs,
}: {
  ruleId: string;
  question: Asked;
  answer: CheckedAnswer;
  inputId: string | null;
  estimateKbps: number;
  tookMs: number;
}): Omit<Draft<DecisionEvent>, 'requestId'> {
  const draft = {
    kind: 'decision' as const,
    atMs: moment.nowMs,
    mediaType,
    segment: moment.segment,
    rule: ruleId,
    fromRung: moment.lastRung,
    rung: answer.rung,
    bitrateKbps: offer.ladder[answer.rung]?.bitrateKbps ?? null,
    holdUntilBufferMs: answer.holdUntilBufferMs,
    ...(answer.playbackRate !== undefined && { playbackRate: answer.playbackRate }),
    because: answer.because,
    values: { ...answer.values },
    votes: [{ rule: ruleId, rung: answer.rung, because: answer.because, asked: true }],
    moment: { ...moment },
    ...(inputId !== null && { inputId }),
    estimateKbps: Number.isFinite(estimateKbps) ? estimateKbps : null,
    tookMs,
  };
  return { ...draft, missing: reasonsOf(draft) };
}

/** Why each of these is null when it is. */
const REASONS = {
  segment: 'not-supported',
  fromRung: 'too-early',
  bitrateKbps: 'not-applicable',
  holdUntilBufferMs: 'not-applicable',
  estimateKbps: 'too-early',
} as const;

function reasonsOf(draft: Pick<DecisionEvent, keyof typeof REASONS>): DecisionEvent['missing'] {
  const names = Object.keys(REASONS) as (keyof typeof REASONS)[];
  return Object.fromEntries(
    names.filter((name) => draft[name] === null).map((name) => [name, REASONS[name]]),
  );
}

/** A player's own choice in place of a rule's, for the log: it loads another rung, or one that was not offered (null). */
export function overrideOf(
  decision: ReturnType<typeof decisionOf>,
  { player, rung, ladder, atMs }: { player: string; rung: number | null; ladder: Ladder; atMs: number },
): ReturnType<typeof decisionOf> {
  const loaded = rung === null ? 'a level that was not offered' : `level ${rung + 1}`;
  const because = `${player} loads ${loaded}, and not level ${(decision.rung ?? 0) + 1}, which the rule chose.`;
  const bitrateKbps = rung === null ? null : (ladder[rung]?.bitrateKbps ?? null);
  const changed = {
    rule: player,
    rung,
    bitrateKbps,
    because,
    values: {},
    holdUntilBufferMs: null,
    tookMs: 0,
  };
  const draft = { ...decision, atMs, ...changed };
  const missing = reasonsOf(draft);
  return { ...draft, missing: { ...missing, ...(rung === null && { rung: 'not-applicable' as const }) } };
}

/** What a rule threw, as an event: its words without a stack, because a log leaves this machine. */
export const faultOf = (ruleId: string, thrown: unknown, atMs: number): Draft<ErrorEvent> =>
  errorDraft({
    atMs,
    source: 'rule',
    code: ruleId,
    message: `The rule ${ruleId} failed: ${formatThrown(thrown)}.`,
  });
