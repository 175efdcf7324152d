/** A live stream: encoded segments repeated for ever, each available when its time has come. */
import { createServer, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { requireTool } from '../tools.ts';
import { shiftedSegment } from './boxes.ts';
import { cachedFolder, cachedPath } from './cachedFolder.ts';
import { present } from './demoMounts.ts';
import { encodeTracks, type EncodeOptions } from './encodeTracks.ts';
import { grouped } from './grouped.ts';
import { liveRecipe as recipe } from './ladder.ts';
import { listening } from './listening.ts';
import { liveMpd } from './liveMpd.ts';
import { encodedSource, type LiveSource } from './liveSource.ts';
import type { Track } from './track.ts';

export interface LiveStream {
  /** `http://127.0.0.1:PORT`, for `mounts: { '/media/live': { proxyUrl } }` of an origin; `/manifest.mpd` below it. */
  readonly proxyUrl: string;
  /** Begins it anew, so that it is `ageSeconds` old at a moment: what comes then hangs on the time since that moment alone. */
  restart(atUnixMs: number): void;
  stop(): Promise<void>;
}

interface Live {
  readonly source: LiveSource;
  startUnixMs: number;
  readonly isLowLatency: boolean;
}

export interface LiveOptions {
  readonly isLowLatency?: boolean;
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
}: LiveOptions = {}): Promise<LiveStream> {
  const startedAt = (unixMs: number): number => unixMs - ageSeconds * 1000;
  const live: Live = {
    source: source ?? (await testSource()),
    startUnixMs: startedAt(Date.now()),
    isLowLatency,
  };
  const server = createServer((asked, answer) => {
    answerPath(live, asked.url ?? '/', answer).catch((error: unknown) => answer.destroy(error as Error));
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
  encodedSource(recipe, present(liveFolder(requireTool('cacheFolder')), 'live test stream'));

async function answerPath(live: Live, url: string, answer: ServerResponse): Promise<void> {
  const [, id = '', file = ''] = /^\/([\w-]+)\/([\w.]+)/.exec(url) ?? [];
  const track = live.source.tracks.find((each) => each.id === id);
  if (url.startsWith('/manifest.mpd')) {
    answer.setHeader('Content-Type', 'application/dash+xml');
    answer.end(manifest(live));
  } else if (track && file === 'init.mp4') {
    answer.end(await live.source.initialization(track));
  } else if (track && /^\d+\.m4s$/.test(file)) {
    await answerSegment(live, { track, number: parseInt(file, 10) }, answer);
  } else {
    answer.writeHead(404).end();
  }
}

const chunksPerSegment = ({
  recipe: { segmentSeconds, chunkSeconds = segmentSeconds },
}: LiveSource): number => segmentSeconds / chunkSeconds;

function manifest({ source, startUnixMs, isLowLatency }: Live): string {
  const tracks = source.tracks.map((track) => grouped(track, chunksPerSegment(source)));
  return liveMpd({ recipe: source.recipe, tracks, startUnixMs, nowUnixMs: Date.now(), isLowLatency });
}

/** Sends the chunks of segment `number` (from 1 on), each when it is due; 404 before the first is. */
async function answerSegment(
  { source, startUnixMs, isLowLatency }: Live,
  { track, number }: { track: Track; number: number },
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
  for (let chunk = 0; chunk < count; chunk++) {
    await sleep(Math.max(0, dueUnixMs(chunk) - Date.now()));
    if (answer.destroyed) return;
    answer.write(shiftedSegment(await source.chunk(track, first + chunk), shiftTicks));
  }
  answer.end();
}
