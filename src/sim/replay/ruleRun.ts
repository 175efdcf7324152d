import type { MediaType, Moment, RuleContext, RuleEvent } from '../../abr/rule.ts';
import type { DecisionEvent, RuleInUseEvent, RuleInputEvent } from '../../telemetry/event.ts';
import type { SessionLog } from '../../telemetry/schema/sessionLog.ts';

/**
 * One media type of one rule span of the recorded session: the inputs of the rule and its questions, in order. No run
 * depends on another.
 */
export interface RuleRun {
  /** Whether the log contains the rule's inputs, or they are what a rule of ours would have received. */
  readonly input: 'recorded' | 'derived';
  /** null when the log does not say what there was to choose from: then nobody can be asked. */
  readonly context: RuleRunContext | null;
  readonly steps: readonly Step[];
}

export type RuleRunContext = Omit<RuleContext, 'sizeBytes' | 'sizesFrom'>;

export type Step =
  | { readonly kind: 'input'; readonly event: RuleEvent }
  | { readonly kind: 'asked'; readonly decision: DecisionEvent; readonly moment: Moment };

export const MEDIA_TYPES: readonly MediaType[] = ['video', 'audio'];

/** The time that one rule was in charge: from its `rule` event (or the beginning) to the next one. */
export interface RuleSpan {
  readonly startMs: number;
  readonly seed: number;
  /** Whether the stream was live when the first rule runner of the span started. */
  readonly live: boolean;
  readonly input: readonly RuleInputEvent[];
  /** In the order of the log. */
  readonly decisions: readonly DecisionEvent[];
}

/** The seed of the rules' random draws when the log does not say. */
const DEFAULT_SEED = 1;

/**
 * A log by who was in charge. A decision is written when its request is sent, which may be after the next rule took
 * over: `inputId` says where it belongs, or else the time at which it was made.
 */
export function ruleSpansOf(log: SessionLog): RuleSpan[] {
  const open = openedSpans(log);
  const byInput = new Map(open.flatMap((span) => span.input.map(({ id }) => [id, span] as const)));
  for (const event of log.events) {
    if (event.kind !== 'decision') continue;
    const span = byInput.get(event.inputId ?? '') ?? open.findLast(({ startMs }) => startMs <= event.atMs);
    (span ?? open[0])?.decisions.push(event);
  }
  return open;
}

interface OpenSpan extends RuleSpan {
  live: boolean;
  readonly input: RuleInputEvent[];
  readonly decisions: DecisionEvent[];
}

function openedSpans(log: SessionLog): OpenSpan[] {
  let span = newSpan(null);
  const spans = [span];
  let live = false;
  for (const event of log.events) {
    if (event.kind === 'manifest') live = event.type === 'dynamic';
    if (event.kind === 'rule') spans.push((span = newSpan(event)));
    if (event.kind !== 'rule-input') continue;
    if (span.input.length === 0) span.live = live;
    span.input.push(event);
  }
  return spans;
}

function newSpan(rule: RuleInUseEvent | null): OpenSpan {
  const seed = rule?.seed ?? DEFAULT_SEED;
  return { startMs: rule?.atMs ?? 0, seed, live: false, input: [], decisions: [] };
}
