import type { Rule } from '../abr/rule.ts';
import type { RateTrace } from '../network/rateTrace.ts';
import type { Entry } from '../registry.ts';
import type { SessionLog } from '../telemetry/schema/sessionLog.ts';
import type { Content } from './content.ts';

/** One simulated session: what plays, over what, decided by whom. */
export interface Scene {
  readonly trace: RateTrace;
  readonly content: Content;
  readonly rule: Rule;
  readonly seed: number;
}

/** What became of a session, as far as every QoE needs it. The log has the rest. */
export interface Outcome {
  /** Rung of each video segment that was played, in order. */
  readonly rungs: Uint8Array;
  /** Time that playback stood still for each of them, ms. Of the first it is the join time, no stall. */
  readonly waitMs: Float64Array;
  /** Number of stalls after the first frame. */
  readonly stalls: number;
  /** From the request of the first segment to the end of the last one's download, ms. */
  readonly durationMs: number;
}

/** A level of detail. Both play the same scene, give the same kind of outcome and write the same kind of log. */
export interface SimModel extends Entry {
  /** What it models and what not, in a line for `--help`. */
  readonly meaning: string;
  simulate(scene: Scene): Outcome;
  /** The same session, with its log. The outcome is equal to that of `simulate`. */
  record(scene: Scene): { readonly outcome: Outcome; readonly log: SessionLog };
}
