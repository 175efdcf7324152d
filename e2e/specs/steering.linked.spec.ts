import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { readAccessLog } from '../../lab/caddy/accessLog.ts';
import { folderOf, type Origin } from '../../lab/caddy/origin.ts';
import { contentMounts } from '../../lab/content/contentMounts.ts';
import { createLink } from '../../lab/link/createLink.ts';
import type { Link } from '../../lab/link/link.ts';
import { linkMissing } from '../../lab/link/linkMissing.ts';
import { requireTool } from '../../lab/tools.ts';
import type { Profile } from '../../src/network/profile.ts';
import { abrRules } from '../../src/abr/registry.ts';
import { pick } from '../../src/shared/registry.ts';
import { replay } from '../../src/sim/replay/replay.ts';
import { replaySteering } from '../../src/sim/replay/replaySteering.ts';
import { throughput } from '../../src/steering/policies/throughput.ts';
import type { RequestEvent } from '../../src/telemetry/event.ts';
import type { SessionLog } from '../../src/telemetry/schema/sessionLog.ts';
import { appendedTwice } from '../fixtures/appendedTwice.ts';
import { eventsOf, requestsIn, uriOf } from '../fixtures/logEvents.ts';
import type { OpenSession, SessionOptions } from '../fixtures/openSession.ts';
import { startOrigin } from '../fixtures/startOrigin.ts';
import { expect, test } from '../fixtures/test.ts';

const missing = linkMissing();
test.skip(missing !== null && !process.env['CI'], missing ?? '');

const profile: Profile = {
  id: 'test',
  label: 'Test',
  paper: 'none',
  repeat: false,
  steps: [{ durationMs: 1, downKbps: 4000, upKbps: null, rttMs: 40, lossDown: 0, lossUp: 0 }],
  queue: { kind: 'droptail', bdp: 2 },
};

const LIMIT_KBPS = 64;
/** A QUIC connection without packets ends after 30 s. */
const GIVEN_UP_MS = 60_000;
/** The longest pause before a trial is 40 s, and it waits for the next segment. */
const BACK_WITHIN_MS = 60_000;
const MPD = '/media/demo/manifest.mpd';

interface Steered {
  readonly link: Link;
  readonly origin: Origin;
  readonly tcpOrigin: Origin;
  readonly session: OpenSession;
}

type Open = (options: SessionOptions) => Promise<OpenSession>;

/** A session over a link, whose origin has a second name without HTTP/3. */
async function steered(
  open: Open,
  { policy, limitKbps = null, rule }: { policy: string; limitKbps?: number | null; rule?: string },
  use: (steered: Steered) => Promise<void>,
): Promise<void> {
  const link = await createLink({ profile, seed: 1 });
  const started: { stop(): Promise<void> }[] = [];
  let session: OpenSession | null = null;
  try {
    const { namespace, address } = link.server;
    const origin = await startOrigin({ namespace, addresses: [address] });
    started.push(origin);
    const tcpOrigin = await startOrigin({
      namespace,
      addresses: [address],
      host: 'tcp.origin.test',
      httpsPort: 8444,
      httpPort: 8081,
      protocols: ['h1', 'h2'],
    });
    started.push(tcpOrigin);
    await link.limit('udp', limitKbps);
    const executablePath = await link.clientWrapper(requireTool('chromium'));
    session = await open({
      mpd: MPD,
      mode: 'h3-only',
      origin,
      tcpOrigin,
      address,
      executablePath,
      ...(rule !== undefined && { rule }),
      query: { steering: policy },
      beforeLoad: hashAppends,
    });
    await use({ link, origin, tcpOrigin, session });
  } finally {
    await session?.close();
    for (const server of started) await server.stop();
    await link.remove();
  }
}

/** Keeps the hash of everything that reaches the buffer. */
async function hashAppends(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const hashes: string[] = [];
    Object.assign(globalThis, { appendedHashes: hashes });
    const append = SourceBuffer.prototype.appendBuffer;
    SourceBuffer.prototype.appendBuffer = function (data) {
      const bytes = ArrayBuffer.isView(data) ? data.buffer : data;
      void crypto.subtle.digest('SHA-256', (bytes as ArrayBuffer).slice(0)).then((digest) => {
        hashes.push([...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join(''));
      });
      append.call(this, data);
    };
  });
}

const appendedHashes = (page: Page): Promise<string[]> =>
  page.evaluate(() => (globalThis as unknown as { appendedHashes: string[] }).appendedHashes);

const fileOf = (uri: string): Buffer => {
  const [prefix, mount] = Object.entries(contentMounts()).find(([each]) => uri.startsWith(`${each}/`))!;
  return readFileSync(path.join(folderOf(mount)!, uri.slice(prefix.length)));
};
const fileHash = (uri: string): string => createHash('sha256').update(fileOf(uri)).digest('hex');

/**
 * The servers sent what the log says: each segment in one whole answer, or in two of which the second begins at the byte
 * where the first was broken off. Without seeks no segment is requested twice. A server writes a request down when it is
 * over: one whose client fell silent, when it gives that client up.
 */
async function expectServersAgree(
  log: SessionLog,
  { origin, tcpOrigin }: Omit<Steered, 'link' | 'session'>,
): Promise<void> {
  const sentBy = (pathway = 'main') => readAccessLog((pathway === 'main' ? origin : tcpOrigin).accessLogFile);
  const media = requestsIn(log, ['media']);
  const byId = new Map(media.map((request) => [request.id, request]));
  for (const request of media.filter(({ outcome }) => outcome === 'ok')) {
    const uri = uriOf(request);
    const first = byId.get(request.continues ?? '');
    const fromByte = request.range === null ? 0 : (first?.receivedBytes ?? 0);
    const range = fromByte === 0 ? null : `bytes=${fromByte}-`;
    const answers = sentBy(request.pathway).filter((each) => each.uri === uri && each.range === range);
    expect(answers, `${uri} from byte ${fromByte} on`).toHaveLength(1);
    expect(answers[0]!.sizeBytes).toBe(fileOf(uri).length - fromByte);
    if (!first || fromByte === 0) continue;
    const broken = () => sentBy(first.pathway).filter((each) => each.uri === uri && each.range === null);
    await expect
      .poll(() => broken().length, { message: `the first part of ${uri}`, timeout: GIVEN_UP_MS })
      .toBe(1);
    expect(broken()[0]!.sizeBytes).toBeGreaterThanOrEqual(fromByte);
  }
}

/** No media reached the buffer twice. */
async function expectAppendedOnce(log: SessionLog, page: Page): Promise<void> {
  const files = requestsIn(log, ['init', 'media'])
    .filter(({ outcome }) => outcome === 'ok')
    .map((request) => {
      const uri = uriOf(request);
      return { uri, hash: fileHash(uri), isInit: request.type === 'init' };
    });
  expect(appendedTwice(await appendedHashes(page), files), 'appended twice').toEqual([]);
}

/** Every segment came whole, once: its parts add up, and the buffer got the very bytes of the file. */
async function expectWholeSegments(log: SessionLog, page: Page): Promise<void> {
  const media = requestsIn(log, ['media']).filter(({ outcome }) => outcome === 'ok');
  const hashes = new Set(await appendedHashes(page));
  for (const request of media) expect(hashes, uriOf(request)).toContain(fileHash(uriOf(request)));
  const byId = new Map(requestsIn(log, ['media']).map((request) => [request.id, request]));
  for (const part of media.filter(({ continues }) => continues !== undefined)) {
    const first = byId.get(part.continues!)!;
    expect(first).toMatchObject({
      outcome: 'aborted',
      pathway: 'main',
      segment: part.segment,
      rung: part.rung,
    });
    expect(part.range ?? '0-').toBe(`${first.receivedBytes || 0}-`);
    expect(part.status).toBe(part.range === null ? 200 : 206);
  }
}

const partition = <Each>(all: readonly Each[], is: (each: Each) => boolean): [Each[], Each[]] => [
  all.filter(is),
  all.filter((each) => !is(each)),
];

/** The protocols of a pathway's requests, or why one is not known. */
const carriedBy = (requests: readonly RequestEvent[], pathway: string): unknown[] => [
  ...new Set(
    requests
      .filter((each) => each.pathway === pathway)
      .map(({ protocol, missing }) => protocol ?? missing['protocol']),
  ),
];

test('behind a limit of UDP the session leaves HTTP/3, and what runs is continued by a range', async ({
  open,
}) => {
  await steered(
    open,
    { policy: 'throughput', limitKbps: LIMIT_KBPS },
    async ({ session, origin, tcpOrigin }) => {
      await session.playing();
      await session.page.waitForTimeout(20_000);
      const log = await session.stop();
      const choices = eventsOf(log, 'steering');
      expect(choices[0]).toMatchObject({ pathway: 'main' });
      const left = choices.find(({ pathway }) => pathway === 'tcp');
      expect(left, 'left HTTP/3').toBeDefined();
      const media = requestsIn(log, ['media']);
      const overMain = media.filter((each) => each.pathway === 'main' && each.mediaType === 'video');
      const [before, tried] = partition(overMain, ({ atMs }) => atMs <= left!.atMs);
      expect(before.length, 'video segments over the limited pathway').toBeLessThanOrEqual(3);
      // What was tried again was given up, and continued on the other pathway.
      const continued = new Set(media.map(({ continues }) => continues));
      for (const { id, outcome } of tried)
        expect([outcome, continued.has(id)], `trial ${id}`).toEqual(['aborted', true]);
      const after = media.filter(({ atMs, outcome }) => atMs > left!.atMs && outcome === 'ok');
      expect(after.length).toBeGreaterThan(3);
      expect(carriedBy(after, 'tcp')).toEqual(['h2']);
      expect(
        carriedBy(
          media.filter(({ outcome }) => outcome === 'ok'),
          'main',
        ).filter((each) => each !== 'h3'),
      ).toEqual([]);
      expect(new Set(readAccessLog(tcpOrigin.accessLogFile).map(({ protocol }) => protocol))).toEqual(
        new Set(['h2']),
      );
      await expectWholeSegments(log, session.page);
      await expectAppendedOnce(log, session.page);
      await expectServersAgree(log, { origin, tcpOrigin });
      expect(eventsOf(log, 'error')).toEqual([]);
      const replayed = replaySteering(log, throughput);
      expect(replayed?.choices.length).toBeGreaterThan(20);
      expect(replayed?.identical).toBe(replayed?.choices.length);
    },
  );
});

const pathwayChanges = (log: SessionLog) =>
  eventsOf(log, 'steering').filter(({ pathway, fromPathway }) => pathway !== fromPathway);

test('a limit that comes and goes: away within seconds, and back', async ({ open }) => {
  await steered(open, { policy: 'throughput' }, async ({ session, link, origin, tcpOrigin }) => {
    await session.playing();
    await session.page.waitForTimeout(10_000);
    const limitedMs = (await session.state()).sessionMs;
    await link.limit('udp', LIMIT_KBPS);
    await session.page.waitForTimeout(15_000);
    const liftedMs = (await session.state()).sessionMs;
    await link.limit('udp', null);
    const liftedUnixMs = Date.now();
    // A trial may run while the limit ends, and be given up afterwards for what it got before: the next one comes 8 s later.
    const backMs = async () => {
      const last = pathwayChanges(await session.log()).at(-1)!;
      const { sessionMs } = await session.state();
      return last.pathway === 'main' ? sessionMs - Math.max(last.atMs, liftedMs) : 0;
    };
    await expect.poll(backMs, { message: 'back', timeout: BACK_WITHIN_MS + 15_000 }).toBeGreaterThan(7000);
    const log = await session.stop();
    const changes = pathwayChanges(log);
    const left = changes.find(({ pathway }) => pathway === 'tcp');
    expect(left?.atMs).toBeGreaterThan(limitedMs);
    // What was tried during the limit was left again; what was tried after it was not.
    const said = changes.map(({ atMs, pathway, because, values }) => [atMs, pathway, because, values]);
    const tried = changes.filter((_, index) => changes[index + 1]?.pathway === 'tcp');
    expect(tried.at(-1)?.atMs, JSON.stringify(said)).toBeLessThan(liftedMs);
    const answers = readAccessLog(origin.accessLogFile).filter(({ range }) => range === null);
    expect(answers.filter(({ startMs }) => startMs > liftedUnixMs).length).toBeGreaterThanOrEqual(2);
    expect(eventsOf(log, 'stall').reduce((sum, { durationMs }) => sum + (durationMs ?? 0), 0)).toBeLessThan(
      2000,
    );
    await expectWholeSegments(log, session.page);
    await expectAppendedOnce(log, session.page);
    await expectServersAgree(log, { origin, tcpOrigin });
  });
});

test('a block that comes and goes: away within seconds, and every byte once', async ({ open }) => {
  await steered(open, { policy: 'throughput' }, async ({ session, link, origin, tcpOrigin }) => {
    await session.playing();
    await session.page.waitForTimeout(10_000);
    const blockedMs = (await session.state()).sessionMs;
    await link.limit('udp', 0);
    await session.page.waitForTimeout(15_000);
    await link.limit('udp', null);
    // When HTTP/3 is used again is the browser's affair: it avoids a server whose QUIC was broken.
    await session.page.waitForTimeout(10_000);
    const log = await session.stop();
    const left = eventsOf(log, 'steering').find(({ pathway }) => pathway === 'tcp');
    expect(left?.atMs).toBeGreaterThan(blockedMs);
    expect(left!.atMs - blockedMs).toBeLessThan(8000);
    expect(eventsOf(log, 'stall').reduce((sum, { durationMs }) => sum + (durationMs ?? 0), 0)).toBeLessThan(
      2000,
    );
    const after = requestsIn(log, ['media']).filter(
      (each) => each.atMs > left!.atMs && each.pathway === 'tcp',
    );
    expect(after.filter(({ outcome }) => outcome === 'ok').length).toBeGreaterThan(2);
    await expectWholeSegments(log, session.page);
    await expectAppendedOnce(log, session.page);
    await expectServersAgree(log, { origin, tcpOrigin });
  });
});

test('seeks and another rule do not keep a session from leaving, and every choice is replayed', async ({
  open,
}) => {
  const setting = { policy: 'throughput', limitKbps: LIMIT_KBPS, rule: 'bola' };
  await steered(open, setting, async ({ session }) => {
    await session.playing();
    for (const positionMs of [30_000, 5000, 45_000]) {
      await session.page.evaluate((ms) => window.pitwall!.seek(ms), positionMs);
      await session.page.waitForTimeout(4000);
    }
    await session.page.evaluate(() => window.pitwall!.useRule('throughput'));
    await session.page.waitForTimeout(6000);
    const log = await session.stop();
    const left = eventsOf(log, 'steering').find(({ pathway }) => pathway === 'tcp');
    const after = requestsIn(log, ['media']).filter(
      ({ atMs, outcome }) => outcome === 'ok' && atMs > left!.atMs,
    );
    const [overTcp, overMain] = partition(after, ({ pathway }) => pathway === 'tcp');
    expect(overTcp.length).toBeGreaterThan(3 * overMain.length);
    await expectWholeSegments(log, session.page);
    expect(eventsOf(log, 'error')).toEqual([]);
    const steering = replaySteering(log, throughput);
    expect(steering?.identical).toBe(steering?.choices.length);
    // BOLA began anew over the other pathway, and its inputs say so.
    const bola = replay(log, pick(abrRules, 'bola'));
    const own = bola.decisions.filter(({ recordedRule }) => recordedRule === 'bola');
    expect(own.length).toBeGreaterThan(3);
    expect(own.filter(({ agrees }) => !agrees)).toEqual([]);
  });
});
