import type { Parameters } from '../shared/parameters.ts';
import type { Entry } from '../shared/registry.ts';

/**
 * Defines a steering policy: an algorithm that chooses the pathway of the next request. It is the counterpart of a rule,
 * which chooses the rung (`src/abr/rule.ts`).
 *
 *   start(context) → state          is called once for a session
 *   observe(state, event) → state   is called for every event
 *   choose(state, moment) → answer  is called before each media request, and while requests run
 *
 * All three are pure functions: no clock, no randomness, no network. The same object runs in the player, in the
 * simulator and in the replay of a recorded session. A state is plain data and does not grow.
 */
export interface SteeringPolicy<State = unknown> extends Entry {
  /** Names author, title or venue, and year; or says that the policy is ours. */
  readonly paper: string;
  /** Holds the parameters by name, with the unit in the name. The log contains them. */
  readonly parameters: Parameters;
  /** Returns the same policy with other values of some parameters. Throws an Error with one sentence if it cannot. */
  readonly tuned?: (changes: Parameters) => SteeringPolicy<State>;
  start(context: SteeringContext): State;
  observe(state: State, event: SteeringEvent): State;
  choose(state: State, moment: SteeringMoment): SteeringAnswer;
}

/** A base URL from which all files of a stream can be requested. The name is that of DASH content steering. */
export interface Pathway {
  readonly id: string;
  /** What it can carry: `any` offers HTTP/3, `tcp` does not. */
  readonly carries: 'any' | 'tcp';
}

export interface SteeringContext {
  /** At least one. The first is that of the MPD, and is used where nothing speaks against it. */
  readonly pathways: readonly Pathway[];
  readonly seed: number;
}

export type SteeringEvent = RequestEnded | RequestProgress | RequestBegan | NetworkChange;

/** `media` counts as use of a pathway; a `probe` is a request for measurement alone, whose bytes are thrown away. */
export type Purpose = 'media' | 'probe';

/** Reports a request at its start: from here it is in flight. */
export interface RequestBegan {
  readonly kind: 'began';
  readonly atMs: number;
  readonly requestId: string;
  readonly pathway: string;
  readonly purpose: Purpose;
}

/** Reports how much of a running request's body has arrived, at most five times a second, also if it is nothing. */
interface RequestProgress {
  readonly kind: 'progress';
  readonly atMs: number;
  readonly requestId: string;
  /** Bytes of the body that have arrived since the start of this request. */
  readonly bytes: number;
}

export interface RequestEnded {
  readonly kind: 'ended';
  readonly atMs: number;
  readonly requestId: string;
  readonly pathway: string;
  readonly purpose: Purpose;
  readonly outcome: 'ok' | 'aborted' | 'failed';
  /** Bytes of the body that arrived. */
  readonly bytes: number;
  readonly startMs: number;
  /** null if the origin sends no Timing-Allow-Origin, or if no byte arrived. */
  readonly firstByteMs: number | null;
  readonly lastByteMs: number;
  /** ALPN id ("http/1.1", "h2", "h3"); null if unknown. */
  readonly protocol: string | null;
  /** null if unknown. A request on a new connection also waits for its handshakes. */
  readonly connectionReused: boolean | null;
}

/** Reports that the device changed its network: what was measured before says nothing about the new one. */
export interface NetworkChange {
  readonly kind: 'network-change';
  readonly atMs: number;
}

/** Describes the moment of a choice. Unknown values are null. */
export interface SteeringMoment {
  readonly nowMs: number;
  /** The pathway that the last choice named; the first one at the start. */
  readonly pathway: string;
  /** Media ahead of the playhead: the shortest of the buffers of audio and video. */
  readonly bufferMs: number;
  /** Sum of the lowest bitrates of video and audio: with less, playback stalls. */
  readonly lowestKbps: number | null;
  /** Sum of the highest bitrates of video and audio: with more, nothing is gained. */
  readonly highestKbps: number | null;
  readonly running: readonly RunningRequest[];
}

export interface RunningRequest {
  readonly requestId: string;
  readonly pathway: string;
  readonly purpose: Purpose;
  readonly bytes: number;
  /** null before the response headers, or if they announce no length. */
  readonly totalBytes: number | null;
}

export interface SteeringAnswer {
  /** Id of the pathway of the next request. */
  readonly pathway: string;
  /** Gives the reason in one sentence. */
  readonly because: string;
  /** Gives the numbers behind the reason, unit in the name. */
  readonly values?: Readonly<Record<string, number | null>>;
  /** Requests `bytes` of a file of the stream over another pathway, for measurement alone. Ignored while a probe runs. */
  readonly probe?: { readonly pathway: string; readonly bytes: number };
  /** Id of a running probe that has shown enough, and is aborted. */
  readonly endProbe?: string;
  /** Id of a running media request that is aborted, and continued over `pathway` with what is missing of its body. */
  readonly rescue?: string;
  /**
   * With a change of pathway: the ABR rule goes on with the throughput that it has measured so far. Without it, the rule
   * begins with what it knew when `pathway` was last left. For a pathway that is tried again: what it gave before it was
   * left says how bad it was then.
   */
  readonly keepsHistory?: boolean;
}
