import {
  parse,
  type ParsedMpd,
  type ParsedPlaylist,
  type ParsedRange,
  type ParsedResource,
} from 'mpd-parser';
import { mpdFault } from './mpdFault.ts';
import { resourceAt, type Resource } from './resource.ts';
import type { Trusted } from '../../../node/trust.ts';
import { valueOf } from '../../../src/shared/result.ts';
import { carriedBy, MAIN } from '../../../src/player/steering/pathways.ts';
import { SIZES_SCHEME } from '../../../src/player/sizes/dashStream.ts';
import { type Content, type Track, contentOf } from '../../../src/sim/content.ts';
import { boxesIn, segmentIndex } from '../../../lab/content/boxes.ts';

/** Share of the mean by which lengths of segments may differ: as audio does, and as a simulator of equal segments can bear. */
const MAX_UNEVEN = 0.1;

/**
 * Reads the video of a static MPD, with its default audio beside it. `url` is a `file:`, `http:` or `https:` address, `name`
 * what it is called in sentences. Its servers may have a certificate of `trusted`. @throws Error in one sentence
 */
export async function contentFromMpd(
  url: string,
  name: string,
  trusted?: Pick<Trusted, 'pem'>,
): Promise<Content> {
  const find: FindResource = (at) => resourceAt(at, trusted);
  const text = await find(url).text();
  const mpd = parsed(text, url, name);
  if (mpd.playlists.length === 0) throw new Error(`${name}: It has no video.`);
  if (!mpd.playlists[0]!.endList)
    throw new Error(`${name}: It is a live stream; the simulator needs a static MPD.`);
  const groups = Object.values(mpd.mediaGroups.AUDIO).flatMap((group) => Object.values(group));
  const audio = groups.find((group) => group.default) ?? groups[0];
  return {
    name,
    video: await trackOf(oneCodec(mpd.playlists), name, find),
    audio: audio ? await trackOf(oneCodec(audio.playlists), `${name}, audio`, find) : null,
    manifestBytes: Buffer.byteLength(text),
    ...(await sizesFileOf(text, url, find)),
  };
}

/** Finds what is at an address. */
type FindResource = (url: string) => Resource;

/** A level of the video of a stream, with the paths of its files on its server. */
export interface MpdLevel {
  readonly bitrateKbps: number;
  readonly paths: ReadonlySet<string>;
}

/** Returns the levels of the video of an MPD at `url`, of all codecs; empty without video. @throws Error in one sentence */
export function levelsOfMpd(text: string, url: string): MpdLevel[] {
  return parsed(text, url, url).playlists.map(({ attributes: { BANDWIDTH }, segments, sidx }) => ({
    bitrateKbps: BANDWIDTH / 1000,
    paths: new Set(
      [...segments, ...(sidx ? [sidx] : [])].map(({ resolvedUri }) => new URL(resolvedUri).pathname),
    ),
  }));
}

/** What an MPD alone says of its video, of the first codec. */
interface MpdVideo {
  /** Ascending. */
  readonly ladderKbps: readonly number[];
  /** Mean length of a segment and length of the whole, s; null where an index, which is a file of its own, has them. */
  readonly segmentSeconds: number | null;
  readonly seconds: number | null;
  /** How many requests `contentFromMpd` makes for the sizes. */
  readonly sizeRequests: number;
}

/** Reads what an MPD at `url` says of its video. @throws Error in one sentence */
export function videoOfMpd(text: string, url: string): MpdVideo {
  const playlists = oneCodec(parsed(text, url, url).playlists);
  if (playlists.length === 0) throw new Error(`${url}: It has no video.`);
  const { segments } = playlists[0]!;
  const seconds = segments.reduce((sum, { duration }) => sum + duration, 0);
  const asked = playlists.map((playlist) =>
    playlist.sidx ? 1 : playlist.segments.filter(({ byterange }) => !byterange).length,
  );
  return {
    ladderKbps: playlists.map(({ attributes: { BANDWIDTH } }) => BANDWIDTH / 1000),
    segmentSeconds: segments.length === 0 ? null : seconds / segments.length,
    seconds: segments.length === 0 ? null : seconds,
    sizeRequests: asked.reduce((sum, count) => sum + count, 0),
  };
}

/** What a player requests first of a stream. */
export interface FirstFile {
  readonly url: string;
  /** Range of the file, bytes; null for the whole file. */
  readonly range: ParsedRange | null;
}

/**
 * Finds the init segment of the first video of an MPD (of the first audio where it has no video); its first segment where it
 * has no init segment. @throws Error in one sentence
 */
export function firstFileOf(text: string, url: string): FirstFile {
  const [playlist] = playlistsOf(text, url);
  const file = playlist && (initOf(playlist) ?? playlist.segments[0] ?? playlist.sidx);
  if (!file) throw new Error(`${url}: It has neither video nor audio.`);
  return { url: file.resolvedUri, range: file.byterange ?? null };
}

/**
 * Finds a file on each server that the video and audio of an MPD come from, in the order of the MPD. Every BaseURL and every
 * period counts, except a BaseURL whose serviceLocation names a server without HTTP/3. @throws Error in one sentence
 */
export function filesByServer(text: string, url: string): string[] {
  const byOrigin = new Map<string, string>();
  for (const playlist of playlistsOf(text, url)) {
    if (carriedBy(playlist.attributes.serviceLocation ?? MAIN) === 'tcp') continue;
    const files = [initOf(playlist), ...playlist.segments.flatMap((each) => [each, each.map]), playlist.sidx];
    for (const file of files) {
      if (!file || !URL.canParse(file.resolvedUri)) continue;
      const { origin } = new URL(file.resolvedUri);
      if (!byOrigin.has(origin)) byOrigin.set(origin, file.resolvedUri);
    }
  }
  return [...byOrigin.values()];
}

/**
 * Returns the playlists of the video, then of the audio. A representation has one for each of several BaseURLs.
 * @throws Error in one sentence
 */
export function playlistsOf(text: string, url: string): ParsedPlaylist[] {
  const { playlists, mediaGroups } = parsed(text, url, url);
  const audio = Object.values(mediaGroups.AUDIO).flatMap((group) => Object.values(group));
  return [...playlists, ...audio.flatMap((group) => group.playlists)];
}

/** Returns the init segment that an MPD names; null where it names none: mpd-parser then gives the whole file. */
export function initOf({ sidx, segments }: ParsedPlaylist): ParsedResource | null {
  const init = sidx?.map ?? segments[0]?.map;
  return init && (init.uri !== '' || init.byterange) ? init : null;
}

/** Returns the bytes of the sizes file that the MPD names (docs of `src/player/sizes`); mpd-parser keeps no such property. */
async function sizesFileOf(
  text: string,
  url: string,
  find: FindResource,
): Promise<Pick<Content, 'sizesFileBytes'>> {
  const property = new RegExp(`schemeIdUri="${SIZES_SCHEME}"\\s+value="([^"]+)"`).exec(text);
  if (!property) return {};
  return { sizesFileBytes: await find(new URL(property[1]!, url).href).sizeBytes() };
}

function parsed(text: string, manifestUri: string, name: string): ParsedMpd {
  const fault = mpdFault(text);
  if (fault !== null) throw new Error(`${name}: The MPD cannot be read (${fault}).`);
  try {
    // The warnings of mpd-parser are about attributes that we do not use.
    const mpd: Partial<ParsedMpd> = parse(text, { manifestUri, eventHandler: () => undefined });
    // An MPD without any representation has none of these fields.
    return { playlists: [], mediaGroups: { AUDIO: {} }, ...mpd };
  } catch (error) {
    throw new Error(`${name}: The MPD cannot be read (${(error as Error).message}).`);
  }
}

/** Selects the representations of one codec: a player stays with one, and the first in the MPD is taken. */
function oneCodec(playlists: readonly ParsedPlaylist[]): ParsedPlaylist[] {
  const codecOf = ({ attributes }: ParsedPlaylist): string => (attributes.CODECS ?? '').split('.')[0]!;
  return playlists
    .filter((playlist) => codecOf(playlist) === codecOf(playlists[0]!))
    .sort((a, b) => a.attributes.BANDWIDTH - b.attributes.BANDWIDTH);
}

async function trackOf(
  playlists: readonly ParsedPlaylist[],
  name: string,
  find: FindResource,
): Promise<Track> {
  const rungs = await Promise.all(playlists.map((playlist) => segmentSizes(playlist, find)));
  const initBytes = rungs.map((rung) => rung.initBytes).filter((bytes) => bytes !== null);
  const content = contentOf({
    name,
    ladder: playlists.map(({ attributes: { BANDWIDTH, RESOLUTION } }) => ({
      bitrateKbps: BANDWIDTH / 1000,
      width: RESOLUTION?.width ?? null,
      height: RESOLUTION?.height ?? null,
    })),
    segmentMs: segmentMsOf(rungs[0]!.durationsMs, name),
    sizesBytes: rungs.map((rung) => rung.sizesBytes),
    initBytes: initBytes.length === rungs.length ? initBytes : null,
  });
  return valueOf(content).video;
}

/** Computes the mean length of all segments but the last, which may be a rest, ms. */
function segmentMsOf(durationsMs: readonly number[], name: string): number {
  const whole = durationsMs.length > 1 ? durationsMs.slice(0, -1) : durationsMs;
  const meanMs = whole.reduce((sum, ms) => sum + ms, 0) / whole.length;
  const uneven = whole.findIndex((ms) => Math.abs(ms - meanMs) > MAX_UNEVEN * meanMs);
  if (uneven >= 0)
    throw new Error(
      `${name}: Segment ${uneven} lasts ${Math.round(whole[uneven]!)} ms, the mean is ${Math.round(meanMs)} ms; the simulator needs segments of equal length.`,
    );
  // To the microsecond: a duration of 96 ticks of 1/48 s is 2 s, not 1999.9999.
  return Math.round(meanMs * 1000) / 1000;
}

/** The segments of one representation. */
interface SegmentSizes {
  readonly sizesBytes: readonly number[];
  readonly durationsMs: readonly number[];
  /** Size of the init segment, bytes; null when there is none. */
  readonly initBytes: number | null;
}

/** Number of questions at once: a disk has no use for more, and a server would take offence. */
const AT_ONCE = 8;

/** Finds sizes by ranges of the MPD, by the file's index, or by asking for each segment. @throws Error in one sentence */
async function segmentSizes(playlist: ParsedPlaylist, find: FindResource): Promise<SegmentSizes> {
  const { segments, sidx } = playlist;
  const init = initOf(playlist);
  const sizeOf = async ({ resolvedUri, byterange }: ParsedResource): Promise<number> =>
    byterange?.length ?? find(resolvedUri).sizeBytes();
  const initBytes = init && (await sizeOf(init));
  if (sidx) return { ...(await readIndex(sidx, find)), initBytes };
  const sizesBytes: number[] = [];
  for (let from = 0; from < segments.length; from += AT_ONCE)
    sizesBytes.push(...(await Promise.all(segments.slice(from, from + AT_ONCE).map(sizeOf))));
  return { sizesBytes, durationsMs: segments.map(({ duration }) => duration * 1000), initBytes };
}

async function readIndex(
  { resolvedUri, byterange }: ParsedResource,
  find: FindResource,
): Promise<Omit<SegmentSizes, 'initBytes'>> {
  if (!byterange) throw new Error(`${resolvedUri}: The MPD does not give the position of the index.`);
  const bytes = await find(resolvedUri).bytes(byterange);
  try {
    const box = boxesIn(bytes).find(({ type }) => type === 'sidx');
    if (!box) throw new Error('There is no sidx.');
    const { timescale, segments } = segmentIndex(bytes, box);
    return {
      sizesBytes: segments.map(({ sizeBytes }) => sizeBytes),
      durationsMs: segments.map(({ durationTicks }) => (durationTicks / timescale) * 1000),
    };
  } catch (error) {
    const where = `bytes ${byterange.offset}–${byterange.offset + byterange.length - 1}`;
    throw new Error(`${resolvedUri}: The index in ${where} cannot be read: ${(error as Error).message}`);
  }
}
