import type { MediaPlayerClass, Representation, RulesContext } from 'dashjs';
import type { Ladder, Rung } from '../../abr/ladder.ts';
import type { MediaType, Moment } from '../../abr/rule.ts';
import { segmentsBetween } from '../../abr/ruleInput.ts';
import { kbpsFromBitsPerSecond, msFromSeconds } from '../../shared/units.ts';
import { audioBeside } from '../../telemetry/shell/audioBeside.ts';
import { streamProcessors } from '../streamProcessors.ts';
import type { Asked } from './decision.ts';

/** What dash.js asks its rules, in our terms: which of these choices, for this media type, now? */
export interface Question extends Asked {
  /** Representations to choose from, one per rung of `offer.ladder`, in its order. */
  readonly choices: readonly Representation[];
}

/** Returns what dash.js asks now; null when there is nothing to choose (text tracks, or no choice left). */
export function questionOf(player: MediaPlayerClass, context: RulesContext, nowMs: number): Question | null {
  const mediaType = context.getMediaType();
  const choices = choicesOf(context);
  if ((mediaType !== 'video' && mediaType !== 'audio') || choices.length === 0) return null;
  const present = context.getRepresentation();
  const next = nextSegment(player, context);
  // In a file with an index only the representation that plays has a length: that of the first segment in the index.
  const lengthMs =
    segmentMsOf(choices) ?? segmentMsOf([present]) ?? segmentMsOf([{ segmentDuration: next?.duration }]);
  const segmentMs = firstKnownLength(context.getScheduleController(), lengthMs) ?? 0;
  const lastRung = rungIn(choices, present?.id ?? null);
  return {
    mediaType,
    choices,
    offer: { ladder: ladderOf(choices), segmentMs },
    moment: momentOf(player, context, { nowMs, mediaType, segmentMs, lastRung, next }),
  };
}

/** The rung of a representation; null when it is not among the choices. */
export function rungIn(choices: readonly { readonly id: string }[], id: string | null): number | null {
  const index = choices.findIndex((choice) => choice.id === id);
  return index === -1 ? null : index;
}

function choicesOf(context: RulesContext): Representation[] {
  const abr = context.getAbrController();
  return byBitrate(abr.getPossibleVoRepresentationsFilteredBySettings(context.getMediaInfo(), true) ?? []);
}

interface Known {
  readonly nowMs: number;
  readonly mediaType: MediaType;
  readonly segmentMs: number;
  readonly lastRung: number | null;
  readonly next: NextSegment | null;
}

/** What dash.js knows when it asks, in our terms. `lastRung` is the rung it is set to, from its start rung on. */
function momentOf(player: MediaPlayerClass, context: RulesContext, { next, ...known }: Known): Moment {
  const video = player.getVideoElement();
  const bufferMs = bufferMsOf(player, known.mediaType);
  const playheadMs = msFromSeconds(video.currentTime);
  const startMs = next ? msFromSeconds(next.startTime) : playheadMs + bufferMs;
  // After a seek dash.js' next request is still the one before the seek: then its number says nothing.
  const near = next !== null && Math.abs(startMs - playheadMs - bufferMs) < known.segmentMs;
  return {
    nowMs: known.nowMs,
    playheadMs,
    bufferMs,
    bufferTargetMs: bufferTargetMsOf(player, context),
    segment: near ? next.index : null,
    segmentsLeft: player.isDynamic()
      ? null
      : segmentsBetween(
          near ? startMs : playheadMs + bufferMs,
          msFromSeconds(video.duration),
          known.segmentMs,
        ),
    lastRung: known.lastRung,
    // Until the element has its place dash.js answers 0, or the latency of where it will go.
    liveLatencyMs:
      player.isDynamic() && !player.isSeeking()
        ? msFromSeconds(player.getCurrentLiveLatency()) || null
        : null,
    playbackRate: video.playbackRate,
    ...audioBeside(player, context),
  };
}

export function bufferMsOf(player: MediaPlayerClass, mediaType: MediaType): number {
  return finiteOrNull(msFromSeconds(player.getDashMetrics().getCurrentBufferLevel(mediaType))) ?? 0;
}

/**
 * dash.js' target is another one at the top level (bufferTimeAtTopQuality). A rule that scales by it would move it by its own
 * answer, and go back and forth for ever: it is given the smallest, which holds at every level. That of audio beside video
 * follows the buffer of the video instead, and stays.
 */
function bufferTargetMsOf(player: MediaPlayerClass, context: RulesContext): number {
  const { bufferTimeDefault, bufferTimeAtTopQuality, bufferTimeAtTopQualityLongForm } =
    player.getSettings().streaming?.buffer ?? {};
  const target = context.getScheduleController().getBufferTarget();
  const byLevel = [bufferTimeDefault, bufferTimeAtTopQuality, bufferTimeAtTopQualityLongForm]
    .map((seconds) => seconds ?? 0)
    .filter((seconds) => seconds > 0);
  const isByLevel = !(target >= 0) || byLevel.includes(target);
  return finiteOrNull(msFromSeconds(isByLevel ? Math.min(...byLevel) : target)) ?? 0;
}

interface NextSegment {
  readonly index: number;
  /** s */
  readonly startTime: number;
  /** s */
  readonly duration: number;
}

/** dash.js numbers segments from 0 within a period, so only in the first period is it a number in the presentation. */
function nextSegment(player: MediaPlayerClass, context: RulesContext): NextSegment | null {
  const stream = player.getActiveStream();
  const info = context.getStreamInfo();
  if (stream === null || info.index !== 0 || stream.getId() !== info.id) return null;
  const processor = streamProcessors(player).find((each) => each.getType() === context.getMediaType());
  // Before the first request dash.js counts from segment 0, wherever playback will start.
  const request = processor?.getLastSegment() ? processor.probeNextRequest() : null;
  return Number.isInteger(request?.index) && Number.isFinite(request?.startTime) ? request : null;
}

/** dash.js says NaN or a negative number for what it does not know. */
const finiteOrNull = (value: number): number | null => (Number.isFinite(value) && value >= 0 ? value : null);

/** What a ladder is made of: the fields of a dash.js Representation that we read. */
type Choice = Pick<
  Representation,
  'id' | 'bandwidth' | 'width' | 'height' | 'fragmentDuration' | 'segmentDuration'
>;

/** dash.js sorts by quality ranking where the MPD has one; our rungs ascend by bitrate. */
export function byBitrate<C extends Choice>(choices: readonly C[]): C[] {
  return [...choices].sort((one, other) => one.bandwidth - other.bandwidth);
}

export function ladderOf(choices: readonly Choice[]): Ladder {
  return choices.map(rungOf);
}

type Lasting = { readonly segmentDuration?: number | undefined; readonly fragmentDuration?: number | null };

/** Returns the length of a segment, ms; null before dash.js knows it. */
export function segmentMsOf([first]: readonly Lasting[]): number | null {
  const seconds = first?.segmentDuration || first?.fragmentDuration;
  return seconds && Number.isFinite(seconds) ? msFromSeconds(seconds) : null;
}

/** First known length of a segment, by dash.js' ScheduleController: a new one for each source, period and media type. */
const firstLengths = new WeakMap<object, number>();

/**
 * The length of a segment that a rule is told, ms: as it was first known. dash.js takes that of the first entry of a
 * SegmentTimeline, which changes with each refresh where segments are uneven, though nothing is new to the rule.
 */
export function firstKnownLength(schedule: object, nowMs: number | null): number | null {
  const known = firstLengths.get(schedule);
  if (known !== undefined) return known;
  if (nowMs !== null) firstLengths.set(schedule, nowMs);
  return nowMs;
}

function rungOf({ bandwidth, width, height }: Choice): Rung {
  // dash.js writes NaN or 0 where the MPD says nothing (and for audio).
  return { bitrateKbps: kbpsFromBitsPerSecond(bandwidth), width: width || null, height: height || null };
}
