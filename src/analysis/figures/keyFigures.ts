import { type KeyFigures, figureOf, type Figure } from './figure.ts';
import type { SessionSeries } from '../timeline/series.ts';
import { bitrateFigures } from './bitrate.ts';
import { PLAY_REQUESTED, PLAYING, OTHER } from '../timeline/columns.ts';
import { movingSpans, stallsAmong, totalMs, waitsUntil } from '../timeline/spans.ts';
import { bufferTargetAt } from '../timeline/moment.ts';
import { lastRow, rowAfter, valueAt, type Table } from '../timeline/table.ts';
import { protocolFrom, tcpShareOf, type Protocol } from '../transport/protocol.ts';

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

type PlaybackFigures = Pick<KeyFigures, 'joinMs' | 'playedMs' | 'rebufferMs' | 'rebufferRate' | 'stallCount'>;

/** Join time, stalls and the share of time spent in them (definitions: Dobrian 2011; QUIC 2017 §6). */
function playbackFigures(series: SessionSeries, untilMs: number): PlaybackFigures {
  const playedMs = totalMs(movingSpans(series, untilMs));
  const waits = waitsUntil(series, untilMs);
  const rebufferMs = totalMs(waits);
  const watchedMs = playedMs + rebufferMs;
  return {
    joinMs: joinFigure(series, untilMs),
    playedMs,
    rebufferMs,
    stallCount: stallsAmong(waits).length,
    rebufferRate: figureOf(watchedMs > 0 ? rebufferMs / watchedMs : null, 'Nothing has played yet.'),
  };
}

function joinFigure({ states, firstFrameMs }: SessionSeries, untilMs: number): Figure {
  const first = (code: number): number | null => {
    const row = states.columns.state.subarray(0, states.length).indexOf(code);
    const atMs = row === -1 ? Infinity : states.columns.atMs[row]!;
    return atMs <= untilMs ? atMs : null;
  };
  const requestedMs = first(PLAY_REQUESTED);
  const playingMs = firstFrameMs !== null && firstFrameMs <= untilMs ? firstFrameMs : first(PLAYING);
  const joinMs = requestedMs === null || playingMs === null ? null : playingMs - requestedMs;
  if (joinMs !== null && joinMs < 0)
    return figureOf(null, 'Playback was already running when recording began.');
  return figureOf(
    joinMs,
    requestedMs === null ? 'Play has not been requested yet.' : 'No frame has played yet.',
  );
}

type BufferFigures = Pick<KeyFigures, 'bufferNowMs' | 'bufferTargetMs' | 'bufferMeanMs' | 'liveLatencyMs'>;

const NO_SAMPLE = 'The buffer has not been read yet.';

/** Level of the video buffer (of the audio buffer when there is no video). */
function bufferFigures(series: SessionSeries, untilMs: number): BufferFigures {
  const { video, audio } = series.buffer;
  const table = video.length > 0 ? video : audio;
  return {
    bufferNowMs: figureOf(valueAt(table.columns.levelMs, rowAfter(table, untilMs) - 1), NO_SAMPLE),
    bufferTargetMs: figureOf(bufferTargetAt(series, untilMs), 'No decision has named a target yet.'),
    bufferMeanMs: figureOf(meanLevel(table, untilMs), NO_SAMPLE),
    liveLatencyMs: untilMs < series.lastMs ? null : series.liveLatencyMs,
  };
}

/** Time-weighted, so that thinning old samples changes it little. A pause of the sampler weighs 5 s at most. */
function meanLevel(
  table: Table<{ atMs: Float64ArrayConstructor; levelMs: Float32ArrayConstructor }>,
  untilMs: number,
): number | null {
  const { atMs, levelMs } = table.columns;
  const end = rowAfter(table, untilMs);
  let area = 0;
  let weight = 0;
  for (let row = 1; row < end; row += 1) {
    const ms = Math.min(5000, atMs[row]! - atMs[row - 1]!);
    area += (ms * (levelMs[row]! + levelMs[row - 1]!)) / 2;
    weight += ms;
  }
  return weight > 0 ? area / weight : valueAt(levelMs, end - 1);
}

type TransportFigures = Pick<KeyFigures, 'mediaBytes' | 'tcpShare' | 'protocolNow' | 'pathwayNow'>;

/** What carried the media (TCP share: racing paper 2024). */
function transportFigures(series: SessionSeries, untilMs: number): TransportFigures {
  const bytes = mediaBytes(series, untilMs);
  const why =
    bytes.unknown > 0
      ? 'The browser hides the protocol of every media byte so far: see diagnostics.'
      : 'No media has been received yet.';
  return {
    mediaBytes: bytes,
    tcpShare: figureOf(tcpShareOf(bytes), why),
    ...carrierAt(series, untilMs),
  };
}

/** Protocol and pathway of the last media request that says its protocol, or of the last one where none does. */
function carrierAt(
  { requests, pathways }: SessionSeries,
  untilMs: number,
): Pick<KeyFigures, 'protocolNow' | 'pathwayNow'> {
  const { protocol, pathway, lane } = requests.columns;
  const isMedia = (row: number): boolean => lane[row] !== OTHER;
  const isKnown = (row: number): boolean => isMedia(row) && protocolFrom(protocol[row]!) !== 'unknown';
  const known = lastRow(requests, untilMs, isKnown);
  const row = known === -1 ? lastRow(requests, untilMs, isMedia) : known;
  return {
    protocolNow: known === -1 ? null : protocolFrom(protocol[known]!),
    pathwayNow: pathways[pathway[row] ?? 0] || null,
  };
}

type BytesByProtocol = Record<Protocol, number>;

/** Body bytes of audio and video requested by `untilMs`, per protocol; also what failed requests had delivered. */
function mediaBytes({ requests }: SessionSeries, untilMs: number): BytesByProtocol {
  const bytes: BytesByProtocol = { h1: 0, h2: 0, unknown: 0, h3: 0 };
  const { carriedBytes, protocol, lane } = requests.columns;
  const end = rowAfter(requests, untilMs);
  for (let row = 0; row < end; row += 1) {
    const size = carriedBytes[row]!;
    if (lane[row] !== OTHER && size > 0) bytes[protocolFrom(protocol[row]!)] += size;
  }
  return bytes;
}
