import type { IncomingMessage } from 'node:http';
import { decodeBeacons, findForeignCohort, storedSession } from '../design/beacon.ts';
import type { Trial } from '../design/trialFile.ts';
import type { DayLogs } from '../store/dayLogs.ts';
import { sha256 } from '../store/hash.ts';
import { failed, ok, type Result } from '../../src/shared/result.ts';
import { decodeCmcdEvents } from './cmcdEvents.ts';
import type { RateLimit } from './rateLimit.ts';

export interface Answer {
  readonly status: number;
  /** Sentence for an error. */
  readonly reason?: string;
  readonly body?: string;
  /** Media type of the body; absent: JSON. */
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Collector {
  readonly trial: Trial;
  readonly logs: DayLogs;
  readonly limit: RateLimit;
}

/** A body of `POST /events` at most: 200 beacons have 100 kB. */
export const MAX_BODY_BYTES = 128_000;
/** Rows that wait for the disk at most. */
export const MAX_PENDING_BYTES = 16_000_000;

const LATER = { 'Retry-After': '5' } as const;
const CLOSE = { Connection: 'close' } as const;
const TOO_LONG = `The body has more than ${MAX_BODY_BYTES} bytes.`;

const FOREIGN = '/cohort is not the arm of its id: the page has the key or the arms of another trial.';

/**
 * Stores the beacons of a body, JSON lines, or its CMCD events (`application/cmcd`). They are on the disk before the answer 204. 400 says what is wrong, 413 and 429 ask for less.
 */
export async function collect(
  { trial, logs, limit }: Collector,
  request: IncomingMessage,
  { network }: { readonly network: string | null },
): Promise<Answer> {
  const receivedMs = Date.now();
  const sender = network === null ? 0 : Number.parseInt(network.slice(0, 8), 16);
  if (!limit.allows(sender, receivedMs) || logs.pendingBytes() > MAX_PENDING_BYTES)
    return {
      status: 429,
      reason: 'There are too many requests now.',
      headers: { ...LATER, ...CLOSE },
    };
  const body = await readBody(request);
  if (!body.ok) return { status: body.error === TOO_LONG ? 413 : 400, reason: body.error, headers: CLOSE };
  const received = { receivedMs, network, hash: sha256 };
  if ((request.headers['content-type'] ?? '').startsWith('application/cmcd')) {
    const events = decodeCmcdEvents(body.value, trial, received);
    if (!events.ok) return { status: 400, reason: events.error };
    await logs.append('events', receivedMs, events.value);
    return { status: 204 };
  }
  const beacons = decodeBeacons(body.value, trial);
  if (!beacons.ok) return { status: 400, reason: beacons.error };
  const foreign = findForeignCohort(trial, beacons.value, sha256);
  if (foreign >= 0) return { status: 400, reason: `Line ${foreign + 1}: ${FOREIGN}` };
  const rows = beacons.value.map((beacon) => storedSession(trial, beacon, received));
  await logs.append('sessions', receivedMs, rows);
  return { status: 204 };
}

/** Reads a body up to its limit; what is longer is not read. */
async function readBody(request: IncomingMessage): Promise<Result<string>> {
  if (Number(request.headers['content-length'] ?? 0) > MAX_BODY_BYTES) return failed(TOO_LONG);
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > MAX_BODY_BYTES) return failed(TOO_LONG);
      chunks.push(chunk);
    }
  } catch {
    // A page that is closed, or a network that is lost.
    return failed('The body ended before its length.');
  }
  return ok(Buffer.concat(chunks).toString('utf8'));
}
