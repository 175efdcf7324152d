import type { ServerResponse } from 'node:http';
import { contentMounts } from '../../lab/content/contentMounts.ts';
import type { RequestEvent } from '../../src/telemetry/event.ts';
import type { SessionLog } from '../../src/telemetry/schema/sessionLog.ts';
import { startEtagServer } from '../fixtures/etagServer.ts';
import { eventsOf, formatRequests, requestsIn } from '../fixtures/logEvents.ts';
import { misbehave } from '../fixtures/misbehave.ts';
import type { OpenSession, SessionOptions } from '../fixtures/openSession.ts';
import { expect, test } from '../fixtures/test.ts';

const RANGES = 20;
const ALLOW = { 'Access-Control-Allow-Origin': '*', 'Timing-Allow-Origin': '*' };

/** Plays single-file content from a server with validators until enough byte ranges were loaded. */
async function playRanges(
  open: (options: SessionOptions) => Promise<OpenSession>,
  preset: string,
  look: (session: OpenSession) => Promise<void>,
): Promise<SessionLog> {
  const server = await startEtagServer(contentMounts()['/media/test']!);
  try {
    const session = await open({ mpd: `${server.url}/base/manifest.mpd`, preset, mode: 'h1' });
    await session.playing();
    await expect.poll(async () => rangesIn(await session.log()).length).toBeGreaterThanOrEqual(RANGES);
    await look(session);
    return await session.stop();
  } finally {
    await server.stop();
  }
}

const rangesIn = (log: SessionLog): RequestEvent[] =>
  requestsIn(log, ['init', 'index', 'media']).filter(
    ({ range, outcome }) => range !== null && outcome === 'ok',
  );

/** Whether the same bytes had arrived by an earlier request. */
const isAskedBefore = (log: SessionLog, { url, range, startMs }: RequestEvent): boolean =>
  rangesIn(log).some(
    (other) => other.url === url && other.range === range && other.endMs! <= (startMs ?? -Infinity),
  );

test('the protocol of every byte range of one file is known, over plain http with ETag', async ({ open }) => {
  const log = await playRanges(open, 'experiment', () => Promise.resolve());
  const ranges = rangesIn(log);
  expect(ranges.length).toBeGreaterThanOrEqual(RANGES);
  expect(ranges.filter(({ protocol }) => protocol !== 'http/1.1')).toEqual([]);
  for (const { status, encodedBodyBytes, receivedBytes, range } of ranges) {
    const [first, last] = range!.split('-').map(Number);
    expect([status, encodedBodyBytes, receivedBytes]).toEqual([206, last! - first! + 1, last! - first! + 1]);
  }
  expect(log.environment.settings).toMatchObject({ 'pitwall.byteRanges': 'no-store' });
});

test('with dash.js as it ships it is not, and log and diagnostics say why', async ({ open }) => {
  const log = await playRanges(open, 'as-shipped', async ({ page }) => {
    await expect(page.getByText(/byte ranges through its cache/).first()).toBeVisible();
  });
  const unknown = rangesIn(log).filter(({ protocol }) => protocol === null);
  const first = unknown.filter((each) => !isAskedBefore(log, each));
  expect(first.length).toBeGreaterThan(RANGES / 2);
  for (const { missing } of first) expect(missing['protocol']).toBe('range-cache');
  // A level that comes again asks for its first bytes again: those the browser has, and may ask nobody.
  for (const { missing } of unknown) expect(['range-cache', 'cached']).toContain(missing['protocol']);
  // All but the protocol is there.
  for (const { firstByteMs } of unknown) expect(firstByteMs).not.toBeNull();
});

test('a range that fails is asked for again, and the log tells each failure', async ({ open, origin }) => {
  /** By turns: an error, a body that breaks off. Chromium itself asks again where a connection closes before any answer. */
  const faults: ((answer: ServerResponse, body: Buffer) => void)[] = [
    (answer) => answer.writeHead(503, ALLOW).end('busy'),
    (answer, body) => {
      answer.writeHead(206, { ...ALLOW, 'Content-Length': body.length });
      answer.write(body.subarray(0, body.length >> 1), () => setTimeout(() => answer.destroy(), 50));
    },
  ];
  // Only what is asked for the first time fails: a fault that met the repeat of another would be one of two attempts.
  const asked = new Set<string>();
  const server = await misbehave((request, response) => {
    const { range } = request.headers;
    const url = `http://127.0.0.1:${origin.httpPort}${request.url}`;
    void fetch(url, { headers: range ? { range } : {} }).then(async (answer) => {
      const body = Buffer.from(await answer.arrayBuffer());
      const isVideo = /video-\d\.mp4$/.test(request.url ?? '') && body.length > 1000;
      const isFirst = isVideo && !asked.has(`${request.url} ${range}`);
      if (isFirst) asked.add(`${request.url} ${range}`);
      const fault = isFirst && asked.size > 1 ? faults.shift() : undefined;
      if (fault) fault(response, body);
      else response.writeHead(answer.status, { ...ALLOW, 'Content-Length': body.length }).end(body);
    });
  });
  try {
    const session = await open({ mpd: `${server.url}/media/test/base/manifest.mpd` });
    await session.playing();
    await expect.poll(async () => rangesIn(await session.log()).length).toBeGreaterThanOrEqual(RANGES);
    const log = await session.stop();
    const failed = requestsIn(log).filter(({ outcome }) => outcome !== 'ok' && outcome !== 'aborted');
    const all = formatRequests(requestsIn(log, ['init', 'index', 'media']));
    expect(faults, all).toEqual([]);
    expect(
      failed.map(({ outcome, status, attempt }) => [outcome, status, attempt]),
      all,
    ).toEqual([
      ['http-error', 503, 0],
      ['network-error', null, 0],
    ]);
    for (const { missing, outcome } of failed)
      expect(missing['status'], all).toBe(outcome === 'http-error' ? undefined : 'failed');
    // The half that came is counted.
    expect(failed[1]!.receivedBytes, all).toBeGreaterThan(500);
    for (const { segment, range, rung } of failed)
      expect(
        rangesIn(log).some((one) => one.segment === segment && (one.rung !== rung || one.range === range)),
        all,
      ).toBe(true);
    expect(eventsOf(log, 'error').filter(({ fatal }) => fatal)).toEqual([]);
  } finally {
    await server.close();
  }
});
