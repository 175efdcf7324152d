import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { requireTool } from '../tools.ts';
import { shiftedSegment } from './boxes.ts';
import { headOfPart, readRange } from './byteRange.ts';
import { cachedFolder, cachedPath } from './cachedFolder.ts';
import { clockText } from './clockText.ts';
import { present } from './contentMounts.ts';
import { encodeTracks, type EncodeOptions } from './encodeTracks.ts';
import { grouped, type Track, readTracks } from './track.ts';
import { liveRecipe as recipe, type Recipe } from './ladder.ts';
import { listening } from './listening.ts';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { mpd } from './mpd.ts';
import { element } from './xml.ts';

/** A live stream: encoded segments repeated for ever, each available when its time has come. */
export interface LiveStream {
  /** `http://127.0.0.1:PORT`, for `mounts: { '/media/live': { proxyUrl } }` of an origin; `/manifest.mpd` below it. */
  readonly proxyUrl: string;
  /** Restarts the stream so that it is `ageSeconds` old at `atUnixMs`. From then on its content depends only on the time since then. */
  restart(atUnixMs: number): void;
  stop(): Promise<void>;
}

interface Live {
  readonly source: LiveSource;
  startUnixMs: number;
  readonly isLowLatency: boolean;
  readonly delaySeconds?: number;
  readonly windowSeconds?: number;
}

interface LiveOptions {
  readonly isLowLatency?: boolean;
  /** What the MPD suggests as distance to the live edge; absent: three segments, or one with low latency. */
  readonly delaySeconds?: number;
  /** How far back the stream can be played (`timeShiftBufferDepth`); absent: 30 s. */
  readonly windowSeconds?: number;
  readonly ageSeconds?: number;
  /** What to repeat; the live test stream if not given. Low latency needs one with chunks. */
  readonly source?: LiveSource;
  /** Linux network namespace on whose loopback it is served; our own if not given. */
  readonly namespace?: string;
}

/** Where the encoded tracks of the live stream are or will be. */
export function liveFolder(cacheFolder: string): string {
  return cachedPath(cacheFolder, 'live', { version: 1, recipe });
}

/** Encodes the live stream's tracks unless the cache has them. */
export function makeLiveTracks(
  cacheFolder: string,
  options: Omit<EncodeOptions, 'folder'>,
): Promise<{ readonly wasMade: boolean }> {
  return cachedFolder(liveFolder(cacheFolder), (folder) => encodeTracks(recipe, { ...options, folder }));
}

/**
 * Starts serving on loopback. The stream began `ageSeconds` ago (default 60), so that a player finds a full window.
 * Low latency: a segment may be asked for when its first chunk is there, and its chunks follow at the encoder's pace.
 */
export async function startLiveStream({
  isLowLatency = false,
  ageSeconds = 60,
  source,
  namespace,
  delaySeconds,
  windowSeconds,
}: LiveOptions = {}): Promise<LiveStream> {
  const startedAt = (unixMs: number): number => unixMs - ageSeconds * 1000;
  const live: Live = {
    source: source ?? (await testSource()),
    startUnixMs: startedAt(Date.now()),
    isLowLatency,
    ...(delaySeconds !== undefined && { delaySeconds }),
    ...(windowSeconds !== undefined && { windowSeconds }),
  };
  const server = createServer((asked, answer) => {
    respond(live, asked, answer).catch((error: unknown) => answer.destroy(error as Error));
  });
  const { port, leave } = await listening(server, namespace);
  return {
    proxyUrl: `http://127.0.0.1:${port}`,
    restart: (atUnixMs) => void (live.startUnixMs = startedAt(atUnixMs)),
    stop: async () => {
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
      await leave();
    },
  };
}

const testSource = (): Promise<LiveSource> =>
  readEncodedSource(recipe, present(liveFolder(requireTool('cacheFolder')), 'live test stream'));

async function respond(live: Live, asked: IncomingMessage, answer: ServerResponse): Promise<void> {
  const { url = '/' } = asked;
  if (url.startsWith('/manifest.mpd')) {
    answer.setHeader('Content-Type', 'application/dash+xml');
    answer.end(manifest(live));
  } else if (url === `/${CLOCK}`) {
    answer.setHeader('Content-Type', 'text/plain');
    answer.setHeader('Cache-Control', 'no-store');
    answer.end(await clockText());
  } else {
    await answerFile(live, { url, range: rangeOf(asked) }, answer);
  }
}

/** `/<track>/init.mp4` or `/<track>/<number>.m4s`. */
async function answerFile(
  live: Live,
  { url, range }: { url: string; range: string | undefined },
  answer: ServerResponse,
): Promise<void> {
  const [, id = '', file = ''] = /^\/([\w-]+)\/([\w.]+)/.exec(url) ?? [];
  const track = live.source.tracks.find((each) => each.id === id);
  if (track && file === 'init.mp4') {
    answer.end(await live.source.initialization(track));
  } else if (track && /^\d+\.m4s$/.test(file)) {
    await answerSegment(live, { track, number: parseInt(file, 10), range }, answer);
  } else {
    answer.writeHead(404).end();
  }
}

const chunksPerSegment = ({
  recipe: { segmentSeconds, chunkSeconds = segmentSeconds },
}: LiveSource): number => segmentSeconds / chunkSeconds;

function manifest({ source, startUnixMs, isLowLatency, ...placed }: Live): string {
  const tracks = source.tracks.map((track) => grouped(track, chunksPerSegment(source)));
  return liveMpd({
    recipe: source.recipe,
    tracks,
    startUnixMs,
    nowUnixMs: Date.now(),
    isLowLatency,
    ...placed,
  });
}

/** A range is defined for GET alone (RFC 9110 §14.2). */
const rangeOf = ({ method, headers }: IncomingMessage): string | undefined =>
  method === 'GET' ? headers.range : undefined;

/**
 * Sends segment `number` (from 1 on), or a range of it; 404 before it is there. Low latency: sends its chunks, each when it is
 * due, and no range, because its size is not known before its end.
 */
async function answerSegment(
  { source, startUnixMs, isLowLatency }: Live,
  { track, number, range }: { track: Track; number: number; range: string | undefined },
  answer: ServerResponse,
): Promise<void> {
  const { segments, segmentSeconds, chunkSeconds = segmentSeconds } = source.recipe;
  const count = chunksPerSegment(source);
  const loop = Math.floor((number - 1) / segments);
  const first = ((number - 1) % segments) * count;
  const beganUnixMs = startUnixMs + (number - 1) * segmentSeconds * 1000;
  const dueUnixMs = (chunk: number): number =>
    beganUnixMs + 1000 * (isLowLatency ? (chunk + 1) * chunkSeconds : segmentSeconds);
  if (Date.now() < dueUnixMs(0)) return void answer.writeHead(404).end();
  const shiftTicks = loop * segments * segmentSeconds * track.timescale;
  const chunkAt = async (chunk: number): Promise<Buffer> =>
    shiftedSegment(await source.chunk(track, first + chunk), shiftTicks);
  if (!isLowLatency) {
    const chunks = await Promise.all(Array.from({ length: count }, (_, chunk) => chunkAt(chunk)));
    return answerRange(Buffer.concat(chunks), range, answer);
  }
  for (let chunk = 0; chunk < count; chunk++) {
    await sleep(Math.max(0, dueUnixMs(chunk) - Date.now()));
    if (answer.destroyed) return;
    answer.write(await chunkAt(chunk));
  }
  answer.end();
}

function answerRange(segment: Buffer, range: string | undefined, answer: ServerResponse): void {
  const part = readRange(range, segment.length);
  const { status, headers } = headOfPart(part, segment.length);
  answer.writeHead(status, headers).end(part && segment.subarray(part.first, part.last + 1));
}

/** What a live stream repeats for ever. */
export interface LiveSource {
  readonly recipe: Pick<Recipe, 'title' | 'framesPerSecond' | 'segmentSeconds' | 'segments' | 'chunkSeconds'>;
  /** With the chunks in place of segments, where segments have several. */
  readonly tracks: readonly Track[];
  initialization(track: Track): Promise<Buffer>;
  /** Resolves to a chunk as it was encoded, at the time of its first round. */
  chunk(track: Track, index: number): Promise<Buffer>;
}

/** The source of an encoded recipe: one MP4 per track, kept in memory. */
export async function readEncodedSource(recipe: Recipe, folder: string): Promise<LiveSource> {
  const tracks = readTracks(recipe, folder);
  const files = new Map<string, Buffer>();
  for (const { id } of tracks) files.set(id, await readFile(join(folder, `${id}.mp4`)));
  const part = (track: Track, from: number, sizeBytes: number): Promise<Buffer> =>
    Promise.resolve(files.get(track.id)!.subarray(from, from + sizeBytes));
  return {
    recipe,
    tracks,
    initialization: (track) => part(track, 0, track.initializationBytes),
    chunk: (track, index) => part(track, track.segments[index]!.offset, track.segments[index]!.sizeBytes),
  };
}

interface LiveMpdOptions {
  readonly recipe: LiveSource['recipe'];
  /** With whole segments, see `grouped`. */
  readonly tracks: readonly Track[];
  /** When the first segment began. */
  readonly startUnixMs: number;
  readonly nowUnixMs: number;
  /** Segments may be asked for as soon as their first chunk is there. */
  readonly isLowLatency: boolean;
  /** Absent: three segments, or one with low latency. */
  readonly delaySeconds?: number;
  /** Absent: 30 s. */
  readonly windowSeconds?: number;
}

const WINDOW_SECONDS = 30;

/** Where the server says what time it is, beside the manifest. */
const CLOCK = 'time';

/**
 * The MPD of an endless live stream that repeats encoded segments, with number-based templates: it never needs an update,
 * so clients may keep it for ten seconds. PURE: the clock is an argument.
 */
export function liveMpd({
  recipe,
  tracks,
  startUnixMs,
  nowUnixMs,
  isLowLatency,
  ...asked
}: LiveMpdOptions): string {
  const { segmentSeconds, chunkSeconds = segmentSeconds } = recipe;
  const {
    delaySeconds = isLowLatency ? segmentSeconds : 3 * segmentSeconds,
    windowSeconds = WINDOW_SECONDS,
  } = asked;
  const time = (unixMs: number): string => new Date(unixMs).toISOString();
  return mpd({
    ...recipe,
    addressing: 'template',
    tracks,
    periods: [{ first: 0, count: recipe.segments }],
    live: {
      attributes: {
        availabilityStartTime: time(startUnixMs),
        publishTime: time(nowUnixMs),
        minimumUpdatePeriod: 'PT10S',
        timeShiftBufferDepth: `PT${windowSeconds}S`,
        suggestedPresentationDelay: `PT${delaySeconds}S`,
      },
      endings: [...(isLowLatency ? [serviceDescription(segmentSeconds)] : []), CLOCK_OF_SERVER],
      early: isLowLatency
        ? { availabilityTimeOffset: String(segmentSeconds - chunkSeconds), availabilityTimeComplete: 'false' }
        : {},
    },
  });
}

/**
 * The server's own clock: no public time server is asked. A player asks for it when it has read the manifest, and takes half
 * of the round trip into account. A time in the document itself is late by the whole download of the document, and dash.js
 * reads whole seconds of it.
 */
const CLOCK_OF_SERVER = element('UTCTiming', {
  schemeIdUri: 'urn:mpeg:dash:utc:http-iso:2014',
  value: CLOCK,
});

/** What latency the service aims at, and how far a player may bend its rate to get there (DASH-IF IOP Part 9). */
function serviceDescription(segmentSeconds: number): string {
  const target = segmentSeconds * 1000;
  return element('ServiceDescription', { id: 0 }, [
    element('Latency', { target, min: target / 2, max: target * 3 }),
    element('PlaybackRate', { min: 0.96, max: 1.04 }),
  ]);
}
