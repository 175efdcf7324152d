import { createPauses, MAX_RECENT_EVENTS, segmentsBetween } from '../../abr/ruleInput.ts';
import type { MediaType, Moment, RuleEvent } from '../../abr/rule.ts';
import type { DecisionEvent, LadderEvent, ManifestEvent } from '../../telemetry/event.ts';
import type { SessionLog, SessionEvent } from '../../telemetry/schema/sessionLog.ts';
import { MEDIA_TYPES, type RuleRun, type RuleRunContext, type Step, type RuleSpan } from './ruleRun.ts';
import { downloadInput } from '../../telemetry/downloadInput.ts';

/**
 * The rule runs of a span in which dash.js' own rules decided: what a rule of ours would have received, from the
 * requests, stalls, seeks and ladders of the log. Sizes of segments are unknown to it.
 */
export function derivedRuns(log: SessionLog, span: RuleSpan): RuleRun[] {
  return MEDIA_TYPES.map((mediaType) => derivedRun(log, span, mediaType));
}

interface Known {
  ladder: LadderEvent | null;
  manifest: ManifestEvent | null;
}

function derivedRun(log: SessionLog, span: RuleSpan, mediaType: MediaType): RuleRun {
  const ours = new Set(span.decisions.filter((decision) => decision.mediaType === mediaType));
  const known: Known = { ladder: null, manifest: null };
  const pauses = createPauses();
  const recent: RuleEvent[] = [];
  const steps: Step[] = [];
  let context: RuleRunContext | null = null;
  const tell = (event: RuleEvent): void => void steps.push({ kind: 'input', event });
  const sit = (ladder: LadderEvent): RuleRunContext => {
    const input = ladderInput(ladder);
    tell(input);
    recent.forEach(tell);
    const live = known.manifest?.type === 'dynamic';
    return { mediaType, ladder: input.ladder, segmentMs: input.segmentMs, live, seed: span.seed };
  };
  const remember = (event: RuleEvent): void => {
    recent.push(event);
    if (recent.length > MAX_RECENT_EVENTS) recent.shift();
    if (context) tell(event);
  };
  const ask = (decision: DecisionEvent): void => {
    context ??= known.ladder && sit(known.ladder);
    const pause = pauses.before(mediaType, decision.atMs);
    if (pause && context) tell(pause);
    steps.push({ kind: 'asked', decision, moment: momentOf(decision, known) });
  };
  for (const timed of timedEventsOf(log)) {
    note(timed, { known, mediaType, busyUntil: pauses.busyUntil });
    if (timed.input) remember(timed.input);
    const { event } = timed;
    if (event.kind === 'ladder' && event.mediaType === mediaType && context) tell(ladderInput(event));
    if (event.kind === 'decision' && ours.has(event)) ask(event);
  }
  return { input: 'derived', context, steps };
}

function note(
  { event }: TimedEvent,
  {
    known,
    mediaType,
    busyUntil,
  }: { known: Known; mediaType: MediaType; busyUntil: (mediaType: string, atMs: number) => void },
): void {
  if (event.kind === 'manifest') known.manifest = event;
  if (event.kind === 'ladder' && event.mediaType === mediaType) known.ladder = event;
  if (event.kind === 'request' && event.mediaType !== null)
    busyUntil(event.mediaType, event.lastByteMs ?? event.endMs ?? event.atMs);
}

function ladderInput({ atMs, rungs, segmentMs }: LadderEvent): Extract<RuleEvent, { kind: 'ladder' }> {
  const ladder = rungs.map(({ bitrateKbps, width, height }) => ({ bitrateKbps, width, height }));
  return { kind: 'ladder', atMs, ladder, segmentMs: segmentMs ?? 0 };
}

/** As recorded, with what the player gives our rules and dash.js does not give its own (`player/bridge/dashTerms.ts`). */
function momentOf({ moment, segment }: DecisionEvent, { manifest, ladder }: Known): Moment {
  // dash.js numbers segments within a period, so only of a single period is it a number in the presentation.
  const counted = manifest?.periods === 1;
  return {
    ...moment,
    segment: moment.segment ?? (counted ? segment : null),
    segmentsLeft:
      moment.segmentsLeft ??
      segmentsBetween(
        moment.playheadMs + moment.bufferMs,
        manifest?.durationMs ?? Infinity,
        ladder?.segmentMs ?? 0,
      ),
  };
}

/** An event of a log at the moment at which a rule would have learned of it. */
interface TimedEvent {
  readonly atMs: number;
  readonly event: SessionEvent;
  /** What a rule of ours receives of it, whatever its media type; null for nothing. */
  readonly input: RuleEvent | null;
}

/** A log by when things became known, not by when they were written: a decision is written with its request. */
function timedEventsOf(log: SessionLog): TimedEvent[] {
  const timed = log.events.map((event) => ({ atMs: knownMs(event), event, input: inputOf(event) }));
  // What became known at the very moment of a decision was known to it. The sort is stable.
  return timed.sort((one, other) => one.atMs - other.atMs || rank(one) - rank(other));
}

const rank = ({ event }: TimedEvent): number => (event.kind === 'decision' ? 1 : 0);

function knownMs(event: SessionEvent): number {
  if (event.kind === 'request') return event.endMs ?? event.lastByteMs ?? event.atMs;
  if (event.kind === 'stall') return event.atMs + (event.durationMs ?? 0);
  return event.atMs;
}

function inputOf(event: SessionEvent): RuleEvent | null {
  if (event.kind === 'request') return downloadInput(event, () => null);
  if (event.kind === 'seek') return { kind: 'seek', atMs: event.atMs, toMs: event.toMs };
  if (event.kind === 'stall' && event.durationMs !== null)
    return { kind: 'stall', atMs: event.atMs, durationMs: event.durationMs };
  return null;
}
