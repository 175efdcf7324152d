import type { CDPSession, Page } from '@playwright/test';
import type { Origin } from '../caddy/origin.ts';

/** Something that happens to the network while the demo plays, `atMs` after the first frame. */
interface PlannedFault {
  readonly atMs: number;
  readonly what: string;
  act(link: Link): Promise<void>;
}

/** What an event can do. */
interface Link {
  readonly origin: Pick<Origin, 'kill' | 'restart'>;
  /** Slows the browser's network down, all protocols alike (DevTools' network conditions). */
  limit(rate: { readonly kbps: number; readonly latencyMs: number }): Promise<void>;
}

/**
 * A minute with something to see: the rungs climb on h3; the origin is killed and comes back without UDP, so that h2
 * takes over; then the link gets so slow that the buffer runs dry, and recovers.
 */
const plannedFaults: readonly PlannedFault[] = [
  { atMs: 0, what: '5 Mbit/s', act: ({ limit }) => limit({ kbps: 5000, latencyMs: 40 }) },
  { atMs: 16_000, what: 'the origin is killed', act: ({ origin }) => origin.kill('SIGKILL') },
  {
    atMs: 19_000,
    what: 'the origin is back, without h3',
    act: ({ origin }) => origin.restart({ protocols: ['h1', 'h2'] }),
  },
  { atMs: 26_000, what: '0.5 Mbit/s', act: ({ limit }) => limit({ kbps: 500, latencyMs: 120 }) },
  { atMs: 54_000, what: '3 Mbit/s', act: ({ limit }) => limit({ kbps: 3000, latencyMs: 60 }) },
];

/** From the first frame until the pictures are taken. */
const PLAY_MS = 68_000;

/** Lets everything happen in time; resolves when it is over. */
export async function playEventfully(
  page: Page,
  { origin, devtools, say }: { origin: Origin; devtools: CDPSession; say: (line: string) => void },
): Promise<void> {
  const link: Link = { origin, limit: (rate) => limitNetwork(devtools, rate) };
  let nowMs = 0;
  for (const { atMs, what, act } of plannedFaults) {
    await page.waitForTimeout(atMs - nowMs);
    nowMs = atMs;
    say(`${String(atMs / 1000).padStart(3)} s: ${what}`);
    await act(link);
  }
  await page.waitForTimeout(PLAY_MS - nowMs);
}

export async function limitNetwork(
  devtools: CDPSession,
  { kbps, latencyMs }: { kbps: number; latencyMs: number },
): Promise<void> {
  const bytesPerSecond = (kbps * 1000) / 8;
  await devtools.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: latencyMs,
    downloadThroughput: bytesPerSecond,
    uploadThroughput: bytesPerSecond,
  });
}
