import type { CheckedAnswer } from '../../abr/answer.ts';
import { emptyWindow, harmonicMean, rateOf, withRate } from '../../abr/estimators/harmonicMean.ts';
import type { DownloadEvent, MediaType, Rule, RuleEvent, SizesEvent } from '../../abr/rule.ts';
import { createPauses } from '../../abr/ruleInput.ts';
import { copyInput, createRuleRunners, sameOffer } from '../../abr/ruleRunners.ts';
import type { DecisionEvent, Draft } from '../../telemetry/event.ts';
import { createPendingDecisions } from '../../telemetry/recorder/pendingDecisions.ts';
import type { SessionControl } from '../../telemetry/shell/telemetry.ts';
import { answerOf, decisionOf, faultOf, overrideOf, type Asked } from '../bridge/decision.ts';

/** What the user of a rule in a player other than dash.js may set. */
export interface HostOptions {
  /** A recording of the same session: it gets the rule, its inputs and its decisions, so that they can be replayed. */
  readonly telemetry?: Pick<SessionControl, 'record' | 'nowMs' | 'sessionMs'>;
  /** Called with each decision when its request is sent, and with one that led to no request when that is known. */
  readonly onDecision?: (decision: Draft<DecisionEvent>) => void;
  /** Random seed of the rule, a whole number from 0; 1 if absent. */
  readonly seed?: number;
}

/** What an adapter asks: a question, and the sizes that the player knows. */
export interface HostQuestion extends Asked {
  /** Sizes of all segments of a rung, in bytes, and their source; null while the player does not know them. */
  readonly sizesOf: (rung: number) => Pick<SizesEvent, 'from' | 'firstSegment' | 'sizesBytes'> | null;
}

/** A request of a media segment, as the player sends it. */
export interface SentRequest {
  readonly mediaType: MediaType;
  readonly segment: number | null;
  /** In the ladder of the newest question; null for a level that was not offered. */
  readonly rung: number | null;
}

/**
 * A rule of ours at work in a player that is not dash.js: it gets what an adapter tells, and each of its decisions is recorded
 * with the request that it led to. The adapter converts the player's terms, and nothing else.
 */
export interface RuleHost {
  /** Puts another rule in charge, also during playback. */
  use(rule: Rule): void;
  decide(question: HostQuestion): CheckedAnswer;
  /** To be called with each request of a media segment. One for another rung than the rule chose is recorded as the player's. */
  sent(request: SentRequest): void;
  /** Passes an event to the rule; a download also ends a pause. */
  tell(event: RuleEvent): void;
  /** What was decided leads to no request: a seek, or another ladder, came first. */
  release(): void;
  /** kbit/s, for the player's own figures: the harmonic mean of the last five downloads. NaN before the first. */
  estimateKbps(): number;
  nowMs(): number;
  /** Session time of a `performance.now()` value, ms. */
  sessionMs(performanceMs: number): number;
}

const ESTIMATED_FROM = 5;

export function createRuleHost(
  /** As the log names it. */
  player: string,
  options: HostOptions,
  isLive: () => boolean,
): RuleHost {
  const { telemetry, onDecision, seed = 1 } = options;
  const startedMs = performance.now();
  const sessionMs = telemetry?.sessionMs ?? ((performanceMs: number): number => performanceMs - startedMs);
  const nowMs = telemetry?.nowMs ?? ((): number => sessionMs(performance.now()));
  const record = (draft: Draft): string | null => telemetry?.record(draft).id ?? null;
  let ruleId = '';
  let newest: HostQuestion | null = null;
  let known = new Set<number>();
  let window = emptyWindow(ESTIMATED_FROM);
  const estimateKbps = (): number => harmonicMean(window) ?? NaN;
  const onFault = (thrown: unknown): void => void record(faultOf(ruleId, thrown, nowMs()));
  const pauses = createPauses();
  let waiting: Decision | null = null;
  const pending = createPendingDecisions((draft) => {
    const event = telemetry?.record(draft);
    onDecision?.((event as DecisionEvent | undefined) ?? draft);
  });
  const newSizes = (): SizesEvent[] =>
    (newest?.offer.ladder ?? []).flatMap((_, rung) => {
      const sizes = known.has(rung) ? null : newest!.sizesOf(rung);
      if (sizes) known.add(rung);
      return sizes ? [{ kind: 'sizes' as const, atMs: nowMs(), rung, ...sizes }] : [];
    });
  const runners = createRuleRunners({
    nowMs,
    record: (mediaType, input) =>
      record({ kind: 'rule-input', atMs: nowMs(), missing: {}, mediaType, input: copyInput(input) }),
    isLive,
    onFault,
    seed,
    // Called for a new ladder, whose rungs are others.
    sizesOf() {
      known = new Set();
      return newSizes();
    },
  });
  return {
    use(rule) {
      ruleId = rule.id;
      const parameters = { ...rule.parameters };
      record({ kind: 'rule', atMs: nowMs(), missing: {}, rule: rule.id, parameters, seed });
      runners.use(rule);
    },
    decide(question) {
      const { mediaType, moment } = question;
      const isSame = newest !== null && sameOffer(newest.offer, question.offer);
      newest = question;
      const idle = pauses.before(mediaType, moment.nowMs);
      if (idle) runners.tell(mediaType, idle);
      if (isSame) for (const sizes of newSizes()) runners.tell(mediaType, sizes);
      const { answer, tookMs } = answerOf(runners, question, onFault);
      const inputId = runners.inputId(mediaType);
      const decision = decisionOf({
        ruleId,
        question,
        answer,
        inputId,
        estimateKbps: estimateKbps(),
        tookMs,
      });
      pending.decide(decision);
      waiting = { decision, question };
      return answer;
    },
    sent({ mediaType, segment, rung }) {
      if (!waiting) return;
      const { decision, question } = waiting;
      waiting = null;
      if (rung === decision.rung) return void pending.link(mediaType, { id: null, segment });
      pending.release();
      pending.decide(overrideOf(decision, { player, rung, ladder: question.offer.ladder, atMs: nowMs() }));
      pending.link(mediaType, { id: null, segment });
    },
    tell(event) {
      if (event.kind === 'download') {
        pauses.busyUntil(event.mediaType, event.lastByteMs);
        window = withRate(window, rateOf(event) ?? 0);
      }
      runners.tellAll(event);
    },
    release() {
      waiting = null;
      pending.release();
    },
    estimateKbps,
    nowMs,
    sessionMs,
  };
}

interface Decision {
  readonly decision: ReturnType<typeof decisionOf>;
  readonly question: HostQuestion;
}

/** A finished media download of a player, as a rule gets it; null for one that says nothing: no byte, or an unknown level. */
export function downloadOf(
  download: Omit<DownloadEvent, 'kind' | 'rung' | 'protocol' | 'connectionReused'> & {
    readonly rung: number | null;
  },
): DownloadEvent | null {
  const { rung, sizeBytes } = download;
  if (rung === null || !(sizeBytes > 0)) return null;
  // Neither player says which protocol and which connection a request used.
  return { kind: 'download', ...download, rung, protocol: null, connectionReused: null };
}
