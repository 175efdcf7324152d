import { timingSafeEqual } from 'node:crypto';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { formatFileError, makeFolder } from '../../node/files.ts';
import type { Trial } from '../design/trialFile.ts';
import { openDayLogs, type DayLogs } from '../store/dayLogs.ts';
import { networkOf, sha256 } from '../store/hash.ts';
import { keepTrial, mustContinue, wasKilled } from '../store/readTrialFolder.ts';
import { collect, MAX_PENDING_BYTES, type Answer } from './collect.ts';
import { createRateLimit, type RateLimit } from './rateLimit.ts';
import { steer } from './steer.ts';

/** A file of this name in the folder turns the kill switch on; without it the trial runs. */
export const KILL_FILE = 'kill';
const KILL_POLL_MS = 500;

interface ServerOptions {
  readonly folder: string;
  readonly host: string;
  readonly port: number;
  /** The address at which players reach the server, without a slash at its end; absent: only what is on this machine does. */
  readonly url?: string;
  /** Secret of `POST /kill` and `POST /resume`; null: these answer 404. */
  readonly token: string | null;
  /** Bodies a second of one network prefix. */
  readonly perSecond?: number;
  /** Reads the address of the viewer from the last entry of X-Forwarded-For: only behind a proxy of one's own. */
  readonly behindProxy?: boolean;
  /** Receives a sentence where rows could not be written. */
  readonly report: (sentence: string) => void;
}

/** A steering server with a collector. */
export interface TrialServer {
  /** Where it listens. */
  readonly url: string;
  /** Whether the kill switch is on. */
  isKilled(): boolean;
  stop(): Promise<void>;
}

interface Site extends ServerOptions {
  readonly trial: Trial;
  readonly logs: DayLogs;
  readonly limit: RateLimit;
  isKilled(): boolean;
  setKilled(killed: boolean): void;
}

const HEADERS = {
  'Access-Control-Allow-Origin': '*',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
} as const;

/** Starts the server of a trial. @throws Error in one sentence, about a folder, one of another trial too, or a port that cannot be used */
export async function startTrialServer(trial: Trial, options: ServerOptions): Promise<TrialServer> {
  const { folder, host, port } = options;
  makeFolder(folder);
  await mustContinue(folder, trial);
  keepTrial(folder, trial);
  const logs = openDayLogs(folder);
  const killFile = path.join(folder, KILL_FILE);
  // As the log has it: what was turned while no server ran is a turn, too.
  let killed = await wasKilled(folder);
  const noteSwitch = (next: boolean): void => {
    if (next === killed) return;
    killed = next;
    const atMs = Date.now();
    logs
      .append('switches', atMs, [{ atMs, killed }])
      .catch((error: unknown) => options.report(String(error)));
  };
  noteSwitch(existsSync(killFile));
  const poll = setInterval(() => noteSwitch(existsSync(killFile)), KILL_POLL_MS);
  poll.unref();
  const site: Site = {
    ...options,
    trial,
    logs,
    limit: createRateLimit({ perSecond: options.perSecond ?? 20, burst: 100 }),
    isKilled: () => killed,
    setKilled(next) {
      if (next) writeFileSync(killFile, '');
      else rmSync(killFile, { force: true });
      noteSwitch(next);
    },
  };
  const server = createServer({ keepAliveTimeout: 5000, headersTimeout: 10_000, requestTimeout: 15_000 });
  server.on('request', (request, response) => void answerRequest(site, request, response));
  await listen(server, { host, port });
  const { port: bound } = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}`,
    isKilled: () => killed,
    async stop() {
      clearInterval(poll);
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
      await logs.close();
    },
  };
}

function listen(server: Server, { host, port }: Pick<ServerOptions, 'host' | 'port'>): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        new Error(
          error.code === 'EADDRINUSE' ? `Port ${port} is in use: --port names another.` : error.message,
        ),
      ),
    );
    server.listen({ port, host }, resolve);
  });
}

async function answerRequest(site: Site, request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    send(response, await answerOf(site, request));
  } catch (error) {
    site.report(formatFileError(site.folder, error));
    send(response, { status: 503, reason: 'The row could not be written.' });
  }
}

function send(response: ServerResponse, { status, reason, body, type, headers }: Answer): void {
  const text = body ?? (reason === undefined ? '' : JSON.stringify({ error: reason }));
  response.writeHead(status, {
    ...HEADERS,
    ...headers,
    ...(text !== '' && { 'Content-Type': type ?? 'application/json' }),
    'Content-Length': Buffer.byteLength(text),
  });
  response.end(text);
}

async function answerOf(site: Site, request: IncomingMessage): Promise<Answer> {
  const [place = '', query = ''] = (request.url ?? '').split('?', 2);
  const asked = `${request.method} ${place}`;
  switch (asked) {
    case 'GET /steering':
      return answerSteering(site, query);
    case 'POST /events':
      return collect(site, request, { network: networkOf(site.trial, addressOf(site, request)) });
    case 'POST /kill':
    case 'POST /resume':
      return turnSwitch(site, request, place === '/kill');
    case 'GET /health':
      return { status: 200, body: JSON.stringify({ trial: site.trial.name, killed: site.isKilled() }) };
    default:
      return request.method === 'OPTIONS'
        ? {
            status: 204,
            headers: { 'Access-Control-Allow-Headers': 'Content-Type', 'Access-Control-Max-Age': '86400' },
          }
        : { status: 404, reason: 'There is GET /steering and POST /events.' };
  }
}

const MAX_QUERY = 2000;

function answerSteering(site: Site, query: string): Answer {
  if (query.length > MAX_QUERY)
    return { status: 414, reason: `The query has more than ${MAX_QUERY} characters.` };
  const { trial, logs } = site;
  const nowMs = Date.now();
  const steered = steer(trial, new URLSearchParams(query), {
    nowMs,
    isKilled: site.isKilled(),
    hash: sha256,
    url: site.url ?? null,
  });
  if (!steered.ok) return { status: 400, reason: steered.error };
  const { manifest, row } = steered.value;
  // The player does not wait for the disk: a lost row is one session less, in any arm.
  if (row !== null && logs.pendingBytes() < MAX_PENDING_BYTES)
    logs.append('assignments', nowMs, [row]).catch((error: unknown) => site.report(String(error)));
  return { status: 200, body: JSON.stringify(manifest) };
}

function turnSwitch(site: Site, request: IncomingMessage, killed: boolean): Answer {
  const { token } = site;
  if (token === null) return { status: 404, reason: 'The server was started without a token.' };
  const given = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
  // Hashes have one length, so that the time of the comparison tells nothing.
  if (!timingSafeEqual(sha256(given), sha256(token)))
    return { status: 401, reason: 'The token is not the one of the server.' };
  site.setKilled(killed);
  return { status: 200, body: JSON.stringify({ killed }) };
}

function addressOf({ behindProxy = false }: Site, request: IncomingMessage): string | undefined {
  const forwarded = behindProxy ? request.headers['x-forwarded-for'] : undefined;
  const entries = (Array.isArray(forwarded) ? forwarded.join(',') : (forwarded ?? '')).split(',');
  const last = entries.at(-1)!.trim();
  return last === '' ? request.socket.remoteAddress : last;
}
