/** What is stored of one session of a viewer. It has no address, no query value and no id in the clear. */
export interface FieldSession {
  /** Salted hash of the session's id. */
  readonly session: string;
  /** Salted hash of the viewer's id; null where the beacon has none. */
  readonly viewer: string | null;
  /** Salted hash of the prefix of the viewer's address; null where it is not known. */
  readonly network: string | null;
  /** Pathway that the id was assigned; null where only the log of assignments knows (switchback). */
  readonly arm: string | null;
  /** Unix time at which the session began, ms, by the viewer's clock. */
  readonly startedMs: number;
  /** Unix time at which the beacon arrived, ms, by the collector's clock. */
  readonly receivedMs: number;
  /** Time to the first frame, ms; null where playback never started. */
  readonly joinMs: number | null;
  readonly playedMs: number;
  readonly stalledMs: number;
  readonly stalls: number;
  /** Mean bitrate over played time; null where playback never started. */
  readonly bitrateKbps: number | null;
  readonly errors: number;
  /** Bytes of media that were received over HTTP/3. */
  readonly h3Bytes: number;
  /** Bytes of media that were received over HTTP/2 or HTTP/1.1. */
  readonly tcpBytes: number;
  /** Pathway with the largest part of the media bytes; null where it is not known. */
  readonly pathway: string | null;
  /** Class of the network, as the operator names it; null where it is not known. */
  readonly networkClass: string | null;
}

/** One answer of the steering server that assigned a session. */
export interface AssignmentRow {
  readonly atMs: number;
  /** Salted hash of the session's id, as in `FieldSession`. */
  readonly session: string;
  readonly viewer: string | null;
  readonly arm: string;
  /** Index of the switchback period in which the session began; null for other units. */
  readonly period: number | null;
}

/** A turn of the kill switch. */
export interface SwitchRow {
  readonly atMs: number;
  readonly killed: boolean;
}

/** Everything that a trial has stored. */
export interface TrialData {
  readonly sessions: readonly FieldSession[];
  readonly assignments: readonly AssignmentRow[];
  readonly switches: readonly SwitchRow[];
}

/** Takes what a trial has stored, row by row; of several beacons of a session the last one counts. */
export interface TrialRows {
  session(row: FieldSession): void;
  assignment(row: AssignmentRow): void;
  turn(row: SwitchRow): void;
}
