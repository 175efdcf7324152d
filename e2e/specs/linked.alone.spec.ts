import type { BrowserMode } from '../../lab/browser/browser.ts';
import { labBrowser } from '../../lab/browser/registry.ts';
import type { Origin } from '../../lab/caddy/origin.ts';
import { createLink } from '../../lab/link/createLink.ts';
import type { Link } from '../../lab/link/link.ts';
import { linkMissing } from '../../lab/link/linkMissing.ts';
import { requireTool } from '../../lab/tools.ts';
import type { Profile } from '../../src/network/profile.ts';
import { requestsIn } from '../fixtures/logEvents.ts';
import type { OpenSession, SessionOptions } from '../fixtures/openSession.ts';
import { startOrigin } from '../fixtures/startOrigin.ts';
import { expect, test } from '../fixtures/test.ts';

const missing = linkMissing();
test.skip(missing !== null && !process.env['CI'], missing ?? '');

const RTT_MS = 80;
const RATE_KBPS = 5000;
const profile: Profile = {
  id: 'test',
  label: 'Test',
  paper: 'none',
  repeat: false,
  steps: [{ durationMs: 1, downKbps: RATE_KBPS, upKbps: null, rttMs: RTT_MS, lossDown: 0, lossUp: 0 }],
  queue: { kind: 'droptail', bdp: 2 },
};

/** What each mode's media comes over; a race begins on h2, where the browser learns of h3. */
const SPOKEN = {
  h1: ['http/1.1'],
  h2: ['h2'],
  'h3-racing': ['h2', 'h3'],
  'h3-only': ['h3'],
  'h3-no-fallback': ['h2', 'h3'],
  'h3-migrating': ['h2', 'h3'],
} as const satisfies Record<BrowserMode['id'], readonly string[]>;

type Open = (options: SessionOptions) => Promise<OpenSession>;

test('a session in every mode, all at once, each over a link of its own', async ({ open }) => {
  await Promise.all(labBrowser.modes.map(({ id }) => playLinked(id, open)));
});

async function playLinked(mode: BrowserMode['id'], open: Open): Promise<void> {
  let [link, origin, session]: [Link | null, Origin | null, OpenSession | null] = [null, null, null];
  try {
    link = await createLink({ profile, seed: 1 });
    // The kernel's nearest to quic-go's sender.
    await link.useController('server', { name: 'reno', initialWindowPackets: 32 });
    const { namespace, address } = link.server;
    origin = await startOrigin({ namespace, addresses: [address] });
    const executablePath = await link.clientWrapper(requireTool('chromium'));
    session = await open({ mpd: '/media/demo/manifest.mpd', mode, origin, address, executablePath });
    await session.playing();
    await session.page.waitForTimeout(8000);
    await expectLinked(mode, session);
  } finally {
    await session?.close();
    await origin?.stop();
    await link?.remove();
  }
}

async function expectLinked(mode: BrowserMode['id'], session: OpenSession): Promise<void> {
  const log = await session.stop();
  const requests = requestsIn(log, ['media', 'init']).filter(({ outcome }) => outcome === 'ok');
  expect(requests.length, mode).toBeGreaterThan(4);
  const spoken = new Set(requests.map(({ protocol }) => protocol));
  for (const protocol of spoken) expect(SPOKEN[mode], mode).toContain(protocol);
  expect([...spoken], mode).toContain(SPOKEN[mode].at(-1));
  // No answer can be faster than the link, and no body: 3 % for what the queue held before.
  const waitsMs = requests.map(
    ({ requestStartMs, firstByteMs }) => (firstByteMs ?? NaN) - (requestStartMs ?? NaN),
  );
  expect(Math.min(...waitsMs), mode).toBeGreaterThanOrEqual(RTT_MS);
  const first = Math.min(...requests.map(({ requestStartMs }) => requestStartMs ?? Infinity));
  const last = Math.max(...requests.map(({ lastByteMs }) => lastByteMs ?? -Infinity));
  const receivedBits = requests.reduce((sum, { receivedBytes }) => sum + 8 * (receivedBytes ?? 0), 0);
  expect(receivedBits / (last - first), mode).toBeLessThan(RATE_KBPS * 1.03);
}
