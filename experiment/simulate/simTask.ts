import type { RuleText } from '../../node/rules.ts';
import type { RateTrace } from '../../src/network/rateTrace.ts';
import type { Content } from '../../src/sim/content.ts';
import type { PlayerModelSettings } from '../../src/sim/player/playerModelSettings.ts';

/** What all workers of a run know. */
export interface SimTask {
  readonly rules: readonly RuleText[];
  readonly traces: readonly RateTrace[];
  readonly content: Content;
  readonly modelId: string;
  /** Other settings of the player model than its defaults; empty for the chunk model. */
  readonly player: Partial<PlayerModelSettings>;
  readonly qoeId: string;
  readonly seed: number;
  /** Files of session logs, `logFiles[rule][trace]`; null: no logs. */
  readonly logFiles: readonly (readonly string[])[] | null;
  /** Whether logs contain the offline optimum of their trace: it is that of the chunk model. */
  readonly tellsOptimum?: boolean;
}

/** A piece of work: a rule over some traces, or the optimum of some. `to` is not included. */
export interface SimJob {
  /** Index of the rule; null for the optimum. */
  readonly rule: number | null;
  readonly from: number;
  readonly to: number;
}

/** Score of a session. Per-chunk figures leave out the first chunk. */
export interface SessionScore {
  readonly qoePerChunk: number;
  readonly stallSeconds: number;
  readonly stalls: number;
  readonly switches: number;
  readonly meanBitrateKbps: number;
  readonly joinSeconds: number;
}

/** Score of the best policy on a trace. */
export interface OptimumScore {
  readonly qoePerChunk: number;
  readonly upperBoundPerChunk: number;
  /** Rungs of the best policy, segment by segment. */
  readonly rungs: readonly number[];
  /** Duration of the search, ms. */
  readonly searchMs: number;
}

/** Results of a job, in the order of its traces. */
export interface SimDone {
  readonly job: SimJob;
  readonly scores: readonly SessionScore[];
  readonly optima: readonly OptimumScore[];
}

/** Number of sessions in a job: few enough that all cores end together, enough that messages cost nothing. */
const SESSIONS = 8;

/** Returns the jobs of a run. Optima come first, one by one: they take longest, and what is last should be small. */
export function jobsOf({ rules, traces }: Pick<SimTask, 'rules' | 'traces'>, withOptimum: boolean): SimJob[] {
  const optima = withOptimum ? traces.map((_, from) => ({ rule: null, from, to: from + 1 })) : [];
  const sessions = rules.flatMap((_, rule) =>
    Array.from({ length: Math.ceil(traces.length / SESSIONS) }, (_, part) => ({
      rule,
      from: part * SESSIONS,
      to: Math.min((part + 1) * SESSIONS, traces.length),
    })),
  );
  return [...optima, ...sessions];
}
