/** A live stream for tests: encoded segments repeated for ever, each available when its time has come. */
import { readFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { requireTool } from '../tools.ts';
import { shiftedSegment } from './boxes.ts';
import { cachedFolder, cachedPath } from './cachedFolder.ts';
import { present } from './demoMounts.ts';
import { encodeTracks, type EncodeOptions } from './encodeTracks.ts';
import { grouped } from './grouped.ts';
import { liveRecipe as recipe } from './ladder.ts';
import { liveMpd } from './liveMpd.ts';
import { readTracks, type Track } from './track.ts';

export interface LiveStream {
  /** `http://127.0.0.1:PORT`, for `mounts: { '/media/live': { proxyUrl } }` of an origin; `/manifest.mpd` below it. */
  readonly proxyUrl: string;
  stop(): Promise<void>;
}

interface Live {
  readonly chunks: Readonly<Record<string, { readonly track: Track; readonly bytes: Buffer }>>;
  readonly startUnixMs: number;
  readonly isLowLatency: boolean;
}

const chunksPerSegment = recipe.segmentSeconds / recipe.chunkSeconds;

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
export async function startLiveStream({ isLowLatency = false, ageSeconds = 60 } = {}): Promise<LiveStream> {
  const folder = present(liveFolder(requireTool('cacheFolder')), 'live test stream');
  const tracks = await readTracks(recipe, folder);
  const entries = tracks.map(
    async (track) => [track.id, { track, bytes: await readFile(join(folder, `${track.id}.mp4`)) }] as const,
  );
  const live: Live = {
    chunks: Object.fromEntries(await Promise.all(entries)),
    startUnixMs: Date.now() - ageSeconds * 1000,
    isLowLatency,
  };
  const server = createServer((asked, answer) => {
    answerPath(live, asked.url ?? '/', answer).catch((error: unknown) => answer.destroy(error as Error));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    proxyUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answerPath(live: Live, url: string, answer: ServerResponse): Promise<void> {
  const [, id = '', file = ''] = /^\/([\w-]+)\/([\w.]+)/.exec(url) ?? [];
  const source = live.chunks[id];
  if (url.startsWith('/manifest.mpd')) {
    answer.setHeader('Content-Type', 'application/dash+xml');
    answer.end(manifest(live));
  } else if (source && file === 'init.mp4') {
    answer.end(source.bytes.subarray(0, source.track.initializationBytes));
  } else if (source && /^\d+\.m4s$/.test(file)) {
    await answerSegment(live, { ...source, number: parseInt(file, 10) }, answer);
  } else {
    answer.writeHead(404).end();
  }
}

function manifest({ chunks, startUnixMs, isLowLatency }: Live): string {
  const tracks = Object.values(chunks).map(({ track }) => grouped(track, chunksPerSegment));
  return liveMpd({ recipe, tracks, startUnixMs, nowUnixMs: Date.now(), isLowLatency });
}

/** Sends the chunks of segment `number` (from 1 on), each when it is due; 404 before the first is. */
async function answerSegment(
  { startUnixMs, isLowLatency }: Live,
  { track, bytes, number }: { track: Track; bytes: Buffer; number: number },
  answer: ServerResponse,
): Promise<void> {
  const loop = Math.floor((number - 1) / recipe.segments);
  const first = ((number - 1) % recipe.segments) * chunksPerSegment;
  const beganUnixMs = startUnixMs + (number - 1) * recipe.segmentSeconds * 1000;
  const dueUnixMs = (chunk: number): number =>
    beganUnixMs + 1000 * (isLowLatency ? (chunk + 1) * recipe.chunkSeconds : recipe.segmentSeconds);
  if (Date.now() < dueUnixMs(0)) return void answer.writeHead(404).end();
  const shiftTicks = loop * recipe.segments * recipe.segmentSeconds * track.timescale;
  for (const [chunk, { offset, sizeBytes }] of track.segments
    .slice(first, first + chunksPerSegment)
    .entries()) {
    await sleep(Math.max(0, dueUnixMs(chunk) - Date.now()));
    if (answer.destroyed) return;
    answer.write(shiftedSegment(bytes.subarray(offset, offset + sizeBytes), shiftTicks));
  }
  answer.end();
}
