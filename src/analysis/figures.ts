import type { Figure } from './figure.ts';
import type { Protocol } from './protocol.ts';
import type { SessionSeries } from './series.ts';
import { bitrateFigures } from './figures/bitrate.ts';
import { bufferFigures } from './figures/buffer.ts';
import { playbackFigures } from './figures/playback.ts';
import { transportFigures } from './figures/transport.ts';

/** What the page states above the charts. Rungs are 0-based here; people see them from 1. */
export interface KeyFigures {
  /** Video rendered at the moment asked for. */
  readonly bitrateNowKbps: Figure;
  /** Weighted by the time each rung was on screen while playing. */
  readonly bitrateMeanKbps: Figure;
  readonly rungNow: Figure;
  /** Rungs of the video ladder; 0 while there is none. */
  readonly rungCount: number;
  readonly heightNow: Figure;
  readonly bufferNowMs: Figure;
  readonly bufferTargetMs: Figure;
  /** Weighted by time. */
  readonly bufferMeanMs: Figure;
  /** rebuffer / (rebuffer + play), 0 … 1. */
  readonly rebufferRate: Figure;
  readonly rebufferMs: number;
  readonly stallCount: number;
  /** Play requested → first frame playing. */
  readonly joinMs: Figure;
  readonly playedMs: number;
  /** Linear QoE, Mbit/s per segment. */
  readonly qoePerSegment: Figure;
  /** µ of that QoE: the ladder's top bitrate in Mbit/s. */
  readonly qoeMu: Figure;
  /** Bytes of media that reached the player, per protocol. */
  readonly mediaBytes: Readonly<Record<Protocol, number>>;
  /** Of known bytes, 0 … 1. */
  readonly tcpShare: Figure;
  /** Protocol of the last media request that says one. */
  readonly protocolNow: Protocol | null;
}

/** The key figures of everything up to `untilMs` (by default, up to now). */
export function keyFigures(series: SessionSeries, untilMs: number = series.lastMs): KeyFigures {
  const playback = playbackFigures(series, untilMs);
  return {
    ...playback,
    ...bitrateFigures(series, untilMs, playback),
    ...bufferFigures(series, untilMs),
    ...transportFigures(series, untilMs),
  };
}
