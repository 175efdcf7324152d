import type { RuleEvent } from '../../abr/rule.ts';
import type { SessionEvent, SessionLog } from '../../telemetry/schema/sessionLog.ts';
import { downloadInput } from '../../telemetry/downloadInput.ts';

/** An event of a log at the moment at which a rule would have learned of it. */
export interface TimedEvent {
  readonly atMs: number;
  readonly event: SessionEvent;
  /** What a rule of ours receives of it, whatever its media type; null for nothing. */
  readonly input: RuleEvent | null;
}

/** A log by when things became known, not by when they were written: a decision is written with its request. */
export function timedEventsOf(log: SessionLog): TimedEvent[] {
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
