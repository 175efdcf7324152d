import type { SessionLog } from '../../telemetry/schema/sessionLog.ts';
import { seriesOf } from './appendEvent.ts';
import { eventsOf, oncePerLog } from './log.ts';
import { addMediaSegment, countSegments, createMediaSegments } from './mediaSegments.ts';
import type { SessionSeries } from './series.ts';
import type { Span } from './spans.ts';
import { rowAfter } from './table.ts';

/**
 * What was watched, in media: playback at twice the rate brings two seconds of media in a second of the session.
 *
 * Between two readings the playhead moved as far as they say. Only where that cannot be, because the playhead was moved
 * in between or the page had been taken from the element, or where the readings are too far apart to show a jump, the
 * time between them times the playback rate counts.
 */
type Playheads = SessionSeries['playheads'];

/** A stretch of media, ms of the presentation. */
type Measure = (media: Span) => number;

/**
 * How far a playhead may run ahead of time times rate, ms: two clocks are read, one after the other. A jump that is shorter
 * counts as watched.
 */
const TOLERANCE_MS = 250;

/** Readings are 1 s apart while a page is in front. Further apart, standing still and a seek could cancel each other. */
const MAX_READING_GAP_MS = 5000;

/** How many segments each span of play showed, by their own lengths; a part of a segment counts as that part. */
export const watchedSegments = (log: SessionLog, spans: readonly Span[], otherwiseMs: number): number[] =>
  segmentsWatched(accountOf(log), spans, otherwiseMs);

/** How much media a span of play showed, ms. */
export function watchedMs(log: SessionLog, { fromMs, toMs }: Span): number {
  const { playheads, mediaMs } = accountOf(log);
  return amountsIn(playheads, mediaMs, [{ fromMs, toMs }])[0]!;
}

const accountOf = oncePerLog((log) => {
  const events = [...eventsOf(log, 'playback'), ...eventsOf(log, 'seek'), ...eventsOf(log, 'jump')];
  const { playheads } = seriesOf({ parts: log.parts, events });
  const mediaSegments = createMediaSegments();
  for (const request of eventsOf(log, 'request')) addMediaSegment(mediaSegments, request);
  const mediaMs: Amounts = { totals: [], measure: ({ fromMs, toMs }) => toMs - fromMs };
  extend(playheads, mediaMs);
  return { playheads, mediaSegments, mediaMs };
});

/**
 * How many segments each span of play showed, as `watchedSegments` counts them for a log. What was counted up to a reading is
 * kept, so that of a day only what is new is counted.
 */
export function segmentsWatched(
  { playheads, mediaSegments }: Pick<SessionSeries, 'playheads' | 'mediaSegments'>,
  spans: readonly Span[],
  otherwiseMs: number,
): number[] {
  const { counted } = mediaSegments;
  const before = kept.get(playheads);
  const isValid =
    before?.otherwiseMs === otherwiseMs &&
    before.moves === playheads.folded.moves &&
    before.changes === counted.changes;
  const amounts: KeptAmounts = isValid
    ? before
    : {
        totals: [],
        measure: (media) => countSegments(mediaSegments, media, otherwiseMs),
        otherwiseMs,
        moves: playheads.folded.moves,
        changes: counted.changes,
      };
  kept.set(playheads, amounts);
  counted.untilMs = Math.max(counted.untilMs, extend(playheads, amounts));
  playheads.folded.rows = playheads.length;
  return amountsIn(playheads, amounts, spans);
}

interface Amounts {
  /** Amount from the first reading to each reading, in the unit of `measure`. */
  readonly totals: number[];
  readonly measure: Measure;
}

interface KeptAmounts extends Amounts {
  readonly otherwiseMs: number;
  readonly moves: number;
  readonly changes: number;
}

const kept = new WeakMap<Playheads, KeptAmounts>();

/** Adds up what is new. Returns how far into the media that went, ms. */
function extend(playheads: Playheads, { totals, measure }: Amounts): number {
  let reachedMs = -Infinity;
  if (totals.length === 0 && playheads.length > 0) totals.push(0);
  for (let row = totals.length; row < playheads.length; row += 1) {
    const media = mediaAfter(playheads, row - 1, playheads.columns.atMs[row]!);
    totals.push(totals[row - 1]! + measure(media));
    reachedMs = Math.max(reachedMs, media.toMs);
  }
  return reachedMs;
}

/** Computes the amount in each span. The spans are in order of time, and one often begins where another ends. */
function amountsIn(playheads: Playheads, amounts: Amounts, spans: readonly Span[]): number[] {
  let last = { atMs: NaN, amount: 0 };
  const amountAt = (atMs: number): number => {
    if (atMs !== last.atMs) last = { atMs, amount: amountUntil(playheads, amounts, atMs) };
    return last.amount;
  };
  return spans.map(({ fromMs, toMs }) => {
    const before = amountAt(fromMs);
    return amountAt(toMs) - before;
  });
}

function amountUntil(playheads: Playheads, { totals, measure }: Amounts, atMs: number): number {
  const row = rowAfter(playheads, atMs) - 1;
  return row < 0 ? 0 : totals[row]! + measure(mediaAfter(playheads, row, atMs));
}

/** The media from a reading to a moment that is not behind the next one. */
function mediaAfter(playheads: Playheads, row: number, atMs: number): Span {
  const readAtMs = playheads.columns.atMs[row]!;
  const fromMs = playheads.columns.playheadMs[row]!;
  return { fromMs, toMs: fromMs + (atMs - readAtMs) * speedAfter(playheads, row) };
}

/** Media time by session time between a reading and the next one. */
function speedAfter({ columns, length }: Playheads, row: number): number {
  const rate = rateAt(columns.rate, row);
  const next = row + 1;
  if (next >= length || Number.isNaN(columns.rate[next]!)) return rate;
  const elapsedMs = columns.atMs[next]! - columns.atMs[row]!;
  const movedMs = columns.playheadMs[next]! - columns.playheadMs[row]!;
  const aheadMs = movedMs - rate * elapsedMs;
  const minMs = elapsedMs <= MAX_READING_GAP_MS ? -rate * elapsedMs : -TOLERANCE_MS;
  const isRead = elapsedMs > 0 && movedMs >= 0 && aheadMs <= TOLERANCE_MS && aheadMs >= minMs;
  return isRead ? movedMs / elapsedMs : rate;
}

/** The playback rate; 1 where none was read yet. */
function rateAt(rates: Float32Array, row: number): number {
  for (let at = row; at >= 0; at -= 1) if (!Number.isNaN(rates[at]!)) return rates[at]!;
  return 1;
}
