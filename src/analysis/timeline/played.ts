import type { EventKind, EventOf } from '../../telemetry/event.ts';
import type { SessionLog } from '../../telemetry/schema/sessionLog.ts';
import { seriesOf } from './appendEvent.ts';
import { eventsOf, logEndMs, oncePerLog } from './log.ts';
import { addMediaSegment, createMediaSegments, medianLengthMs } from './mediaSegments.ts';
import type { SessionSeries } from './series.ts';
import {
  movingSpans,
  renderedSpansOf,
  stallsAmong,
  waitsUntil,
  type RenderedSpan,
  type Span,
} from './spans.ts';

/** When the picture moved in a session. A part ends what played in it: nobody knows what the viewer saw after it. */
export const playSpans = oncePerLog((log): readonly Span[] => {
  const series = seriesOfKinds(log, 'playback', 'stall');
  const gaps = log.parts.flatMap(({ endMs }) => (endMs === null ? [] : [{ fromMs: endMs }]));
  return movingSpans({ ...series, gaps }, logEndMs(log));
});

/** When the picture or the sound of a session stood for want of media, however short, waits after seeks left out, in time order. */
export const waitSpans = oncePerLog((log): readonly Span[] =>
  waitsUntil(seriesOfKinds(log, 'stall'), Infinity),
);

/** Waits of a session that are stalls, in time order. */
export const stallSpans = oncePerLog((log): readonly Span[] => stallsAmong(waitSpans(log)));

/** The series of some kinds of events alone, as long as the log. */
function seriesOfKinds(log: SessionLog, ...kinds: EventKind[]): SessionSeries {
  const series = seriesOf({ parts: log.parts, events: kinds.flatMap((kind) => eventsOf(log, kind)) });
  series.lastMs = logEndMs(log);
  return series;
}

/** Whether a first frame ever played: before it nothing can stall. */
export const hasPlayed = ({ events }: SessionLog): boolean =>
  events.some((event) => event.kind === 'playback' && event.state === 'playing');

/**
 * Says why a session never showed a frame, in the words of its log: those of what ended playback, else of its last error. null
 * where it showed one. For a session without media it says why no object arrived; null where one did.
 */
export function whyNotPlayed(log: SessionLog): string | null {
  if (log.environment.transfer !== undefined) return whyNothingCame(log);
  if (hasPlayed(log)) return null;
  const errors = eventsOf(log, 'error');
  const reported = errors.find(isEndOfPlayback) ?? errors.find(({ fatal }) => fatal) ?? errors.at(-1);
  return reported ? reported.message.replace(/\s+/g, ' ') : 'Nothing was shown, and the log names no error.';
}

function whyNothingCame(log: SessionLog): string | null {
  const requests = eventsOf(log, 'request');
  if (requests.some(({ outcome }) => outcome === 'ok')) return null;
  const outcomes = [...new Set(requests.map(({ outcome }) => outcome ?? 'unknown'))];
  return `No object arrived; its requests ended with: ${outcomes.join(', ') || 'nothing'}.`;
}

/** Whether an error ended playback, before the first frame or after it. */
export const gaveUp = (log: SessionLog): boolean => eventsOf(log, 'error').some(isEndOfPlayback);

/** The player's own sentence on what ended playback (`watchFailures`); dash.js' words for it come before. */
export const isEndOfPlayback = ({ source, code, fatal }: EventOf<'error'>): boolean =>
  fatal && source === 'player' && code === 'ended';

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
  /**
   * Ascending, over all periods and restrictions; each once, or as often as a ladder has it (at another size, or in another codec).
   * Also a rendered one that no ladder names.
   */
  readonly bitratesKbps: readonly number[];
  /** Returns the place of a rendered rung in the ladder, from 0 on. */
  readonly levelOf: (rung: number, bitrateKbps: number) => number;
  /**
   * Length of a segment where no request says it: of the first ladder that does, else the median of the segments that were
   * asked for, because older logs of SegmentBase streams have it nowhere else.
   */
  readonly segmentMs: number | null;
}

/** Returns the video of a whole session as one ladder; null when no video ladder was read. */
export const videoLadder = oncePerLog((log): VideoLadder | null => {
  const ladders = eventsOf(log, 'ladder')
    .filter(({ mediaType }) => mediaType === 'video')
    .sort((one, other) => one.atMs - other.atMs);
  if (ladders.length === 0) return null;
  const rendered = eventsOf(log, 'switch').filter(
    ({ mediaType, phase }) => mediaType === 'video' && phase === 'rendered',
  );
  const offered = ladders.flatMap(({ rungs }) => rungs);
  const found = new Set([...offered, ...rendered].map((each) => each.bitrateKbps));
  const bitratesKbps = [...found]
    .sort((a, b) => a - b)
    .flatMap((kbps) => {
      const alike = ladders.map((ladder) => sameBitrateAmong(ladder, kbps).length);
      return Array<number>(Math.max(1, ...alike)).fill(kbps);
    });
  const reported = ladders.find(({ segmentMs }) => segmentMs);
  return {
    bitratesKbps,
    levelOf(rung, kbps) {
      const alike = ladders.map((ladder) => sameBitrateAmong(ladder, kbps).indexOf(rung));
      return bitratesKbps.indexOf(kbps) + Math.max(0, ...alike);
    },
    segmentMs: reported?.segmentMs ?? requestedSegmentMs(log),
  };
});

/** The rungs of a ladder that have a bitrate. */
const sameBitrateAmong = ({ rungs }: EventOf<'ladder'>, kbps: number): number[] =>
  rungs.flatMap(({ bitrateKbps }, rung) => (bitrateKbps === kbps ? rung : []));

function requestedSegmentMs(log: SessionLog): number | null {
  const segments = createMediaSegments();
  for (const request of eventsOf(log, 'request')) addMediaSegment(segments, request);
  return medianLengthMs(segments);
}
