import type { BrowserMode } from '../../lab/browser/mode.ts';
import type { Origin } from '../../lab/caddy/origin.ts';
import { createLink } from '../../lab/link/createLink.ts';
import type { Link } from '../../lab/link/link.ts';
import { linkMissing } from '../../lab/link/linkMissing.ts';
import { contentMounts } from '../../lab/content/contentMounts.ts';
import { startSpeakingOrigin } from '../../lab/origin/startSpeakingOrigin.ts';
import { requireTool, tools } from '../../lab/tools.ts';
import { builtApp } from '../fixtures/builtApp.ts';
import { requestsIn } from '../fixtures/mediaRequests.ts';
import type { OpenSession, SessionOptions } from '../fixtures/openSession.ts';
import { ORIGIN_HOST } from '../fixtures/startOrigin.ts';
import { expect, test } from '../fixtures/test.ts';

const missing = linkMissing() ?? (tools().origin === null ? 'set-up has not built the origin' : null);
test.skip(missing !== null && !process.env['CI'], missing ?? '');

const RTT_MS = 100;

type Open = (options: SessionOptions) => Promise<OpenSession>;

test('what the origin says of round trips is what the link has, for TCP and QUIC', async ({ open }) => {
  const toldMs = await Promise.all((['h2', 'h3-only'] as const).map((mode) => roundTrips(mode, open)));
  for (const { mode, least, smoothed } of toldMs) {
    expect(least, mode).toBeGreaterThanOrEqual(RTT_MS);
    expect(least, mode).toBeLessThanOrEqual(RTT_MS * 1.1);
    expect(smoothed, mode).toBeGreaterThanOrEqual(RTT_MS);
    // The queue holds one bandwidth-delay product, which doubles a round trip; the rest is for a busy machine.
    expect(smoothed, mode).toBeLessThanOrEqual(RTT_MS * 3);
  }
});

async function roundTrips(mode: BrowserMode['id'], open: Open) {
  let [link, origin, session]: [Link | null, Origin | null, OpenSession | null] = [null, null, null];
  try {
    link = await createLink({
      profile: {
        ...{ id: 'test', label: 'Test', paper: 'none', repeat: false, queue: { kind: 'droptail', bdp: 1 } },
        steps: [{ durationMs: 1, downKbps: 20_000, upKbps: null, rttMs: RTT_MS, lossDown: 0, lossUp: 0 }],
      },
      seed: 1,
    });
    const { namespace, address } = link.server;
    const served = { host: ORIGIN_HOST, appFolder: builtApp, mounts: contentMounts() };
    origin = await startSpeakingOrigin({
      ...served,
      namespace,
      addresses: [address],
      tcpController: 'cubic',
    });
    const executablePath = await link.clientWrapper(requireTool('chromium'));
    session = await open({ mpd: '/media/demo/manifest.mpd', mode, origin, address, executablePath });
    await session.playing();
    await session.page.waitForTimeout(5000);
    const requests = requestsIn(await session.stop()).filter(({ outcome }) => outcome === 'ok');
    const last = requests.at(-1)?.serverTiming ?? [];
    const told = (name: string): number => last.find((metric) => metric.name === name)?.durationMs ?? NaN;
    return { mode, least: told('min-rtt'), smoothed: told('rtt') };
  } finally {
    await session?.close();
    await origin?.stop();
    await link?.remove();
  }
}
