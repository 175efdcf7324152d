import type { Rule } from '../abr/rule.ts';
import type { RateTrace } from '../network/rateTrace.ts';
import type { Entry } from '../shared/registry.ts';
import type { SessionLog } from '../telemetry/schema/sessionLog.ts';
import type { Content, Track } from './content.ts';

/** Defines one simulated session: trace, content, rule and random seed. */
export interface Scene {
  readonly trace: RateTrace;
  readonly content: Content;
  readonly rule: Rule;
  readonly seed: number;
}

/** Summarises a session with the values that every QoE model needs. The log has all details. */
export interface Outcome {
  /** Lists the rung of each played video segment, in order. */
  readonly rungs: Uint8Array;
  /** Lists the wait for each of these segments, in ms. For the first segment it is the join time, not a stall. */
  readonly waitMs: Float64Array;
  /** Counts the waits after the first frame that are long enough to be stalls. */
  readonly stalls: number;
  /** Time from the request of the first segment to the end of the last download, in ms. */
  readonly durationMs: number;
}

/** Simulates sessions at one level of detail. All models take the same scene and give the same kind of outcome and log. */
export interface SimModel extends Entry {
  /** Describes the model and its limits in one line for `--help`. */
  readonly meaning: string;
  simulate(scene: Scene): Outcome;
  /** Simulates the same session and also returns its log. The outcome is equal to that of `simulate`. */
  record(scene: Scene): { readonly outcome: Outcome; readonly log: SessionLog };
}

/** An outcome holds a rung in a byte. */
const MAX_RUNGS = 256;

/** Throws one sentence on content that no model can play. Costs nothing: sizes are looked at when they are needed. */
export function refuseScene({ content }: Scene): void {
  refuseTrack(content.name, 'video', content.video);
  if (content.audio) refuseTrack(content.name, 'audio', content.audio);
}

function refuseTrack(name: string, what: string, { ladder, sizesBytes, segments, segmentMs }: Track): void {
  if (ladder.length === 0 || ladder.length > MAX_RUNGS)
    throw new Error(`${name}: a ladder of ${ladder.length} ${what} levels; a model plays 1 to ${MAX_RUNGS}.`);
  if (sizesBytes.length !== ladder.length)
    throw new Error(`${name}: ${ladder.length} ${what} levels, but sizes of ${sizesBytes.length}.`);
  if (!(segments >= 1) || !(segmentMs > 0))
    throw new Error(`${name}: ${segments} ${what} segments of ${segmentMs} ms cannot be played.`);
}
