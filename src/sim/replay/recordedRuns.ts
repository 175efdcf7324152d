import type { MediaType } from '../../abr/rule.ts';
import type { DecisionEvent, RuleInputEvent } from '../../telemetry/event.ts';
import { MEDIA_TYPES, type RuleRun, type RuleRunContext, type Step, type RuleSpan } from './ruleRun.ts';

/** The rule runs of a span in which a rule of ours decided: the log contains all its inputs. */
export function recordedRuns(span: RuleSpan): RuleRun[] {
  return MEDIA_TYPES.map((mediaType) => {
    const input = span.input.filter((event) => event.mediaType === mediaType);
    const decisions = span.decisions.filter((decision) => decision.mediaType === mediaType);
    return {
      input: 'recorded',
      context: contextOf(span, mediaType, input),
      steps: stepsOf(input, decisions),
    };
  });
}

/** The first input of a run is its ladder. */
function contextOf(
  { live, seed }: RuleSpan,
  mediaType: MediaType,
  input: readonly RuleInputEvent[],
): RuleRunContext | null {
  const first = input[0]?.input;
  if (first?.kind !== 'ladder') return null;
  return { mediaType, ladder: first.ladder, segmentMs: first.segmentMs, live, seed };
}

function stepsOf(input: readonly RuleInputEvent[], decisions: readonly DecisionEvent[]): Step[] {
  const places = new Map(input.map(({ id }, index) => [id, index]));
  const askedAfter = new Map<number, DecisionEvent[]>();
  for (const decision of decisions) {
    const place = places.get(decision.inputId ?? '') ?? placeByTime(input, decision);
    const asked = askedAfter.get(place) ?? [];
    askedAfter.set(place, asked);
    asked.push(decision);
  }
  const asksAt = (place: number): Step[] => (askedAfter.get(place) ?? []).map(askOf);
  return [
    ...asksAt(-1),
    ...input.flatMap((event, place) => [{ kind: 'input' as const, event: event.input }, ...asksAt(place)]),
  ];
}

const askOf = (decision: DecisionEvent): Step => ({ kind: 'asked', decision, moment: decision.moment });

/** For a log without `inputId`: after all inputs by then. A pause becomes an input when it ends, with the question. */
function placeByTime(input: readonly RuleInputEvent[], { atMs }: DecisionEvent): number {
  return input.findLastIndex(
    (event) =>
      event.atMs <= atMs ||
      (event.input.kind === 'idle' && event.input.atMs + event.input.durationMs <= atMs),
  );
}
