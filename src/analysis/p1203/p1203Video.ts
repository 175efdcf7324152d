import { failed, ok, type Result } from '../../shared/result.ts';
import type { LadderEvent } from '../../telemetry/event.ts';
import type { SessionLog } from '../../telemetry/schema/sessionLog.ts';
import { eventsOf } from '../eventsOf.ts';
import { addFrames, noFrames } from '../frameCount.ts';
import { playedMs, playSpans } from '../playSpans.ts';
import { renderedSpans } from '../renderedSpans.ts';
import { watchedSegments, type WatchedSegment } from './watchedSegments.ts';

export interface P1203Video extends WatchedSegment {
  readonly bitrate: number;
  readonly codec: string;
  readonly fps: number;
  readonly resolution: string;
}

type Rung = LadderEvent['rungs'][number];

/** I.13: a segment for each stretch at one rung. `fps` null: counted from the log. */
export function p1203Video(log: SessionLog, fps: number | null): Result<P1203Video[]> {
  const spans = renderedSpans(log);
  if (spans.length === 0) return failed('No video was rendered while it played.');
  const rate = fps ?? countedFps(log);
  if (rate === null) return failed('The browser counted no frames: say how many there are in a second.');
  const rungs = eventsOf(log, 'ladder').flatMap((ladder) =>
    ladder.mediaType === 'video' ? ladder.rungs : [],
  );
  const rungOf = (bitrateKbps: number): Rung | undefined =>
    rungs.find((rung) => rung.bitrateKbps === bitrateKbps);
  for (const { bitrateKbps } of spans) {
    const fault = faultOf(rungOf(bitrateKbps), bitrateKbps);
    if (fault) return failed(fault);
  }
  return ok(
    watchedSegments(spans, ({ bitrateKbps }) => {
      const { width, height, codecs } = rungOf(bitrateKbps)!;
      const codec = codecOf(codecs)!;
      return { bitrate: bitrateKbps, codec, fps: rate, resolution: `${width}x${height}` };
    }),
  );
}

function faultOf(rung: Rung | undefined, bitrateKbps: number): string | null {
  if (!rung) return `No ladder has the rendered rung of ${bitrateKbps} kbit/s.`;
  if (rung.width === null || rung.height === null)
    return `The manifest states no resolution for the rung of ${bitrateKbps} kbit/s.`;
  if (rung.codecs === '') return `The manifest names no codec for the rung of ${bitrateKbps} kbit/s.`;
  return codecOf(rung.codecs) === null
    ? `P.1203 and its codec extension know H.264, H.265 and VP9, not "${rung.codecs}".`
    : null;
}

/** H.264 is what the standard knows; the other two are names of the codec extension of its authors. */
function codecOf(codecs: string): string | null {
  if (/\bavc[13]/.test(codecs)) return 'h264';
  if (/\bh(vc|ev)1/.test(codecs)) return 'h265';
  return /\bvp0?9/.test(codecs) ? 'vp9' : null;
}

/** ms. Shorter stretches between two counts say little: a frame more or less is a twelfth of half a second of 25. */
const MIN_STRETCH_MS = 500;

/**
 * Frames per second to a whole number: the median over the stretches between two counts in which the picture moved all the
 * time. The sum over the session would be too low, because the last count is up to a second old, or too high, because of
 * what was decoded ahead and again after seeks. Where there are no such stretches the sum is all there is.
 */
function countedFps(log: SessionLog): number | null {
  const events = eventsOf(log, 'frames');
  const plays = playSpans(log);
  const rates = events.slice(1).flatMap(({ atMs, decoded }, index) => {
    const before = events[index]!;
    const isWhole = plays.some(({ fromMs, toMs }) => fromMs <= before.atMs && toMs >= atMs);
    const ms = atMs - before.atMs;
    return isWhole && ms >= MIN_STRETCH_MS && decoded > before.decoded
      ? [(1000 * (decoded - before.decoded)) / ms]
      : [];
  });
  const median = rates.sort((a, b) => a - b)[Math.floor(rates.length / 2)];
  const fps = Math.round(median ?? sumFps(log));
  return fps > 0 && Number.isFinite(fps) ? fps : null;
}

function sumFps(log: SessionLog): number {
  const frames = noFrames();
  for (const event of eventsOf(log, 'frames')) addFrames(frames, event);
  return (1000 * frames.decoded) / playedMs(playSpans(log));
}
