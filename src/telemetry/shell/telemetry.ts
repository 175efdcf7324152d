import type { DecisionEvent, Draft, RequestEvent } from '../event.ts';
import type { RequestPurpose } from '../join/requestDraft.ts';
import type { SessionEvent, SessionHeader, SessionLog } from '../schema/sessionLog.ts';
import type { SessionStore } from './store/sessionStore.ts';
import type { SeekBy } from './trackScreen.ts';

/** Controls a running recording, whatever is recorded. */
export interface SessionControl {
  readonly sessionId: string;
  /** Returns the present header; the current part is open. */
  readonly header: () => SessionHeader;
  /** Returns the session time, in ms since `clock.startedAtUnixMs`. */
  nowMs(): number;
  /** Converts a `performance.now()` or Resource Timing value to session time, in ms. */
  sessionMs(performanceMs: number): number;
  /** `id`: of what was kept open under it, which this finishes; absent: a new one. */
  record(draft: Draft, id?: string): SessionEvent;
  /** Keeps the present state of something unfinished: the log has it in its newest state until it is recorded under this id. */
  keepOpen(draft: Draft, id: string): void;
  /** Reports every new event, in recording order. Returns the disposer. */
  subscribe(listener: (event: SessionEvent) => void): () => void;
  /** Returns the unfinished events: requests in flight, an open stall, what was kept open. */
  openEvents(): SessionEvent[];
  /** Returns the whole log, with unfinished events at its end. Works during playback and after `stop`. */
  exportLog(): Promise<SessionLog>;
  /** Closes the current part, writes all remaining events, and removes every listener. */
  stop(): Promise<void>;
}

/** Controls the recording of a dash.js player; `attachTelemetry(player, video, options)` returns it. */
export interface Telemetry extends SessionControl {
  /**
   * Records a decision when its media request begins, with its `requestId`. A newer decision for the same media type,
   * a seek or the end of the session records it with null ('not-applicable').
   */
  decide(
    draft: Omit<Draft<DecisionEvent>, 'requestId' | 'missing'> & { missing?: DecisionEvent['missing'] },
  ): void;
  /** Sends a request without dash.js and records it in the same way. Rejects as `fetch` does. */
  readonly fetch: RecordedFetch;
  /**
   * Says who asks for the next seek, just before it: the viewer, or what the page does by itself (`recovery`). A page need not
   * call it; then a seek in a live stream that no click or key press comes before counts as dash.js' own.
   */
  expectSeek(by: SeekBy): void;
  /** Resolves when no request of the player is in flight. */
  drained(): Promise<void>;
}

/** Controls the recording of an element; `recordElement(video, options)` returns it. */
export interface ElementTelemetry extends SessionControl {
  /**
   * Says who asks for the next seek, just before it: the viewer, or what the page does by itself (`recovery`). A page need not
   * call it; then a seek that no click or key press comes before within 5 s counts as the player's own.
   */
  expectSeek(by: SeekBy): void;
}

export type RecordedFetch = (
  url: string,
  request: Pick<RequestPurpose, 'type'> &
    Partial<Pick<RequestPurpose, 'segment' | 'representationId' | 'periodId'>> & {
      readonly method?: 'GET' | 'HEAD';
      /** "first-last", in bytes. */
      readonly range?: string;
      /** Reports the bytes of the body so far, and the length that the server announced. */
      readonly onProgress?: (bytes: number, totalBytes: number | null) => void;
      /** Called when the request is out. */
      readonly onSent?: (requestId: string) => void;
      readonly headers?: Readonly<Record<string, string>>;
      readonly credentials?: boolean;
      readonly signal?: AbortSignal;
    },
) => Promise<Fetched>;

export interface Fetched {
  readonly status: number;
  /** After redirects. */
  readonly url: string;
  readonly headers: Headers;
  readonly body: ArrayBuffer;
  readonly text: string;
}

/** Options of every recording. */
export interface SessionOptions {
  /** Stores the events; if absent, they stay in memory. */
  readonly store?: SessionStore;
  /** Continues this stored session as a new part. */
  readonly resumeId?: string;
  /** What the page knows; the recorders of other players than dash.js leave out what only the lab or the simulator can know. */
  readonly environment?: Partial<SessionHeader['environment']>;
  /** Keeps query values in recorded URLs. Off by default, so that an export has no signed tokens and CMCD ids. */
  readonly keepQueryValues?: boolean;
}

export interface TelemetryOptions extends SessionOptions {
  /** The pathway of a URL, for sessions with steering; null for a URL of none. */
  readonly pathwayOf?: (url: string) => string | null;
}

export interface ElementOptions extends SessionOptions {
  /**
   * The type of a request by its URL, absolute and with its query; null: it is not one of the stream. Called for each request of a
   * script or a media element when it has ended. Absent: a manifest is what ends on .mpd or .m3u8, media what ends like media.
   */
  readonly typeOf?: (url: string) => RequestEvent['type'] | null;
}
