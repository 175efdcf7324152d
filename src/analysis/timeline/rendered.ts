import type { SessionLog } from '../../telemetry/schema/sessionLog.ts';
import { eventsOf, oncePerLog } from './log.ts';
import { playSpans } from './played.ts';
import { renderedSpansOf, type RenderedSpan } from './spans.ts';

/** What was rendered (picture or sound), in time order: the rendered rung while playback ran. */
export const renderedSpans = (log: SessionLog, of: 'video' | 'audio' = 'video'): readonly RenderedSpan[] =>
  of === 'video' ? videoSpans(log) : spansOf(log, of);

const videoSpans = oncePerLog((log) => spansOf(log, 'video'));

function spansOf(log: SessionLog, of: 'video' | 'audio'): RenderedSpan[] {
  const steps = eventsOf(log, 'switch')
    .filter(({ mediaType, phase }) => mediaType === of && phase === 'rendered')
    .sort((one, other) => one.atMs - other.atMs)
    .map(({ atMs, toRung, bitrateKbps }) => ({ atMs, rung: toRung, bitrateKbps }));
  return renderedSpansOf(steps, playSpans(log));
}

/** The video of a whole session as one ladder. */
interface VideoLadder {
  /** Ascending, each once, over all periods and restrictions; also a rendered one that no ladder names. */
  readonly bitratesKbps: readonly number[];
  /**
   * Of the first ladder that says it, else the median of the segments that were asked for: older logs of SegmentBase streams
   * have it nowhere else.
   */
  readonly segmentMs: number | null;
}

/** Null when no video ladder was read. */
export const videoLadder = oncePerLog((log): VideoLadder | null => {
  const ladders = eventsOf(log, 'ladder').filter(({ mediaType }) => mediaType === 'video');
  if (ladders.length === 0) return null;
  const rendered = eventsOf(log, 'switch').filter(
    ({ mediaType, phase }) => mediaType === 'video' && phase === 'rendered',
  );
  const offered = ladders.flatMap(({ rungs }) => rungs);
  const bitratesKbps = [...offered, ...rendered].map((each) => each.bitrateKbps);
  const reported = ladders.find(({ segmentMs }) => segmentMs !== null && segmentMs > 0);
  return {
    bitratesKbps: [...new Set(bitratesKbps)].sort((a, b) => a - b),
    segmentMs: reported?.segmentMs ?? requestedSegmentMs(log),
  };
});

function requestedSegmentMs(log: SessionLog): number | null {
  const lengths = eventsOf(log, 'request')
    .filter(({ mediaType, type }) => mediaType === 'video' && type === 'media')
    .flatMap(({ mediaDurationMs }) =>
      mediaDurationMs !== null && mediaDurationMs > 0 ? [mediaDurationMs] : [],
    )
    .sort((a, b) => a - b);
  return lengths[Math.floor(lengths.length / 2)] ?? null;
}
