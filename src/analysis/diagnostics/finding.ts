import type { Entry } from '../../registry.ts';
import type { SessionEvent, SessionHeader } from '../../telemetry/schema/sessionLog.ts';

/** The contract of this folder. From worst to mildest: cost the viewer something, may mislead, good to know. */
export const SEVERITIES = ['problem', 'warning', 'note'] as const;

export interface Finding {
  /** Stable while the session grows: the same fault keeps its id though its numbers change. */
  readonly id: string;
  readonly severity: (typeof SEVERITIES)[number];
  /** What happened and what it cost, without the final full stop. May hold strings from outside: show it as text. */
  readonly sentence: string;
  /** What to do; null when the log does not tell. */
  readonly fix: string | null;
  /** Session time to look at; null when it concerns the whole session. */
  readonly atMs: number | null;
}

/** One kind of fault. One file each; only what events show becomes a finding, never a guess. */
export interface Diagnostic extends Entry {
  watch(session: SessionFacts): Watch;
}

/** Of one session. Sees each finished event once, in recording order; keeps counts, not events without end. */
export interface Watch {
  see(event: SessionEvent): void;
  findings(open: readonly SessionEvent[]): readonly Finding[];
}

export type SessionFacts = Pick<SessionHeader, 'parts' | 'environment'>;
