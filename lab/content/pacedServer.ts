/**
 * Serves folders at the pace of a schedule, so that on one machine a rule has something to react to. The server waits
 * between the bytes of its bodies; that is done above HTTP, with any protocol. Nothing of a network is emulated: no delay, no
 * loss, no queue. For measurements there are links (`lab/link`).
 */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { headOfPart, readRange, type FilePart } from './byteRange.ts';
import { listening } from './listening.ts';
import { paces, sentAtMs, type Pace } from './paces.ts';

export interface PacedServer {
  /** `http://127.0.0.1:PORT`, for a mount of an origin. Below it: `/PACE/VIEWER/` and a path of the folders. */
  readonly proxyUrl: string;
  stop(): Promise<void>;
}

/** What one viewer receives: all bodies together have the rate of the pace, which begins with the manifest. */
interface Viewer {
  readonly pace: Pace;
  readonly startMs: number;
  /** When what was sent so far is through, in ms since `startMs`. */
  sentMs: number;
}

/** Each tab that opens a paced stream is a viewer. More than these at once are forgotten, the oldest first. */
const MAX_VIEWERS = 100;

/** Small enough for several steps a second at 64 kbit/s. */
const CHUNK_BYTES = 4096;

/** Starts serving on loopback. `folders`: URL prefix → folder. */
export async function startPacedServer(
  folders: Readonly<Record<string, string>>,
  schedules: readonly Pace[] = paces,
): Promise<PacedServer> {
  const viewers = new Map<string, Viewer>();
  const server = createServer((asked, answer) => {
    respond(asked, { folders, schedules, viewers, answer }).catch((error: unknown) =>
      answer.destroy(error as Error),
    );
  });
  const { port, leave } = await listening(server, undefined);
  return {
    proxyUrl: `http://127.0.0.1:${port}`,
    stop: async () => {
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
      await leave();
    },
  };
}

interface Serving {
  readonly folders: Readonly<Record<string, string>>;
  readonly schedules: readonly Pace[];
  readonly viewers: Map<string, Viewer>;
  readonly answer: ServerResponse;
}

async function respond(
  { url = '/', method = '', headers }: IncomingMessage,
  { folders, schedules, viewers, answer }: Serving,
): Promise<void> {
  if (!['GET', 'HEAD'].includes(method)) return void answer.writeHead(405, { Allow: 'GET, HEAD' }).end();
  const asked = await findFile(url, { folders, schedules });
  if (asked === null) return void answer.writeHead(404).end();
  const { file, size, pace, viewer } = asked;
  const part = readRange(method === 'GET' ? headers.range : undefined, size);
  const head = headOfPart(part, size);
  if (part === null) return void answer.writeHead(head.status, head.headers).end();
  answer.writeHead(head.status, {
    ...head.headers,
    'Content-Type': typeOf(file),
    'Cache-Control': 'no-store',
  });
  if (method === 'HEAD' || size === 0) return void answer.end();
  const key = `${pace.id}/${viewer}`;
  // Whoever loads the manifest begins to play: also after a reload of the page, or with a link that was shared.
  if (/\.mpd$|[\\/]manifest\.m3u8$/.test(file)) viewers.delete(key);
  await sendPart(answer, { file, ...part }, viewerOf(viewers, key, pace));
}

interface AskedFile {
  readonly file: string;
  readonly size: number;
  readonly pace: Pace;
  readonly viewer: string;
}

/** What a URL names; null where that is not there. */
async function findFile(
  url: string,
  { folders, schedules }: Pick<Serving, 'folders' | 'schedules'>,
): Promise<AskedFile | null> {
  const [, paceId = '', viewer = '', rest = ''] = /^\/([\w-]+)\/(\w{1,32})(\/[^?]*)/.exec(url) ?? [];
  const pace = schedules.find(({ id }) => id === paceId);
  const file = fileOf(folders, rest);
  const size = file === null ? null : await sizeOf(file);
  return !pace || file === null || size === null ? null : { file, size, pace, viewer };
}

async function sendPart(
  answer: ServerResponse,
  { file, first, last }: FilePart & { readonly file: string },
  viewer: Viewer,
): Promise<void> {
  const bytes = createReadStream(file, { start: first, end: last, highWaterMark: CHUNK_BYTES });
  for await (const chunk of bytes) {
    await turn(viewer, (chunk as Buffer).length);
    if (answer.destroyed) break;
    answer.write(chunk);
  }
  answer.end();
}

const typeOf = (file: string): string => TYPES[path.extname(file)] ?? 'application/octet-stream';

const TYPES: Readonly<Record<string, string>> = {
  '.mpd': 'application/dash+xml',
  '.m3u8': 'application/vnd.apple.mpegurl',
  '.mp4': 'video/mp4',
  '.m4s': 'video/iso.segment',
  '.json': 'application/json',
};

/** Resolves when so many bytes more have had their time. Bodies of one viewer take turns. */
async function turn(viewer: Viewer, bytes: number): Promise<void> {
  const nowMs = performance.now() - viewer.startMs;
  viewer.sentMs = sentAtMs(viewer.pace, Math.max(nowMs, viewer.sentMs), bytes);
  // Whoever stops the server need not wait for the end of an outage.
  await sleep(Math.max(0, viewer.sentMs - nowMs), undefined, { ref: false });
}

function viewerOf(viewers: Map<string, Viewer>, key: string, pace: Pace): Viewer {
  const known = viewers.get(key);
  if (known) return known;
  const [oldest] = viewers.keys();
  if (viewers.size >= MAX_VIEWERS && oldest !== undefined) viewers.delete(oldest);
  const viewer = { pace, startMs: performance.now(), sentMs: 0 };
  viewers.set(key, viewer);
  return viewer;
}

/** The file that a path names below one of the folders; null where it would lie outside, or its name begins with a dot. */
function fileOf(folders: Readonly<Record<string, string>>, rest: string): string | null {
  const [prefix, folder] = Object.entries(folders).find(([each]) => rest.startsWith(`${each}/`)) ?? [];
  if (prefix === undefined || folder === undefined) return null;
  const below = decoded(rest.slice(prefix.length));
  if (below === null || below.split('/').some((part) => part.startsWith('.'))) return null;
  const file = path.join(folder, below);
  return file.startsWith(folder + path.sep) ? file : null;
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

const sizeOf = (file: string): Promise<number | null> =>
  stat(file).then(
    (found) => (found.isFile() ? found.size : null),
    () => null,
  );
