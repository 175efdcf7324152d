import type { Entry } from '../registry.ts';
import type { Result } from '../result.ts';
import type { Ladder } from './ladder.ts';

/**
 * The contract of an ABR rule, and the manual of this folder.
 *
 *   start(context) → state          once per media type; a new period is a `ladder` event
 *   observe(state, event) → state   for everything that happens
 *   decide(state, moment) → answer  before each media segment is requested
 *
 * A rule is a pure fold: no clock, no randomness, no network. The same object runs in the player, the simulator
 * and the replay of a recorded session, and a decision costs the same after 24 h as after one minute.
 */
export interface Rule<State = unknown> extends Entry {
  /** Author, title or venue and year; equation numbers go to the code that uses them. */
  readonly paper: string;
  /** The numbers the rule runs with, by name, unit in the name. Shown on the page and written to the log. */
  readonly parameters: Parameters;
  /**
   * The same rule with other values of some parameters; absent where there is nothing to set. Throws one sentence on a
   * name it does not have, a value of another type, or one it cannot run with. `tunableRule.ts` makes it.
   */
  readonly tuned?: (changes: Parameters) => Rule<State>;
  /**
   * Only for a rule that cannot decide before a file is read (the weights of a neural net): makes the rule that can, and
   * loads the code that takes. Without it `start` throws.
   */
  readonly withWeights?: (text: string) => Promise<Result<Rule<State>>>;
  /** The file for `withWeights` that comes with Pitwall, in `public/`; absent where a user has to bring one. */
  readonly shippedWeights?: string;
  start(context: RuleContext): State;
  observe(state: State, event: RuleEvent): State;
  decide(state: State, moment: Moment): Answer;
}

export type Parameters = Readonly<Record<string, number | string | boolean>>;

export type MediaType = 'video' | 'audio';

/** Where sizes of future segments came from: the index of the file, a table beside the MPD, HEAD requests, or a
 * simulator's own table of the video. */
export type SizeSource = 'sidx' | 'side-file' | 'head' | 'table';

export interface RuleContext {
  readonly mediaType: MediaType;
  /** Ascending by bitrate, at least one rung. */
  readonly ladder: Ladder;
  readonly segmentMs: number;
  readonly live: boolean;
  readonly seed: number;
  /**
   * Size of a segment (0-based over the whole presentation) at a rung of the present ladder, in bytes; null when not
   * known. Looks up what is known at the moment of asking: every change of it is a `sizes` event before.
   */
  readonly sizeBytes: (segment: number, rung: number) => number | null;
  /** Where the sizes known now came from; null when there are none. */
  readonly sizesFrom: () => SizeSource | null;
}

export type RuleEvent = DownloadEvent | StallEvent | SeekEvent | IdleEvent | LadderEvent | SizesEvent;

export interface DownloadEvent {
  readonly kind: 'download';
  readonly mediaType: MediaType;
  readonly segment: number | null;
  readonly rung: number;
  readonly bitrateKbps: number;
  /** Body bytes received, also of an aborted download. */
  readonly sizeBytes: number;
  /** Session time at which the request was made; `lastByteMs - startMs` is the papers' download time. */
  readonly startMs: number;
  /** null when the origin hides it (no Timing-Allow-Origin). */
  readonly firstByteMs: number | null;
  readonly lastByteMs: number;
  /** ALPN id ("http/1.1", "h2", "h3"); null when unknown. */
  readonly protocol: string | null;
  readonly connectionReused: boolean | null;
  readonly aborted: boolean;
}

export interface StallEvent {
  readonly kind: 'stall';
  readonly atMs: number;
  readonly durationMs: number;
}

export interface SeekEvent {
  readonly kind: 'seek';
  readonly atMs: number;
  readonly toMs: number;
}

/** A pause between downloads that the network did not cause (full buffer, paused by the user, a hold). */
export interface IdleEvent {
  readonly kind: 'idle';
  readonly atMs: number;
  readonly durationMs: number;
}

/** The ladder changed: a new period, or rungs came or went. */
export interface LadderEvent {
  readonly kind: 'ladder';
  readonly atMs: number;
  readonly ladder: Ladder;
  readonly segmentMs: number;
}

/** Sizes of segments became known. `context.sizeBytes` has them from now on, until a `ladder` event ends them. */
export interface SizesEvent {
  readonly kind: 'sizes';
  readonly atMs: number;
  readonly from: SizeSource;
  readonly rung: number;
  /** 0-based number of the segment that the list begins with. */
  readonly firstSegment: number;
  /** Bytes; null for a segment whose size is not known. */
  readonly sizesBytes: readonly (number | null)[];
}

/** What is true at the moment of a decision. Unknown is null. */
export interface Moment {
  readonly nowMs: number;
  readonly playheadMs: number;
  readonly bufferMs: number;
  /** What the buffer may hold: the player waits until the next segment fits under it, unless it is longer than that (dash.js' rule). */
  readonly bufferTargetMs: number;
  /** 0-based number of the segment to be requested; null when the player cannot tell. */
  readonly segment: number | null;
  readonly segmentsLeft: number | null;
  readonly lastRung: number | null;
  readonly liveLatencyMs: number | null;
  readonly playbackRate: number;
}

export interface Answer {
  readonly rung: number;
  /** One sentence for people; a function is called only when someone records it. */
  readonly because: string | (() => string);
  /** The numbers behind the sentence, unit in the name. A getter where they take work: only records read them. */
  readonly values?: Readonly<Record<string, number | null>>;
  /** Hold the request until the buffer has fallen to this level, then ask again (BOLA, SARA). */
  readonly holdUntilBufferMs?: number;
}
