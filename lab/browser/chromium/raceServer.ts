import { execFileSync } from 'node:child_process';
import { constants, createWriteStream, existsSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { formatFileError } from '../../../node/files.ts';
import { warn } from '../../../node/print.ts';
import {
  createForgettingFold,
  createLiveRaces,
  type AskedRaces,
} from '../../../src/telemetry/join/liveRaces.ts';
import { createCauseFolds } from '../../../src/telemetry/netlog/foldCauses.ts';
import type { NetLogFacts } from '../../../src/telemetry/netlog/netLogFacts.ts';
import { createNetLogReader } from '../../../src/telemetry/netlog/readNetLog.ts';
import { listening } from '../../content/listening.ts';
import { withoutUncounted } from './readNetLogFile.ts';

/** Answers the page with the races in the NetLog of a browser, while the browser writes it. */
export interface RaceServer {
  /** `http://127.0.0.1:PORT`, for a private mount of an origin. */
  readonly proxyUrl: string;
  /** Where a browser is to write its NetLog; the page gets races of the one that came last. */
  readonly netLogFile: string;
  stop(): Promise<void>;
}

/** A question has the requests of about a second. */
const MAX_ASKED_BYTES = 4e6;
/** What a browser has written when it ends is read by then. */
const LAST_WORDS_MS = 200;

/**
 * Starts the server on loopback. A NetLog is a pipe: as a file it would take 1 MB of the disk for each second of play.
 * @param copyTo file that gets the NetLog of the first browser; those of others go to FILE-2, …; null: none is kept
 * @throws Error in one sentence where there are no named pipes, or the copy cannot be written
 */
export async function startRaceServer(copyTo: string | null): Promise<RaceServer> {
  const folder = mkdtempSync(path.join(tmpdir(), 'pitwall-netlog-'));
  const netLogFile = path.join(folder, 'netlog');
  const pipes: Socket[] = [];
  const remove = (): void => {
    for (const pipe of pipes) pipe.destroy();
    rmSync(folder, { recursive: true, force: true });
  };
  const copies: ReturnType<typeof openCopy>[] = [];
  let newest = createNetLogFollower();
  // Two browsers would mix their lines in one pipe: where one writes, the next finds another.
  const awaitBrowser = (): void => {
    const place = pipes.push(openPipe(netLogFile)) - 1;
    const follower = createNetLogFollower();
    const begin = (): void => {
      newest = follower;
      try {
        awaitBrowser();
        if (copyTo !== null && place > 0) copies[place] = openNumbered(copyTo, place + 1);
      } catch (error) {
        warn((error as Error).message);
      }
    };
    pipes[place]!.once('data', begin).on('data', (text: string) => {
      follower.push(text);
      copies[place]?.write(text);
    });
  };
  try {
    if (copyTo !== null) copies.push(openCopy(copyTo));
    awaitBrowser();
    const answer = createLiveRaces();
    const server = createServer((request, response) => {
      void answerTo(request, (asked) => answer(asked, newest.facts()))
        .catch(() => ({ status: 400, body: '' }))
        .then(({ status, body }) => response.writeHead(status, JSON_HEADERS).end(body));
    });
    const { port } = await listening(server, undefined);
    return {
      proxyUrl: `http://127.0.0.1:${port}`,
      netLogFile,
      async stop() {
        await pause(copyTo === null ? 0 : LAST_WORDS_MS);
        remove();
        server.close();
        server.closeAllConnections();
        await Promise.all(copies.map((copy) => new Promise((resolve) => copy.end(resolve))));
      },
    };
  } catch (error) {
    remove();
    throw error;
  }
}

const JSON_HEADERS = { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' };

function openPipe(file: string): Socket {
  rmSync(file, { force: true });
  try {
    execFileSync('mkfifo', ['-m', '600', file], { stdio: 'pipe' });
  } catch (error) {
    throw new Error(`A named pipe for the browser's NetLog could not be made: ${(error as Error).message}`);
  }
  // Open for writing too: it would end before a browser has come.
  const fd = openSync(file, constants.O_RDWR | constants.O_NONBLOCK);
  return new Socket({ fd, readable: true }).setEncoding('utf8');
}

/** Opens FILE-2 and so on, which nobody has named: what is there is kept. */
function openNumbered(copyTo: string, number: number): ReturnType<typeof openCopy> {
  const { dir, name, ext } = path.parse(copyTo);
  const file = path.join(dir, `${name}-${number}${ext}`);
  if (existsSync(file)) throw new Error(`${file}: It is there already; this browser's NetLog is not kept.`);
  return openCopy(file);
}

function openCopy(file: string): ReturnType<typeof createWriteStream> {
  try {
    const copy = createWriteStream(file, { fd: openSync(file, 'w') });
    return copy.on('error', (error) => warn(formatFileError(file, error)));
  } catch (error) {
    throw new Error(formatFileError(file, error));
  }
}

interface Answer {
  readonly status: number;
  readonly body: string;
}

/** Answers only what the page that lies beside it asks: a browser says so of each request, and no page can change that (Fetch Metadata). */
async function answerTo(request: IncomingMessage, answer: (asked: AskedRaces) => object): Promise<Answer> {
  const { method, headers } = request;
  if (method !== 'POST') return { status: 405, body: '' };
  if (headers['sec-fetch-site'] !== 'same-origin') return { status: 403, body: '' };
  if (!(Number(headers['content-length']) <= MAX_ASKED_BYTES)) return { status: 413, body: '' };
  const asked = JSON.parse(await textOf(request)) as AskedRaces;
  return { status: 200, body: JSON.stringify(answer(asked)) };
}

const MAX_LINE_CHARS = 32e6;

/** Reads a NetLog that grows. */
export function createNetLogFollower(): { push(text: string): void; facts(): NetLogFacts | null } {
  const reader = createNetLogReader({ ...createCauseFolds(), ...createForgettingFold() });
  let [rest, hasHead] = ['', false];
  return {
    push(text) {
      rest += text;
      const end = rest.lastIndexOf('\n') + 1;
      reader.push(rest.slice(0, end));
      hasHead ||= end > 0;
      rest = rest.length - end > MAX_LINE_CHARS ? '' : rest.slice(end);
    },
    facts() {
      // Only whole lines were pushed: the reader has nothing of a line to end.
      const facts = hasHead ? reader.end() : null;
      return facts?.ok ? withoutUncounted(facts.value) : null;
    },
  };
}
