import type { Entry } from '../../shared/registry.ts';
import type { SessionEvent, SessionHeader } from '../../telemetry/schema/sessionLog.ts';

/** Lists the severities from worst to mildest: noticed by the viewer, may mislead, useful to know. */
export const SEVERITIES = ['problem', 'warning', 'note'] as const;

export interface Finding {
  /** Identifies the fault; does not change while the session grows, although its numbers change. */
  readonly id: string;
  readonly severity: (typeof SEVERITIES)[number];
  /** Gives the event and its effect, without the final full stop. Can contain foreign strings: show it only as text. */
  readonly sentence: string;
  /** Gives a remedy; null if the log does not show one. */
  readonly fix: string | null;
  /** Session time of the fault in ms; null if it concerns the whole session. */
  readonly atMs: number | null;
  /** True while it goes on: it is shown first. */
  readonly isCurrent?: boolean;
}

/** Detects one kind of fault. Findings use only recorded events, never a guess. */
export interface Diagnostic extends Entry {
  watch(session: SessionFacts): Watch;
}

/** Watches one session. Gets each finished event once, in recording order. Keeps counts, so that memory is bounded. */
interface Watch {
  see(event: SessionEvent): void;
  findings(open: readonly SessionEvent[]): readonly Finding[];
}

export type SessionFacts = Pick<SessionHeader, 'parts' | 'environment'>;
