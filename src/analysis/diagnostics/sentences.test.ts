import { readFileSync, readdirSync } from 'node:fs';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { RequestEvent, StallEvent } from '../../telemetry/event.ts';
import { readSession } from '../../telemetry/schema/readSession.ts';
import type { SessionLog } from '../../telemetry/schema/sessionLog.ts';
import { eventsOf } from '../timeline/log.ts';
import { createDiagnostics } from './diagnostics.ts';

/** What a sentence says of a stall, held against the events of its own log by other code than that which wrote it. */

const ROOT = new URL('../../../', import.meta.url);

const RECORDED = readdirSync(new URL('public/sessions/', ROOT)).map((name): [string, string] => [
  name,
  gunzipSync(readFileSync(new URL(`public/sessions/${name}`, ROOT))).toString(),
]);

const BASELINE = ['lab', 'old', 'sim'].flatMap((bundle) => {
  const packed = readFileSync(new URL(`baseline/data/${bundle}.json.br`, ROOT));
  const files = JSON.parse(brotliDecompressSync(packed).toString()) as Record<string, string>;
  return Object.entries(files).filter(([, text]) => text.startsWith('{"schema":"pitwall-session/'));
});

function logOf(text: string): SessionLog {
  const read = readSession(text);
  if (!read.ok) throw new Error(read.error);
  return read.value;
}

interface Said {
  readonly stall: StallEvent;
  readonly sentence: string;
}

function saidOf(log: SessionLog): Said[] {
  const diagnostics = createDiagnostics(log);
  for (const event of log.events) diagnostics.append(event);
  const stalls = new Map(eventsOf(log, 'stall').map((event) => [`stall:${event.id}`, event]));
  return diagnostics.findings().flatMap(({ id, sentence }) => {
    const stall = stalls.get(id);
    return stall ? [{ stall, sentence }] : [];
  });
}

const number = (text: string, pattern: RegExp): number | null => {
  const found = pattern.exec(text)?.[1];
  return found === undefined ? null : Number(found);
};

const endOf = ({ endMs }: RequestEvent): number => endMs ?? Infinity;

/** Requests that were on their way when playback ran dry, the longest first. */
const inFlightAt = (log: SessionLog, atMs: number): RequestEvent[] =>
  eventsOf(log, 'request')
    .filter((request) => request.type === 'media' && request.atMs <= atMs && endOf(request) > atMs)
    .sort((one, other) => endOf(other) - other.atMs - (endOf(one) - one.atMs));

/** Within the rounding of a sentence: a tenth of a second, or two digits of a rate. */
const near = (said: number, was: number): boolean => Math.abs(said - was) <= 0.051 + 0.02 * Math.abs(was);

function checkTimes(sentence: string, request: RequestEvent): void {
  const { atMs, endMs, firstByteMs, receivedBytes } = request;
  const took = number(sentence, / took ([\d.]+) s/);
  if (took !== null) expect(near(took, (endMs! - atMs) / 1000), `${sentence} (took)`).toBe(true);
  const waited = number(sentence, /: ([\d.]+) s until the first byte/);
  if (waited !== null) expect(near(waited, (firstByteMs! - atMs) / 1000), `${sentence} (wait)`).toBe(true);
  const rate = number(sentence, /(?:then|:) ([\d.]+) Mbit\/s/);
  if (rate === null) return;
  const fromMs = firstByteMs ?? atMs;
  const was = (8 * receivedBytes!) / Math.max(1, endMs! - fromMs) / 1000;
  expect(near(rate, was), `${sentence} (${was} Mbit/s came after the first byte)`).toBe(true);
}

function checkLoss(sentence: string, log: SessionLog, { id }: RequestEvent): void {
  const reports = eventsOf(log, 'transport').filter(({ requestId }) => requestId === id);
  const lost = reports.flatMap(({ races }) => races).find(({ netError }) => netError != null);
  expect(sentence.includes('net error'), sentence).toBe(lost !== undefined);
  if (lost) expect(sentence).toContain(`(net error ${lost.netError})`);
}

test.each([...RECORDED, ...BASELINE])('%s: each stall is explained by its own log', (_, text) => {
  const log = logOf(text);
  for (const { stall, sentence } of saidOf(log)) {
    const [longest, ...others] = inFlightAt(log, stall.atMs);
    expect(sentence.includes('no media request was in flight'), sentence).toBe(longest === undefined);
    if (others.length > 0) expect(sentence).toContain(`${others.length + 1} requests were in flight`);
    if (longest) {
      checkTimes(sentence, longest);
      checkLoss(sentence, log, longest);
    }
  }
});

test('these logs have stalls of every kind', () => {
  const said = [...RECORDED, ...BASELINE].flatMap(([, text]) => saidOf(logOf(text)));
  for (const words of [/until the first byte/, /net error/, / came, and playing/])
    expect(
      said.some(({ sentence }) => words.test(sentence)),
      words.source,
    ).toBe(true);
});
