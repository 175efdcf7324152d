import { namespacesMissing } from '../../lab/namespaces.ts';
import { createRoutedPath, type RoutedPath } from '../fixtures/routedPath.ts';
import type { Origin } from '../../lab/caddy/origin.ts';
import { requireTool } from '../../lab/tools.ts';
import type { RequestEvent } from '../../src/telemetry/event.ts';
import { eventsOf, answersOf, requestsIn } from '../fixtures/logEvents.ts';
import type { OpenSession, SessionOptions } from '../fixtures/openSession.ts';
import { sampled } from '../fixtures/sampled.ts';
import { startOrigin } from '../fixtures/startOrigin.ts';
import { expect, test } from '../fixtures/test.ts';

/** Fast enough for every rung: the buffer fills, and there are pauses between requests. */
const FAST_KBPS = 8_000;
/** So slow that a body of the rungs it carries takes seconds: one that was asked for 200 ms ago is still in flight. */
const SLOW_KBPS = 2_000;
const SILENCE_MS = 15_000;

interface Silence {
  readonly path: RoutedPath;
  readonly origin: Origin;
  readonly session: OpenSession;
}

const missing = namespacesMissing();
test.skip(missing !== null && !process.env['CI'], missing ?? '');

async function overPath(
  open: (options: SessionOptions) => Promise<OpenSession>,
  downKbps: number,
  act: (silence: Silence) => Promise<void>,
): Promise<void> {
  const path = await createRoutedPath({ downKbps });
  let origin: Origin | null = null;
  let session: OpenSession | null = null;
  try {
    origin = await startOrigin({ namespace: path.serverNamespace, addresses: [path.serverAddress] });
    session = await open({
      mpd: '/media/demo/manifest.mpd',
      mode: 'h3-racing',
      rule: 'dashjs-throughput',
      origin,
      address: path.serverAddress,
      executablePath: await path.clientWrapper(requireTool('chromium')),
    });
    await session.playing();
    await act({ path, origin, session });
  } finally {
    await session?.close();
    await origin?.stop();
    await path.remove();
  }
}

async function until(condition: () => Promise<boolean>, what: string, limitMs = 60_000): Promise<void> {
  for (const endMs = Date.now() + limitMs; Date.now() < endMs;) {
    if (await condition()) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error(`it did not happen: ${what}`);
}

async function untilMediaOnH3(session: OpenSession): Promise<void> {
  await until(
    async () => requestsIn(await session.log()).some(({ protocol }) => protocol === 'h3'),
    'media on h3',
  );
}

/** Waits for the pause of a full buffer: nothing in flight for half a second, so the next request is seconds away. */
async function untilIdle(session: OpenSession): Promise<void> {
  let idleSinceMs: number | null = null;
  await until(async () => {
    const { requestsInFlight, sessionMs } = await session.state();
    idleSinceMs = requestsInFlight > 0 ? null : (idleSinceMs ?? sessionMs);
    return idleSinceMs !== null && sessionMs - idleSinceMs > 500;
  }, 'a pause of half a second between requests');
}

/** Waits for a video segment that was asked for 200 ms ago: its headers are there by then, its body is not. */
async function untilVideoBody(session: OpenSession): Promise<void> {
  await until(async () => {
    const { sessionMs } = await session.state();
    return requestsIn(await session.log()).some(
      ({ mediaType, outcome, atMs }) =>
        mediaType === 'video' && outcome === 'in-flight' && sessionMs - atMs > 200,
    );
  }, 'a video segment in flight');
}

/**
 * Silences UDP for 15 s, and on until media that was asked for after that has come over h2: how long a browser takes to give QUIC up
 * depends on what was in flight. Returns when it fell silent.
 */
async function silence({ path, session }: Silence): Promise<number> {
  const blockedAtMs = await session.state().then((state) => state.sessionMs);
  await path.dropUdp();
  const onH2 = async (): Promise<boolean> =>
    requestsIn(await session.log()).some(
      ({ atMs, outcome, protocol }) => atMs > blockedAtMs && outcome === 'ok' && protocol === 'h2',
    );
  await session.page.waitForTimeout(SILENCE_MS);
  await until(onH2, 'media on h2 after UDP fell silent');
  return blockedAtMs;
}

/** Playback went on past the silence, and the log has each request exactly as the origin saw it finish. */
async function expectRecovery({ session, origin, path }: Silence, blockedAtMs: number) {
  expect(await path.droppedPackets()).toBeGreaterThan(0);
  await path.passUdp();
  const { playheadMs, sessionMs } = await session.state();
  await session.page.waitForTimeout(10_000);
  const after = await session.state();
  expect(after.phase).toBe('playing');
  expect(after.playheadMs - playheadMs).toBeGreaterThan(5000);

  const log = await session.stop();
  const requests = requestsIn(log, ['media', 'init']);
  const finished = requests.filter(({ outcome }) => outcome === 'ok');
  const answered = answersOf(origin, '/media/demo/').filter(({ uri }) => /\.(m4s|mp4)$/.test(uri));
  // Never one more or fewer than the page made: each finished one is in the origin's log, whole, and the origin saw
  // no URL that the log does not have.
  const whole = new Map(answered.map(({ uri, sizeBytes }) => [uri, sizeBytes]));
  for (const request of finished)
    expect(whole.get(new URL(request.url).pathname)).toBeGreaterThanOrEqual(request.receivedBytes!);
  const logged = new Set(requests.map(({ url }) => new URL(url).pathname));
  expect(answered.map(({ uri }) => uri).filter((uri) => !logged.has(uri))).toEqual([]);
  return {
    log,
    requests,
    during: requests.filter(({ atMs, endMs }) => (endMs ?? Infinity) >= blockedAtMs && atMs < sessionMs),
  };
}

const reported = (requests: readonly RequestEvent[]): string =>
  requests
    .map(
      ({ outcome, protocol, atMs, endMs }) =>
        `${outcome} on ${protocol} after ${Math.round((endMs ?? NaN) - atMs)} ms`,
    )
    .join('; ');

type Opener = Parameters<typeof overPath>[0];

const cases: readonly { title: string; play(open: Opener): Promise<void> }[] = [
  {
    title: 'UDP falls silent between two segments: the next one is late, on h2, and nothing is lost',
    async play(open) {
      await overPath(open, FAST_KBPS, async (parts) => {
        const { session } = parts;
        await untilMediaOnH3(session);
        await untilIdle(session);
        const blockedAtMs = await silence(parts);
        const { during } = await expectRecovery(parts, blockedAtMs);
        console.log(`between segments: ${reported(during)}`);
        expect(during.some(({ outcome, protocol }) => outcome === 'ok' && protocol === 'h2')).toBe(true);
      });
    },
  },
  {
    title: 'UDP falls silent with a body in flight: playback goes on and the log says what became of it',
    async play(open) {
      await overPath(open, SLOW_KBPS, async (parts) => {
        const { session } = parts;
        await untilMediaOnH3(session);
        await untilVideoBody(session);
        const blockedAtMs = await silence(parts);
        const { during, log } = await expectRecovery(parts, blockedAtMs);
        console.log(`body in flight: ${reported(during)}; ${eventsOf(log, 'stall').length} stalls`);
        // What had its last byte by then may end later: the page had not come to it yet.
        const caught = during.filter(
          ({ atMs, lastByteMs, endMs }) =>
            atMs < blockedAtMs && (lastByteMs ?? endMs ?? Infinity) > blockedAtMs,
        );
        expect(caught.length).toBeGreaterThan(0);
        // It finished late, or it failed with its status or the reason why there is none.
        for (const { outcome, missing, status } of caught)
          expect(outcome === 'ok' || missing['status'] !== undefined || status !== null).toBe(true);
        expect(during.some(({ outcome, protocol }) => outcome === 'ok' && protocol === 'h2')).toBe(true);
      });
    },
  },
];

for (const { title, play } of sampled(cases, { count: 1, seed: 2 })) test(title, ({ open }) => play(open));
