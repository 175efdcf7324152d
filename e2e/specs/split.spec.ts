import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { labBrowser } from '../../lab/browser/registry.ts';
import { joinTruth } from '../../experiment/session/joinTruth.ts';
import type { RequestEvent } from '../../src/telemetry/event.ts';
import { checkSession } from '../../src/telemetry/schema/readSession.ts';
import type { SessionLog } from '../../src/telemetry/schema/sessionLog.ts';
import { answersOf, eventsOf, requestsIn, uriOf } from '../fixtures/logEvents.ts';
import { expect, test } from '../fixtures/test.ts';

const COUNT = 6;
const PROTOCOLS = { h1: 'http/1.1', 'h3-only': 'h3' } as const;

const videoIn = (log: SessionLog): RequestEvent[] =>
  requestsIn(log).filter(({ mediaType, outcome }) => mediaType === 'video' && outcome === 'ok');

/** The segment is one request whose ranges are what the origin answered, each byte once. */
function expectByteForByte(request: RequestEvent, answers: ReturnType<typeof answersOf>): void {
  const ranges = request.ranges!;
  const sum = (bytes: readonly number[]): number => bytes.reduce((total, each) => total + each, 0);
  const mine = answers.filter(({ uri }) => uri === uriOf(request));
  expect(ranges, request.url).toHaveLength(COUNT);
  expect(ranges.map(({ range, receivedBytes }) => `bytes=${range} ${receivedBytes}`).sort()).toEqual(
    mine.map(({ range, sizeBytes }) => `${range} ${sizeBytes}`).sort(),
  );
  const size = /\/(\d+)$/.exec(mine[0]!.responseHeaders['content-range'] ?? '')?.[1];
  expect(sum(mine.map(({ sizeBytes }) => sizeBytes)), request.url).toBe(Number(size));
  expect(request.receivedBytes).toBe(Number(size));
  expect([request.status, request.decodedBodyBytes, request.range]).toEqual([200, Number(size), null]);
}

/** The times of the request are those of its ranges, from the first start to the last byte. */
function expectOneTime({ startMs, firstByteMs, lastByteMs, ranges = [] }: RequestEvent): void {
  const of = (field: 'startMs' | 'firstByteMs' | 'lastByteMs'): number[] =>
    ranges.map((each) => each[field]!);
  expect([startMs, firstByteMs, lastByteMs]).toEqual([
    Math.min(...of('startMs')),
    Math.min(...of('firstByteMs')),
    Math.max(...of('lastByteMs')),
  ]);
}

const haveLeftAtOnce = (ranges: NonNullable<RequestEvent['ranges']>): boolean =>
  Math.max(...ranges.map(({ startMs }) => startMs!)) <
  Math.min(...ranges.map(({ firstByteMs }) => firstByteMs!));

for (const mode of ['h1', 'h3-only'] as const)
  test(`a segment in six ranges over ${mode} is one request, byte for byte`, async ({
    open,
    ownOrigin,
  }, info) => {
    const netLogFile = info.outputPath('net.json');
    await mkdir(path.dirname(netLogFile), { recursive: true });
    const session = await open({
      mpd: '/media/demo/manifest.mpd',
      mode,
      origin: ownOrigin,
      netLogFile,
      query: { split: String(COUNT) },
    });
    await session.playing();
    await expect.poll(async () => videoIn(await session.log()).length).toBeGreaterThanOrEqual(4);
    const log = await session.stop();
    await session.close();

    expect(log.environment.split).toBe(COUNT);
    expect(eventsOf(log, 'error')).toEqual([]);
    const answers = answersOf(ownOrigin, '/media/demo/');
    const segments = videoIn(log);
    for (const request of segments) {
      expectByteForByte(request, answers);
      expectOneTime(request);
      for (const { protocol } of request.ranges!) expect(protocol).toBe(PROTOCOLS[mode]);
    }
    // Only video is split.
    expect(
      requestsIn(log, ['init', 'media']).filter(({ ranges, mediaType }) => ranges && mediaType !== 'video'),
    ).toEqual([]);
    // Once the sizes are known, all ranges leave before any of them is answered.
    expect(segments.some(({ ranges }) => haveLeftAtOnce(ranges!))).toBe(true);

    const truth = await joinTruth(log, { browser: labBrowser, netLogFile, responses: null });
    expect(truth.faults).toEqual([]);
    expect(checkSession(JSON.parse(JSON.stringify(truth.log)))).toMatchObject({ ok: true });
    const races = new Map(
      eventsOf(truth.log, 'transport').flatMap((event) =>
        event.requestId ? [[event.requestId, event.races]] : [],
      ),
    );
    for (const { id } of segments) expect(races.get(id), id).toHaveLength(COUNT);
    const used = new Set(
      segments.flatMap(({ id }) => races.get(id)!.map(({ connectionId }) => connectionId)),
    );
    // h1 has a connection for each range at once, h3 one for all.
    if (mode === 'h3-only') expect(used.size).toBe(1);
    else expect(used.size).toBeGreaterThan(3);
  });
