import type Hls from 'hls.js';
import type { Fragment, Level, LevelDetails } from 'hls.js';
import type { Ladder } from '../../abr/ladder.ts';
import type { MediaType, Moment } from '../../abr/rule.ts';
import { segmentsBetween } from '../../abr/ruleInput.ts';
import { kbpsFromBitsPerSecond, msFromSeconds } from '../../shared/units.ts';
import type { HostQuestion } from './ruleHost.ts';

/** A fragment of the level, no init segment and no other track. */
export const isMedia = ({ type, sn }: Fragment): boolean => type === 'main' && sn !== 'initSegment';

/**
 * The levels that a rule may choose from, ascending by bitrate. What hls.js itself leaves out stays left out: levels beyond its
 * caps (player size, dropped frames, HDCP, `minAutoBitrate`), of another codec or dynamic range than the one that plays, and
 * those that failed of late. Its own controller does so in `findBestLevel`.
 */
export function choicesOf(hls: Hls, last: Level | null): readonly Level[] {
  const like = last ?? hls.levels[hls.firstLevel];
  const { minAutoLevel, maxAutoLevel } = hls;
  const allowed = hls.levels.filter(
    ({ codecSet, videoRange }, index) =>
      index >= minAutoLevel &&
      index <= maxAutoLevel &&
      codecSet === like?.codecSet &&
      videoRange === like.videoRange,
  );
  const working = allowed.filter((level) => level === last || !hasFailed(hls, level));
  return [...(working.length > 0 ? working : allowed)].sort((one, other) => kbpsOf(one) - kbpsOf(other));
}

/** utils/error-helper.ts of hls.js: isPenaltyExpired. */
function hasFailed({ config }: Hls, { loadError, fragmentError, loadErrorTime }: Level): boolean {
  if (loadError === 0 && fragmentError === 0) return false;
  const { errorPenaltyExpireMs } = config;
  const isOver = errorPenaltyExpireMs > 0 && loadErrorTime > 0;
  return !(isOver && performance.now() - loadErrorTime > errorPenaltyExpireMs);
}

/** AVERAGE-BANDWIDTH, which is the bitrate of papers, or else BANDWIDTH, which is the peak; both with the audio beside it. */
export const kbpsOf = ({ attrs, bitrate }: Level): number =>
  kbpsFromBitsPerSecond(Number(attrs['AVERAGE-BANDWIDTH']) || bitrate);

const ladderOf = (levels: readonly Level[]): Ladder =>
  levels.map((level) => ({
    bitrateKbps: kbpsOf(level),
    width: level.width || null,
    height: level.height || null,
  }));

export function rungOf(levels: readonly Level[], level: Level): number | null {
  const rung = levels.indexOf(level);
  return rung === -1 ? null : rung;
}

export const mediaTypeOf = (levels: readonly Level[]): MediaType =>
  levels.length > 0 &&
  levels.every(({ videoCodec, audioCodec, height }) => !videoCodec && !height && audioCodec)
    ? 'audio'
    : 'video';

/** 0-based in a stream on demand; the media sequence number of a live one. */
export function segmentOf({ sn }: Pick<Fragment, 'sn'>, details: LevelDetails | undefined): number | null {
  if (typeof sn !== 'number' || !details) return null;
  return Math.max(0, details.live ? sn : sn - details.startSN);
}

export const detailsOf = (hls: Hls): LevelDetails | null => hls.latestLevelDetails;

export const bufferMsOf = (hls: Hls): number => msFromSeconds(hls.mainForwardBufferInfo?.len ?? 0);

/** BaseStreamController.getMaxBufferLength of hls.js 1.7.4: the lower a level, the more of it is kept. */
export function maxBufferMs({ config }: Hls, { maxBitrate }: Level): number {
  const seconds = Math.max((8 * config.maxBufferSize) / maxBitrate, config.maxBufferLength);
  return msFromSeconds(Math.min(seconds, config.maxMaxBufferLength));
}

/** The length of a segment as it was first known, ms; 0 before. In an uneven playlist a rule would get a new one each time. */
export function firstSegmentMs(hls: Hls): () => number {
  let known: { readonly url: string | null; readonly ms: number } | null = null;
  return () => {
    if (known?.url !== hls.url) known = null;
    const seconds = detailsOf(hls)?.fragments[0]?.duration ?? 0;
    if (!known && seconds > 0) known = { url: hls.url, ms: msFromSeconds(seconds) };
    return known?.ms ?? 0;
  };
}

interface Facts {
  readonly offered: readonly Level[];
  readonly last: Level | null;
  readonly segmentMs: number;
  readonly nowMs: number;
}

export function questionOf(hls: Hls, { offered, last, segmentMs, nowMs }: Facts): HostQuestion {
  const live = detailsOf(hls)?.live === true;
  return {
    mediaType: mediaTypeOf(offered),
    offer: { ladder: ladderOf(offered), segmentMs },
    sizesOf: (rung) => sizesOf(offered[rung]),
    moment: {
      nowMs,
      playheadMs: playheadMsOf(hls),
      bufferMs: bufferMsOf(hls),
      bufferTargetMs: maxBufferMs(hls, offered.at(-1)!),
      ...nextSegment(hls, segmentMs),
      lastRung: last && rungOf(offered, last),
      liveLatencyMs: live && hls.latency > 0 ? msFromSeconds(hls.latency) : null,
      playbackRate: hls.media?.playbackRate ?? 1,
      ...audioBeside(hls),
    },
  };
}

const playheadMsOf = ({ media }: Hls): number => msFromSeconds(media?.currentTime ?? 0);

/** Behind the end of the buffer, in the playlist that was loaded last: the fragments of all levels have the same numbers. */
function nextSegment(hls: Hls, segmentMs: number): Pick<Moment, 'segment' | 'segmentsLeft'> {
  const details = detailsOf(hls);
  if (!details) return { segment: null, segmentsLeft: null };
  const buffer = hls.mainForwardBufferInfo;
  const endMs = buffer ? msFromSeconds(buffer.end) : playheadMsOf(hls);
  const next = details.fragments.find((frag) => msFromSeconds(frag.end) - LOOKUP_MS > endMs);
  return {
    segment: next ? segmentOf(next, details) : null,
    segmentsLeft: details.live ? null : segmentsBetween(endMs, msFromSeconds(details.edge), segmentMs),
  };
}

/** `maxFragLookUpTolerance`: a fragment that ends so close behind the buffer is the one before. */
const LOOKUP_MS = 250;

function audioBeside(hls: Hls): Pick<Moment, 'audioBufferMs'> {
  const details = detailsOf(hls);
  const audio = hls.audioForwardBufferInfo;
  if (!audio || (details && !details.live && audio.end >= details.edge - 0.5)) return {};
  return { audioBufferMs: msFromSeconds(audio.len) };
}

/** Byte ranges of a playlist that has been loaded (EXT-X-BYTERANGE): hls.js loads that of a level when it is chosen first. */
function sizesOf(level: Level | undefined): ReturnType<HostQuestion['sizesOf']> {
  const { details } = level ?? {};
  if (!details || details.live) return null;
  const sizesBytes = details.fragments.map(({ byteRangeStartOffset: from, byteRangeEndOffset: to }) =>
    from === undefined || to === undefined ? null : to - from,
  );
  return sizesBytes.some(Boolean) ? { from: 'playlist', firstSegment: 0, sizesBytes } : null;
}
