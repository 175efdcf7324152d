import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';

/** What a server of files does wrong. */
export interface Change {
  /** Changes the text of manifests; {BEHIND} becomes host and port of this server. */
  readonly text?: (text: string, pathname: string) => string;
  /** Answers itself; true where it has. */
  readonly answer?: (asked: IncomingMessage, answer: ServerResponse, body: Buffer | null) => boolean;
}

/** A server of files as it should be: types, ETag, conditions, ranges, 404. */
export function serveFiles(folder: string, { text = (same) => same, answer: own }: Change): RequestListener {
  return (asked, answer) => {
    const { pathname } = new URL(asked.url!, 'http://localhost');
    const file = path.join(folder, path.normalize(pathname));
    const isThere = existsSync(file) && statSync(file).isFile();
    const bytes = isThere ? readFileSync(file) : null;
    const body =
      bytes && /\.(mpd|m3u8)$/.test(file)
        ? Buffer.from(text(bytes.toString(), pathname).replaceAll('{BEHIND}', placeOf(asked)))
        : bytes;
    if (own?.(asked, answer, body)) return;
    if (body === null) return void answer.writeHead(404).end('not found');
    answer.setHeader('content-type', TYPES[path.extname(file)] ?? 'application/octet-stream');
    sendBody(asked, answer, body);
  };
}

const placeOf = ({ socket }: IncomingMessage): string => `127.0.0.1:${socket.localPort}`;

const TYPES: Readonly<Record<string, string>> = {
  '.mpd': 'application/dash+xml',
  '.m3u8': 'application/vnd.apple.mpegurl',
  '.m4s': 'video/iso.segment',
  '.mp4': 'video/mp4',
};

export function sendBody(asked: IncomingMessage, answer: ServerResponse, body: Buffer): void {
  const etag = `"${createHash('sha256').update(body).digest('hex').slice(0, 16)}"`;
  answer.setHeader('etag', etag);
  if (asked.headers['if-none-match'] === etag) return void answer.writeHead(304).end();
  const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(asked.headers.range ?? '') ?? [];
  const part = from === undefined ? body : body.subarray(Number(from), Number(to) + 1);
  if (from !== undefined)
    answer.setHeader('content-range', `bytes ${from}-${Number(from) + part.length - 1}/${body.length}`);
  answer.writeHead(from === undefined ? 200 : 206, { 'content-length': part.length }).end(part);
}

export interface Started {
  readonly port: number;
  stop(): Promise<void>;
}

/** Starts it on a free port of 127.0.0.1. */
export async function startFiles(folder: string, change: Change): Promise<Started> {
  const server = createServer(serveFiles(folder, change));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
