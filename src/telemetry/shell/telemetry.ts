import type { DecisionEvent, Draft } from '../event.ts';
import type { RequestPurpose } from '../requestDraft.ts';
import type { SessionEvent, SessionHeader, SessionLog } from '../schema/sessionLog.ts';
import type { SessionStore } from './sessionStore.ts';

/** A running recording: what `attachTelemetry(player, video, options)` returns. */
export interface Telemetry {
  readonly sessionId: string;
  /** The header as it stands now (the current part is open). */
  readonly header: () => SessionHeader;
  /** Session time, ms since `clock.startedAtUnixMs`. */
  nowMs(): number;
  /** Session time of a `performance.now()` or Resource Timing value. */
  sessionMs(performanceMs: number): number;
  record(draft: Draft): SessionEvent;
  /**
   * A decision waits for the media request it leads to and is recorded with its `requestId`; a newer decision of
   * the same media type, a seek or the end lets it go with null ('not-applicable').
   */
  decide(
    draft: Omit<Draft<DecisionEvent>, 'requestId' | 'missing'> & { missing?: DecisionEvent['missing'] },
  ): void;
  /** A request past dash.js, recorded like its own. Rejects as fetch does. */
  readonly fetch: RecordedFetch;
  /** Every event, in recording order, from now on. Returns the disposer. */
  subscribe(listener: (event: SessionEvent) => void): () => void;
  /** What is unfinished now: requests in flight, an open stall. */
  openEvents(): SessionEvent[];
  /** The whole log so far, unfinished events at its end. Also works while playing and after `stop`. */
  exportLog(): Promise<SessionLog>;
  /** Resolves when no request of the player is in flight any more. */
  drained(): Promise<void>;
  /** Closes the part, writes what is left, detaches every listener. */
  stop(): Promise<void>;
}

export type RecordedFetch = (
  url: string,
  request: Pick<RequestPurpose, 'type'> &
    Partial<Pick<RequestPurpose, 'segment' | 'representationId' | 'periodId'>> & {
      readonly method?: 'GET' | 'HEAD';
      readonly headers?: Readonly<Record<string, string>>;
      readonly credentials?: boolean;
      readonly signal?: AbortSignal;
    },
) => Promise<FetchedText>;

export interface FetchedText {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

export interface TelemetryOptions {
  /** Where events are kept; in memory when absent. */
  readonly store?: SessionStore;
  /** Continue this stored session as a new part. */
  readonly resumeId?: string;
  readonly environment?: Partial<SessionHeader['environment']>;
  /** Keep query values in recorded URLs. Off: signed tokens and CMCD ids must not leave in an export. */
  readonly keepQueryValues?: boolean;
}
