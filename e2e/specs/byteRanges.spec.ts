import { contentMounts } from '../../lab/content/contentMounts.ts';
import type { RequestEvent } from '../../src/telemetry/event.ts';
import type { SessionLog } from '../../src/telemetry/schema/sessionLog.ts';
import { startEtagServer } from '../fixtures/etagServer.ts';
import type { OpenSession, SessionOptions } from '../fixtures/openSession.ts';
import { requestsIn } from '../fixtures/mediaRequests.ts';
import { expect, test } from '../fixtures/test.ts';

const RANGES = 20;

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
  expect(unknown.length).toBeGreaterThan(RANGES / 2);
  for (const { missing } of unknown) expect(missing['protocol']).toBe('range-cache');
  // All but the protocol is there.
  for (const { firstByteMs } of unknown) expect(firstByteMs).not.toBeNull();
});
