import { execFileSync } from 'node:child_process';
import { constants, createWriteStream, mkdtempSync, openSync, rmSync, type WriteStream } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { formatFileError } from '../../../node/files.ts';
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
  /** Where a browser is to write its NetLog: one at a time, the next when the one before is closed. */
  readonly netLogFile: string;
  stop(): Promise<void>;
}

/** A question has the requests of about a second. */
const MAX_ASKED_BYTES = 4e6;
/** What a browser has written when it ends is read by then. */
const LAST_WORDS_MS = 200;

/**
 * Starts the server on loopback. The NetLog is a pipe: as a file it would take 1 MB of the disk for each second of play.
 * @param copyTo file that gets the NetLog of the last browser; null: it is not kept
 * @throws Error in one sentence where there are no named pipes, or the copy cannot be written
 */
export async function startRaceServer(copyTo: string | null): Promise<RaceServer> {
  const folder = mkdtempSync(path.join(tmpdir(), 'pitwall-netlog-'));
  const netLogFile = path.join(folder, 'netlog');
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  try {
    makePipe(netLogFile);
    const follower = createNetLogFollower();
    const copy = copyTo === null ? null : openCopy(copyTo);
    // Open for writing too: the pipe then does not end while one browser goes and the next comes.
    const fd = openSync(netLogFile, constants.O_RDWR | constants.O_NONBLOCK);
    const pipe = new Socket({ fd, readable: true });
    pipe.setEncoding('utf8').on('data', (text: string) => {
      follower.push(text);
      copy?.write(text);
    });
    const answer = createLiveRaces();
    const server = createServer((request, response) => {
      void answerTo(request, (asked) => answer(asked, follower.facts()))
        .catch(() => ({ status: 400, body: '' }))
        .then(({ status, body }) => response.writeHead(status, JSON_HEADERS).end(body));
    });
    const { port } = await listening(server, undefined);
    return {
      proxyUrl: `http://127.0.0.1:${port}`,
      netLogFile,
      async stop() {
        await pause(copy === null ? 0 : LAST_WORDS_MS);
        pipe.destroy();
        server.close();
        server.closeAllConnections();
        if (copy) await new Promise<void>((resolve) => copy.end(() => resolve()));
        remove();
      },
    };
  } catch (error) {
    remove();
    throw error;
  }
}

const JSON_HEADERS = { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' };

function makePipe(file: string): void {
  try {
    execFileSync('mkfifo', ['-m', '600', file], { stdio: 'pipe' });
  } catch (error) {
    throw new Error(`A named pipe for the browser's NetLog could not be made: ${(error as Error).message}`);
  }
}

function openCopy(file: string): WriteStream {
  try {
    const copy = createWriteStream(file, { fd: openSync(file, 'w') });
    return copy.on(
      'error',
      (error) => void process.stderr.write(`pitwall: ${formatFileError(file, error)}\n`),
    );
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

/** Chromium's first line; in an event a quote would be escaped. */
const HEAD = '{"constants":';
const MAX_LINE_CHARS = 32e6;

/** Reads a NetLog that grows, and after it that of the next browser. */
export function createNetLogFollower(): { push(text: string): void; facts(): NetLogFacts | null } {
  const newReader = () => createNetLogReader({ ...createCauseFolds(), ...createForgettingFold() });
  let [reader, rest, hasHead] = [newReader(), '', false];
  return {
    push(text) {
      rest += text;
      const head = rest.lastIndexOf(HEAD);
      // A browser that was killed leaves a torn line, and the next one goes on in it.
      if (head !== -1) [reader, rest, hasHead] = [newReader(), rest.slice(head), false];
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
