import type { BrowserMode } from '../../lab/browser/browser.ts';
import { readNetLogFile } from '../../lab/browser/chromium/readNetLogFile.ts';
import { warmUp } from '../../lab/browser/chromium/warmUp.ts';
import type { Origin } from '../../lab/caddy/origin.ts';
import type { TransportEvent } from '../../src/telemetry/event.ts';
import { transportOfNetLog } from '../../src/telemetry/join/transportOfBrowser.ts';
import { requestsIn } from '../fixtures/logEvents.ts';
import type { OpenSession, SessionOptions } from '../fixtures/openSession.ts';
import { expect, test } from '../fixtures/test.ts';

const MPD = '/media/test/template/manifest.mpd';

interface Seen {
  /** Protocols with which the visit was answered. */
  readonly visited: readonly string[];
  /** Outcome of the session's first request to the origin. */
  readonly first: string | undefined;
  /** Connections in the session's log that its browser opened to the origin, or still had. */
  readonly connections: readonly NonNullable<TransportEvent['connection']>[];
  /** JSON of requests for manifests, as both sides know them, for the message where there is no outcome. */
  readonly manifests: string;
}

/** Plays a session in a browser that has visited its origin before. */
async function warmSession(
  open: (options: SessionOptions) => Promise<OpenSession>,
  { origin, mode, netLogFile }: { origin: Origin; mode: BrowserMode['id']; netLogFile: string },
): Promise<Seen> {
  let visited: readonly string[] = [];
  const session = await open({
    mpd: MPD,
    mode,
    netLogFile,
    async beforeLoad(page) {
      const about = { pageUrl: origin.httpUrl, urls: [`${origin.httpsUrl}${MPD}`], withinMs: 30_000 };
      visited = (await warmUp(page.context(), about)).protocols;
      // A NetLog's requests are distinguished by their times.
      await page.waitForTimeout(2500);
    },
  });
  await session.playing();
  const log = await session.stop();
  await session.close();
  const facts = await readNetLogFile(netLogFile);
  if (!facts.ok) throw new Error(facts.error);
  const reported = transportOfNetLog(log, facts.value);
  const [manifest] = requestsIn(log, ['manifest']);
  return {
    visited,
    first: reported.find(({ requestId }) => requestId === manifest!.id)?.races[0]?.outcome,
    connections: reported.flatMap(({ connection }) => connection ?? []),
    manifests: JSON.stringify([manifest, facts.value.requests.filter(({ url }) => url.endsWith('.mpd'))]),
  };
}

for (const { mode, visited, first } of [
  // The network decides which connection wins: the test is that QUIC runs from the start.
  { mode: 'h3-racing', visited: ['h2', 'h3'], first: /^(alternative|main)-won$/ },
  { mode: 'h3-only', visited: ['h3'], first: /^quic-forced$/ },
  { mode: 'h2', visited: ['h2'], first: /^main-alone$/ },
] as const)
  test(`${mode}: a browser that comes back opens new connections, with what it knows`, async ({
    open,
    origin,
  }, info) => {
    const netLogFile = info.outputPath('netlog.json');
    const seen = await warmSession(open, { origin, mode, netLogFile });
    expect(seen.visited).toEqual(visited);
    expect(seen.first, seen.manifests).toMatch(first);
    expect(seen.connections.length).toBeGreaterThan(0);
    // Connections of the visit were closed, and are not the session's.
    for (const { startMs } of seen.connections) expect(startMs).not.toBeNull();
    const [opened] = seen.connections;
    if (mode === 'h3-only') expect(opened!.zeroRtt).toBe('AttemptedAndSucceeded');
    if (mode === 'h2') expect(opened!.resumed).toBe(true);
  });
