import type { Protocol } from '../transport/protocol.ts';

/** What the page states above the charts. Rungs are 0-based here; people see them from 1. */
export interface KeyFigures {
  /** Video rendered at the moment asked for. */
  readonly bitrateNowKbps: Figure;
  /** Mean bitrate, weighted by the time each rung was on screen while playing. */
  readonly bitrateMeanKbps: Figure;
  readonly rungNow: Figure;
  /** Rungs of the video ladder; 0 while there is none. */
  readonly rungCount: number;
  readonly heightNow: Figure;
  readonly bufferNowMs: Figure;
  readonly bufferTargetMs: Figure;
  /** Mean buffer level, weighted by time. */
  readonly bufferMeanMs: Figure;
  /** How far playback is behind the live edge; null in the past and where nothing is live. */
  readonly liveLatencyMs: number | null;
  /** rebuffer / (rebuffer + play), 0 … 1. */
  readonly rebufferRate: Figure;
  readonly rebufferMs: number;
  readonly stallCount: number;
  /** Play requested → first frame playing. */
  readonly joinMs: Figure;
  readonly playedMs: number;
  /** Linear QoE, Mbit/s per segment. */
  readonly qoePerSegment: Figure;
  /** µ of the linear QoE: the ladder's top bitrate in Mbit/s. */
  readonly qoeMu: Figure;
  /** Bytes of media that reached the player, per protocol. */
  readonly mediaBytes: Readonly<Record<Protocol, number>>;
  /** Share of the known bytes of media that came over TCP, 0 … 1. */
  readonly tcpShare: Figure;
  /** Protocol of the last media request that says one. */
  readonly protocolNow: Protocol | null;
  /** Pathway of the last media request that says a protocol; null where nothing chooses between pathways. */
  readonly pathwayNow: string | null;
}

/** A number, or null with one sentence that says why it is not known. */
export type Figure =
  { readonly value: number; readonly why: null } | { readonly value: null; readonly why: string };

export const known = (value: number): Figure => ({ value, why: null });
export const unknown = (why: string): Figure => ({ value: null, why });
/** The value, or the reason when there is none. */
export const figureOf = (value: number | null, why: string): Figure =>
  value === null ? unknown(why) : known(value);
