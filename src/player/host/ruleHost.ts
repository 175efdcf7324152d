import type { CheckedAnswer } from '../../abr/answer.ts';
import { emptyWindow, harmonicMean, rateOf, withRate } from '../../abr/estimators/harmonicMean.ts';
import type { DownloadEvent, MediaType, Rule, RuleEvent, SizesEvent } from '../../abr/rule.ts';
import { createPauses } from '../../abr/ruleInput.ts';
import { copyInput, createRuleRunners, sameOffer } from '../../abr/ruleRunners.ts';
import type { DecisionEvent, Draft, RuleInUseEvent } from '../../telemetry/event.ts';
import {
  createPendingDecisions,
  type DecisionDraft,
  type PendingDecisions,
} from '../../telemetry/recorder/pendingDecisions.ts';
import type { SessionEvent } from '../../telemetry/schema/sessionLog.ts';
import { answerOf, decisionOf, faultOf, overrideOf, type Asked } from '../bridge/decision.ts';

/** What a host needs of a recording: those of `@pitwall/telemetry` have it. Its types need no dash.js. */
export interface HostRecording {
  record(draft: Draft): SessionEvent;
  /** Session time, ms. */
  nowMs(): number;
  /** Session time of a `performance.now()` value, ms. */
  sessionMs(performanceMs: number): number;
  /** Takes a decision whose request is about to be sent, and finds that request by itself. Absent: its id stays unknown. */
  decide?(draft: DecisionDraft): void;
}

/** What the user of a rule in a player other than dash.js may set. */
export interface HostOptions {
  /** A recording of the same session: it gets the rule, its inputs and its decisions, so that they can be replayed. */
  readonly telemetry?: HostRecording;
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
  /** Takes the rule off: the player decides. What is told meanwhile is kept for the next rule. */
  rest(): void;
  /** Whether a rule is in charge. */
  decides(): boolean;
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
  const log = createLog(options);
  const { nowMs, sessionMs } = log;
  let ruleId = '';
  let window = emptyWindow(ESTIMATED_FROM);
  const estimateKbps = (): number => harmonicMean(window) ?? NaN;
  const onFault = (thrown: unknown): void => void log.record(faultOf(ruleId, thrown, nowMs()));
  const pauses = createPauses();
  const sizes = createSizes(nowMs);
  let waiting: Decision | null = null;
  const runners = createRuleRunners({
    nowMs,
    record: (mediaType, input) =>
      log.record({ kind: 'rule-input', atMs: nowMs(), missing: {}, mediaType, input: copyInput(input) }),
    isLive,
    onFault,
    seed: seedOf(options),
    // Called for a new ladder, whose rungs are others.
    sizesOf: () => sizes.all(),
  });
  const release = (): void => {
    waiting = null;
    log.decisions.release();
  };
  return {
    use(rule) {
      ruleId = rule.id;
      log.record(inUse(rule, { seed: seedOf(options), atMs: nowMs() }));
      runners.use(rule);
    },
    rest() {
      ruleId = '';
      release();
      runners.clear();
    },
    decides: () => ruleId !== '',
    decide(question) {
      const { mediaType, moment } = question;
      const idle = pauses.before(mediaType, moment.nowMs);
      if (idle) runners.tell(mediaType, idle);
      for (const news of sizes.news(question)) runners.tell(mediaType, news);
      const { answer, tookMs } = answerOf(runners, question, onFault);
      const decision = decisionOf({
        ruleId,
        question,
        answer,
        inputId: runners.inputId(mediaType),
        estimateKbps: estimateKbps(),
        tookMs,
      });
      log.decisions.decide(decision);
      waiting = { decision, question };
      return answer;
    },
    sent({ mediaType, segment, rung }) {
      if (!waiting) return;
      const { decision, question } = waiting;
      waiting = null;
      if (rung !== decision.rung) {
        const { ladder } = question.offer;
        log.decisions.decide(overrideOf(decision, { player, rung, ladder, atMs: nowMs() }));
      }
      log.decisions.link(mediaType, { id: null, segment });
    },
    tell(event) {
      if (event.kind === 'download') {
        pauses.busyUntil(event.mediaType, event.lastByteMs);
        window = withRate(window, rateOf(event) ?? 0);
      }
      runners.tellAll(event);
    },
    release,
    estimateKbps,
    nowMs,
    sessionMs,
  };
}

const inUse = (
  { id, parameters }: Rule,
  { seed, atMs }: { seed: number; atMs: number },
): Draft<RuleInUseEvent> => ({
  kind: 'rule',
  atMs,
  missing: {},
  rule: id,
  parameters: { ...parameters },
  seed,
});

const seedOf = ({ seed = 1 }: HostOptions): number => seed;

interface HostLog extends Pick<RuleHost, 'nowMs' | 'sessionMs'> {
  /** Returns the event's id; null without a recording. */
  record(draft: Draft): string | null;
  readonly decisions: PendingDecisions;
}

function createLog({ telemetry, onDecision }: HostOptions): HostLog {
  const startedMs = performance.now();
  const sessionMs = telemetry?.sessionMs ?? ((performanceMs: number): number => performanceMs - startedMs);
  return {
    sessionMs,
    nowMs: telemetry?.nowMs ?? ((): number => sessionMs(performance.now())),
    record: (draft) => telemetry?.record(draft).id ?? null,
    decisions: createPendingDecisions((draft) => {
      const { requestId: why, ...missing } = draft.missing;
      if (telemetry?.decide && why === 'not-reported') {
        telemetry.decide({ ...draft, missing });
        return onDecision?.(draft);
      }
      const event = telemetry?.record(draft);
      onDecision?.((event as DecisionEvent | undefined) ?? draft);
    }),
  };
}

interface Sizes {
  /** Returns those that the player has learned since the last question; none for a question with another offer. */
  news(question: HostQuestion): readonly SizesEvent[];
  /** Returns all that are known of the newest question's offer. */
  all(): readonly SizesEvent[];
}

function createSizes(nowMs: () => number): Sizes {
  let newest: HostQuestion | null = null;
  let known = new Set<number>();
  const untold = (): SizesEvent[] =>
    (newest?.offer.ladder ?? []).flatMap((_, rung) => {
      const sizes = known.has(rung) ? null : newest!.sizesOf(rung);
      if (sizes) known.add(rung);
      return sizes ? [{ kind: 'sizes' as const, atMs: nowMs(), rung, ...sizes }] : [];
    });
  return {
    news(question) {
      const isSame = newest !== null && sameOffer(newest.offer, question.offer);
      newest = question;
      return isSame ? untold() : [];
    },
    all() {
      known = new Set();
      return untold();
    },
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
