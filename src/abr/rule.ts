import type { Parameters } from '../shared/parameters.ts';
import type { Entry } from '../shared/registry.ts';
import type { Result } from '../shared/result.ts';
import type { Ladder } from './ladder.ts';

/**
 * Defines an ABR rule: an algorithm that chooses the rung of the next media segment.
 *
 *   start(context) → state          is called once per media type; a new period is a `ladder` event
 *   observe(state, event) → state   is called for every event
 *   decide(state, moment) → answer  is called before each request of a media segment
 *
 * All three are pure functions: no clock, no randomness, no network. The same object runs in the player, in the
 * simulator and in the replay of a recorded session. A decision takes the same time after 24 h as after one minute.
 */
export interface Rule<State = unknown> extends Entry {
  /** Names author, title or venue, and year. Equation numbers are in the code that uses them. */
  readonly paper: string;
  /** Holds the parameters by name, with the unit in the name. The page shows them, and the log contains them. */
  readonly parameters: Parameters;
  /**
   * Returns the same rule with other values of some parameters; absent if the rule has no parameters. Throws an Error
   * with one sentence on an unknown name, a wrong type or an invalid value. `tunableRule` creates it.
   */
  readonly tuned?: (changes: Parameters) => Rule<State>;
  /**
   * Returns a rule that uses the weights in `text`, and loads the code for it. Only for rules that need a file of
   * weights (neural rules): without weights, `start` throws.
   */
  readonly withWeights?: (text: string) => Promise<Result<Rule<State>>>;
  /** Names the file for `withWeights` in `public/`; absent if the user has to provide one. */
  readonly shippedWeights?: string;
  /** Set if the rule chooses the playback rate of live streams (`Answer.playbackRate`). The player then leaves it to the rule. */
  readonly setsPlaybackRate?: true;
  start(context: RuleContext): State;
  observe(state: State, event: RuleEvent): State;
  decide(state: State, moment: Moment): Answer;
}

export type { Parameters };

export type MediaType = 'video' | 'audio';

/** Names the source of the sizes of future segments: index of the file, byte ranges of an HLS playlist, table beside the MPD,
 * HEAD requests, or the simulator's table of the video. */
export type SizeSource = 'sidx' | 'playlist' | 'side-file' | 'head' | 'table';

export interface RuleContext {
  readonly mediaType: MediaType;
  /** Ascending by bitrate, at least one rung. */
  readonly ladder: Ladder;
  readonly segmentMs: number;
  readonly live: boolean;
  readonly seed: number;
  /**
   * Returns the size in bytes of a segment (0-based over the whole presentation) at a rung of the present ladder; null
   * if unknown. Uses the sizes that are known at the time of the call. A `sizes` event precedes every change.
   */
  readonly sizeBytes: (segment: number, rung: number) => number | null;
  /** Returns the source of the known sizes; null if no sizes are known. */
  readonly sizesFrom: () => SizeSource | null;
}

export type RuleEvent = DownloadEvent | StallEvent | SeekEvent | IdleEvent | LadderEvent | SizesEvent;

export interface DownloadEvent {
  readonly kind: 'download';
  readonly mediaType: MediaType;
  readonly segment: number | null;
  readonly rung: number;
  readonly bitrateKbps: number;
  /** Counts the received bytes of the body, also for an aborted download. */
  readonly sizeBytes: number;
  /**
   * Session time of the request. `lastByteMs - startMs` is the download time of the papers. Of a segment that came in chunks
   * while it was made, the waits between its chunks are left out of `lastByteMs`: they say nothing about the network.
   */
  readonly startMs: number;
  /** null if the origin sends no Timing-Allow-Origin. */
  readonly firstByteMs: number | null;
  readonly lastByteMs: number;
  /** ALPN id ("http/1.1", "h2", "h3"); null if unknown. */
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

/** Reports a pause between downloads that the network did not cause (full buffer, paused by the user, a hold). */
export interface IdleEvent {
  readonly kind: 'idle';
  readonly atMs: number;
  readonly durationMs: number;
}

/** Reports a change of the ladder: a new period, or added or removed rungs. */
export interface LadderEvent {
  readonly kind: 'ladder';
  readonly atMs: number;
  readonly ladder: Ladder;
  readonly segmentMs: number;
}

/** Reports new sizes of segments. `context.sizeBytes` returns them from now on, until the next `ladder` event. */
export interface SizesEvent {
  readonly kind: 'sizes';
  readonly atMs: number;
  readonly from: SizeSource;
  readonly rung: number;
  /** 0-based number of the first segment in the list. */
  readonly firstSegment: number;
  /** In bytes; null for a segment of unknown size. */
  readonly sizesBytes: readonly (number | null)[];
}

/** Describes the moment of a decision. Unknown values are null. */
export interface Moment {
  readonly nowMs: number;
  readonly playheadMs: number;
  readonly bufferMs: number;
  /**
   * Limits the buffer: the player waits until the next segment fits, unless the segment is longer (rule of dash.js). A player that
   * keeps more at its top rung gives the smaller limit: no answer of a rule moves it.
   */
  readonly bufferTargetMs: number;
  /** 0-based number of the next segment; null if the player does not know it. */
  readonly segment: number | null;
  readonly segmentsLeft: number | null;
  readonly lastRung: number | null;
  readonly liveLatencyMs: number | null;
  readonly playbackRate: number;
  /**
   * Buffer level of the audio that is loaded beside the video. Absent where the rule is asked about audio, where there is no audio
   * beside the video, and once all audio of the period has arrived: nothing can delay it then.
   */
  readonly audioBufferMs?: number;
  /** Present only where the answer may set the playback rate: for the video of a live stream, with a rule that sets it. */
  readonly live?: LiveMoment;
}

/** What a playback rate is chosen by, and within. */
export interface LiveMoment {
  /** Latency at which the player aims; null if the player does not know it. */
  readonly targetMs: number | null;
  /** At most 1. */
  readonly minRate: number;
  /** At least 1. */
  readonly maxRate: number;
}

export interface Answer {
  readonly rung: number;
  /** Gives the reason in one sentence. A function is called only if the decision is recorded. */
  readonly because: string | (() => string);
  /** Gives the numbers behind the reason, unit in the name. Use a getter if they are expensive: only records read them. */
  readonly values?: Readonly<Record<string, number | null>>;
  /** Delays the request until the buffer has fallen to this level; the rule then decides again (BOLA, SARA). */
  readonly holdUntilBufferMs?: number;
  /** Sets the playback rate until the next answer, within `moment.live`. Absent: it stays as it is. */
  readonly playbackRate?: number;
}
