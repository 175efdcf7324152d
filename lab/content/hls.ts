import { nominalTicks } from './addressing.ts';
import type { IndexedSegment } from './boxes.ts';
import type { MpdOptions } from './mpd.ts';
import type { AudioTrackFacts, Track } from './track.ts';

/** Writes HLS playlists (RFC 8216bis) over measured tracks, beside an MPD of the same segments. PURE. */

/** Name of the multivariant playlist; a track's media playlist is `<id>.m3u8`. */
export const MULTIVARIANT = 'manifest.m3u8';

export type HlsOptions = Omit<MpdOptions, 'title' | 'sizesFile' | 'live'>;

const TEXT_PLAYLIST = 'text-1.m3u8';

/** Returns the text of each playlist by its file name, the multivariant playlist last. */
export function hlsPlaylists(options: HlsOptions): Readonly<Record<string, string>> {
  const { tracks, text, periods, segmentSeconds } = options;
  const seconds = periods.reduce((sum, { count }) => sum + count, 0) * segmentSeconds;
  return {
    ...Object.fromEntries(tracks.map((track) => [`${track.id}.m3u8`, mediaPlaylist(options, track)])),
    ...(text && { [TEXT_PLAYLIST]: playlist(seconds, [extinf(seconds), text.file]) }),
    [MULTIVARIANT]: multivariant(options),
  };
}

function multivariant({ tracks, text, framesPerSecond }: HlsOptions): string {
  const video = tracks.filter((track) => track.kind === 'video');
  const groups = audioGroups(tracks.filter((track) => track.kind === 'audio'));
  const variants = video.flatMap((track, rung) => {
    // Low pictures go with low sound: every pair of both would be a ladder with rungs that look alike.
    const order = Math.floor((rung * groups.length) / video.length);
    const group = groups[order] ?? [];
    const both = (bitsOf: (each: Track) => number): number =>
      Math.ceil(bitsOf(track) + Math.max(0, ...group.map(bitsOf)));
    const facts = {
      BANDWIDTH: both(peakBps),
      'AVERAGE-BANDWIDTH': both(meanBps),
      CODECS: quoted([...new Set([track, ...group].map(({ codecs }) => codecs))].join(',')),
      RESOLUTION: `${track.widthPx}x${track.heightPx}`,
      'FRAME-RATE': framesPerSecond.toFixed(3),
      ...(group.length > 0 && { AUDIO: quoted(groupId(order)) }),
      ...(text && { SUBTITLES: quoted('text') }),
    };
    return [`#EXT-X-STREAM-INF:${attributes(facts)}`, `${track.id}.m3u8`];
  });
  return lines([
    ...BEGINNING,
    ...groups.flatMap((group, order) => group.map((track, place) => rendition(track, order, place === 0))),
    ...(text ? [subtitles(text)] : []),
    ...variants,
  ]);
}

/** The n-th group has the n-th quality of every language. */
function audioGroups(audio: readonly AudioTrackFacts[]): AudioTrackFacts[][] {
  const languages = [...new Set(audio.map(({ language }) => language))];
  const of = languages.map((each) => audio.filter(({ language }) => language === each));
  const count = Math.max(0, ...of.map(({ length }) => length));
  return Array.from({ length: count }, (_, order) => of.map((own) => own[order] ?? own.at(-1)!));
}

const groupId = (order: number): string => `sound-${order + 1}`;

const rendition = ({ id, language }: AudioTrackFacts, order: number, isDefault: boolean): string =>
  `#EXT-X-MEDIA:${attributes({
    TYPE: 'AUDIO',
    'GROUP-ID': quoted(groupId(order)),
    NAME: quoted(language),
    LANGUAGE: quoted(language),
    DEFAULT: isDefault ? 'YES' : 'NO',
    AUTOSELECT: 'YES',
    CHANNELS: quoted('2'),
    URI: quoted(`${id}.m3u8`),
  })}`;

const subtitles = ({ language }: { readonly language: string }): string =>
  `#EXT-X-MEDIA:${attributes({
    TYPE: 'SUBTITLES',
    'GROUP-ID': quoted('text'),
    NAME: quoted(language),
    LANGUAGE: quoted(language),
    DEFAULT: 'NO',
    AUTOSELECT: 'YES',
    URI: quoted(TEXT_PLAYLIST),
  })}`;

function mediaPlaylist({ addressing, periods }: HlsOptions, track: Track): string {
  const { id, initializationBytes, segments, timescale } = track;
  const isCut = addressing === 'template' || addressing === 'timeline';
  // The MPD's durations: a template and a list have one for all segments, the others what was measured.
  const isMeasured = addressing === 'timeline' || addressing === 'base';
  const secondsOf = ({ durationTicks }: IndexedSegment): number =>
    (isMeasured ? durationTicks : nominalTicks(segments)) / timescale;
  const map = isCut
    ? { URI: quoted(`${id}/init.mp4`) }
    : { URI: quoted(`${id}.mp4`), BYTERANGE: quoted(`${initializationBytes}@0`) };
  const entries = periods.flatMap(({ first, count }, period) => [
    ...(period === 0 ? [] : ['#EXT-X-DISCONTINUITY']),
    ...segments
      .slice(first, first + count)
      .flatMap((segment, index) => [
        extinf(secondsOf(segment)),
        ...(isCut
          ? [`${id}/${first + index + 1}.m4s`]
          : [`#EXT-X-BYTERANGE:${segment.sizeBytes}@${segment.offset}`, `${id}.mp4`]),
      ]),
  ]);
  return playlist(Math.max(...segments.map(secondsOf)), [`#EXT-X-MAP:${attributes(map)}`, ...entries]);
}

const playlist = (targetSeconds: number, entries: readonly string[]): string =>
  lines([
    ...BEGINNING,
    `#EXT-X-TARGETDURATION:${Math.ceil(targetSeconds)}`,
    '#EXT-X-MEDIA-SEQUENCE:1',
    '#EXT-X-PLAYLIST-TYPE:VOD',
    ...entries,
    '#EXT-X-ENDLIST',
  ]);

/** EXT-X-MAP in a playlist of more than I-frames asks for version 6, groups of renditions and fMP4 for 7 (§8). */
const BEGINNING = ['#EXTM3U', '#EXT-X-VERSION:7', '#EXT-X-INDEPENDENT-SEGMENTS'];

const extinf = (seconds: number): string => `#EXTINF:${Number(seconds.toFixed(6))},`;

/** The largest bitrate of a segment (§4.4.6.2), from its bytes. */
const peakBps = ({ segments, timescale }: Track): number =>
  Math.max(0, ...segments.map(({ sizeBytes, durationTicks }) => (sizeBytes * 8 * timescale) / durationTicks));

function meanBps({ segments, timescale }: Track): number {
  const sum = (key: 'sizeBytes' | 'durationTicks'): number =>
    segments.reduce((total, segment) => total + segment[key], 0);
  return (sum('sizeBytes') * 8 * timescale) / sum('durationTicks');
}

const attributes = (pairs: Readonly<Record<string, string | number>>): string =>
  Object.entries(pairs)
    .map(([name, value]) => `${name}=${value}`)
    .join(',');

/** A quoted string may have neither quotation marks nor line ends (§4.2); ours come from recipes. */
const quoted = (text: string): string => `"${text.replaceAll(/["\r\n]/g, '')}"`;

const lines = (all: readonly string[]): string => `${all.join('\n')}\n`;
