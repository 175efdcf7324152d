import { PLAY_REQUESTED, PLAYING } from '../codes.ts';
import { figureOf, type Figure } from '../figure.ts';
import type { KeyFigures } from '../figures.ts';
import { playingSpans, totalMs } from '../playingSpans.ts';
import type { SessionSeries } from '../series.ts';
import { stallsUntil } from '../stallsUntil.ts';

export type PlaybackFigures = Pick<
  KeyFigures,
  'joinMs' | 'playedMs' | 'rebufferMs' | 'rebufferRate' | 'stallCount'
>;

/** Join time, stalls and the share of time spent in them (definitions: Dobrian 2011; QUIC 2017 §6). */
export function playbackFigures(series: SessionSeries, untilMs: number): PlaybackFigures {
  const playedMs = totalMs(playingSpans(series, untilMs));
  const stalls = stallsUntil(series, untilMs);
  const rebufferMs = totalMs(stalls);
  const watchedMs = playedMs + rebufferMs;
  return {
    joinMs: joinFigure(series, untilMs),
    playedMs,
    rebufferMs,
    stallCount: stalls.length,
    rebufferRate: figureOf(watchedMs > 0 ? rebufferMs / watchedMs : null, 'Nothing has played yet.'),
  };
}

function joinFigure({ states }: SessionSeries, untilMs: number): Figure {
  const first = (code: number): number | null => {
    const row = states.columns.state.subarray(0, states.length).indexOf(code);
    const atMs = row === -1 ? Infinity : states.columns.atMs[row]!;
    return atMs <= untilMs ? atMs : null;
  };
  const requestedMs = first(PLAY_REQUESTED);
  const playingMs = first(PLAYING);
  const joinMs = requestedMs === null || playingMs === null ? null : playingMs - requestedMs;
  if (joinMs !== null && joinMs < 0)
    return figureOf(null, 'Playback was already running when recording began.');
  return figureOf(
    joinMs,
    requestedMs === null ? 'Play has not been requested yet.' : 'No frame has played yet.',
  );
}
