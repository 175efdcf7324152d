import type { MediaType } from '../../abr/rule.ts';
import type { DecisionEvent, ToldEvent } from '../../telemetry/event.ts';
import { MEDIA_TYPES, type RuleRun, type RuleRunContext, type Step } from './ruleRun.ts';
import type { RuleSpan } from './ruleSpansOf.ts';

/** The seats of a stint in which a rule of ours was in charge: all that it was told is in the log. */
export function recordedRuns(span: RuleSpan): RuleRun[] {
  return MEDIA_TYPES.map((mediaType) => {
    const told = span.told.filter((event) => event.mediaType === mediaType);
    const decisions = span.decisions.filter((decision) => decision.mediaType === mediaType);
    return { told: 'recorded', context: contextOf(span, mediaType, told), steps: stepsOf(told, decisions) };
  });
}

/** A seat is told its ladder before anything else. */
function contextOf(
  { live, seed }: RuleSpan,
  mediaType: MediaType,
  told: readonly ToldEvent[],
): RuleRunContext | null {
  const first = told[0]?.told;
  if (first?.kind !== 'ladder') return null;
  return { mediaType, ladder: first.ladder, segmentMs: first.segmentMs, live, seed };
}

function stepsOf(told: readonly ToldEvent[], decisions: readonly DecisionEvent[]): Step[] {
  const places = new Map(told.map(({ id }, index) => [id, index]));
  const askedAfter = new Map<number, DecisionEvent[]>();
  for (const decision of decisions) {
    const place = places.get(decision.toldId ?? '') ?? placeByTime(told, decision);
    const asked = askedAfter.get(place) ?? [];
    askedAfter.set(place, asked);
    asked.push(decision);
  }
  const asksAt = (place: number): Step[] => (askedAfter.get(place) ?? []).map(askOf);
  return [
    ...asksAt(-1),
    ...told.flatMap((event, place) => [{ kind: 'told' as const, event: event.told }, ...asksAt(place)]),
  ];
}

const askOf = (decision: DecisionEvent): Step => ({ kind: 'asked', decision, moment: decision.moment });

/** For a log without `toldId`: after all that was told by then. A pause is told when it ends, with the question. */
function placeByTime(told: readonly ToldEvent[], { atMs }: DecisionEvent): number {
  return told.findLastIndex(
    (event) =>
      event.atMs <= atMs || (event.told.kind === 'idle' && event.told.atMs + event.told.durationMs <= atMs),
  );
}
