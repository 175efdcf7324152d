import type shaka from 'shaka-player';
import type { MediaType, Moment } from '../../abr/rule.ts';
import { segmentsBetween } from '../../abr/ruleInput.ts';
import { kbpsFromBitsPerSecond, msFromSeconds } from '../../shared/units.ts';
import type { HostQuestion } from './ruleHost.ts';

export type Variant = shaka.extern.Variant;
export type Stream = shaka.extern.Stream;

interface Offerable {
  readonly restrictions: shaka.extern.Restrictions | undefined;
  /** Of the variant that plays. */
  readonly audio: Stream | null;
}

/**
 * One variant for each video, ascending by bitrate: a rule of ours chooses the video, and the audio stays. Without a video, one
 * for each audio. Shaka leaves it to the manager to keep to `abr.restrictions`; where nothing is left, they are ignored, as
 * there.
 */
export function choicesOf(
  variants: readonly Variant[],
  { restrictions, audio }: Offerable,
): readonly Variant[] {
  const allowed = variants.filter((variant) => !restrictions || isWithin(variant, restrictions));
  const all = allowed.length > 0 ? allowed : variants;
  const byStream = new Map<Stream | null, Variant>();
  const preferred = [...all].sort(
    (one, other) =>
      Number(other.audio === audio) - Number(one.audio === audio) || other.bandwidth - one.bandwidth,
  );
  for (const variant of preferred) {
    const stream = variant.video ?? variant.audio;
    if (!byStream.has(stream)) byStream.set(stream, variant);
  }
  return [...byStream.values()].sort((one, other) => kbpsOf(one) - kbpsOf(other));
}

function isWithin({ video, bandwidth }: Variant, limits: shaka.extern.Restrictions): boolean {
  const { width = 0, height = 0 } = video ?? {};
  const isIn = (value: number, min: number, max: number): boolean => value >= min && value <= max;
  const fits =
    width === 0 ||
    (isIn(width, limits.minWidth, limits.maxWidth) &&
      isIn(height, limits.minHeight, limits.maxHeight) &&
      isIn(width * height, limits.minPixels, limits.maxPixels));
  return fits && isIn(bandwidth, limits.minBandwidth, limits.maxBandwidth);
}

export const streamOf = ({ video, audio }: Variant): Stream | null => video ?? audio;

/** Of the video, as an MPD has it; HLS names only that of video and audio together. */
export const kbpsOf = (variant: Variant): number =>
  kbpsFromBitsPerSecond(streamOf(variant)?.bandwidth || variant.bandwidth);

export function rungOf(variants: readonly Variant[], stream: Stream | null): number | null {
  const rung = variants.findIndex((variant) => streamOf(variant) === stream);
  return rung === -1 ? null : rung;
}

export const mediaTypeOf = ([first]: readonly Variant[]): MediaType =>
  first && !first.video ? 'audio' : 'video';

/** 0-based in a stream on demand; null while the stream has no index. */
export function positionOf(stream: Stream | null, timeS: number): number | null {
  const position: unknown = stream?.segmentIndex?.find(timeS);
  return typeof position === 'number' ? position : null;
}

/** Media ahead of the playhead, without gaps, as `bufferedAheadOf` counts it. */
export function bufferMsOf(
  player: shaka.Player,
  offered: readonly Variant[],
  type: MediaType = mediaTypeOf(offered),
): number {
  const atS = player.getMediaElement()?.currentTime ?? 0;
  const ranges = player.getBufferedInfo()[type];
  return msFromSeconds(
    ranges.reduce((sum, { start, end }) => sum + Math.max(0, end - Math.max(start, atS)), 0),
  );
}

/** StreamingEngine.update_: the larger of the two goals, and 1 s or more. */
export function goalMs(player: shaka.Player): number {
  const { bufferingGoal, rebufferingGoal } = player.getConfiguration().streaming;
  return msFromSeconds(Math.max(1, bufferingGoal, rebufferingGoal));
}

/** How much sooner than at its goal a buffer counts as fallen: Shaka must not look before the rule was asked. */
const SOONER_MS = 100;

/** Time until the buffer has fallen to its goal, at most 500 ms, which is how often Shaka looks; 0 when it has. */
export function msToGoal(player: shaka.Player, offered: readonly Variant[]): number {
  const aboveMs = bufferMsOf(player, offered) - goalMs(player) - SOONER_MS;
  const rate = Math.abs(player.getPlaybackRate()) || 1;
  return aboveMs > 0 ? Math.min(aboveMs / rate, 500) : 0;
}

interface Facts {
  readonly offered: readonly Variant[];
  readonly chosen: Variant | null;
  readonly last: Stream | null;
  readonly nextAtS: number | null;
  readonly segmentMs: number;
  readonly nowMs: number;
}

export function questionOf(
  player: shaka.Player,
  { offered, chosen, last, nextAtS, segmentMs, nowMs }: Facts,
): HostQuestion {
  const playheadMs = msFromSeconds(player.getMediaElement()?.currentTime ?? 0);
  const bufferMs = bufferMsOf(player, offered);
  const live = player.isLive();
  const endMs = nextAtS === null ? playheadMs + bufferMs : msFromSeconds(nextAtS);
  const latencyMs = live ? msFromSeconds(player.getStats().liveLatency) : 0;
  const lastMs = msFromSeconds(player.seekRange().end);
  return {
    mediaType: mediaTypeOf(offered),
    offer: {
      ladder: offered.map((variant) => ({
        bitrateKbps: kbpsOf(variant),
        width: variant.video?.width || null,
        height: variant.video?.height || null,
      })),
      segmentMs,
    },
    sizesOf: (rung) => sizesOf(player, streamOf(offered[rung]!)),
    moment: {
      nowMs,
      playheadMs,
      bufferMs,
      bufferTargetMs: goalMs(player),
      segment: nextAtS === null ? null : positionOf(chosen && streamOf(chosen), nextAtS + PAST_S),
      segmentsLeft: live || lastMs === 0 ? null : segmentsBetween(endMs, lastMs, segmentMs),
      lastRung: last && rungOf(offered, last),
      liveLatencyMs: latencyMs > 0 ? latencyMs : null,
      playbackRate: player.getPlaybackRate(),
      ...audioBeside(player, offered),
    },
  };
}

/** Past the rounding of a segment's end. */
const PAST_S = 0.01;

function audioBeside(player: shaka.Player, offered: readonly Variant[]): Pick<Moment, 'audioBufferMs'> {
  const [first] = offered;
  if (!first?.video || !first.audio || first.audio.isAudioMuxedInVideo) return {};
  const { end } = player.getBufferedInfo().audio.at(-1) ?? { end: 0 };
  if (!player.isLive() && end > 0 && end >= player.seekRange().end - 0.5) return {};
  return { audioBufferMs: bufferMsOf(player, offered, 'audio') };
}

/** Of the byte ranges in a stream's index. Shaka loads the index of a stream when it is chosen first. */
function sizesOf(player: shaka.Player, stream: Stream | null): ReturnType<HostQuestion['sizesOf']> {
  const index = stream?.segmentIndex;
  if (!index || player.isLive()) return null;
  const sizesBytes = Array.from(index, (reference) => {
    const end = reference?.getEndByte() ?? null;
    return end === null ? null : end - reference!.getStartByte() + 1;
  });
  const from = player.getManifestType() === 'HLS' ? 'playlist' : 'sidx';
  return sizesBytes.some(Boolean) ? { from, firstSegment: 0, sizesBytes } : null;
}
