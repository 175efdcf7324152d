import { rm } from 'node:fs/promises';
import { modes } from '../../lab/browser/mode.ts';
import { readNetLogFile } from '../../lab/browser/readNetLogFile.ts';
import { warmProfile, type WarmProfile } from '../../lab/browser/warmProfile.ts';
import type { Origin } from '../../lab/caddy/origin.ts';
import { requireTool } from '../../lab/tools.ts';
import { pick } from '../../src/registry.ts';
import type { NetLogFacts } from '../../src/telemetry/netlog/netLogFacts.ts';
import type { OpenSession, SessionOptions } from '../fixtures/openSession.ts';
import { expect, test } from '../fixtures/test.ts';

const MPD = '/media/test/template/manifest.mpd';
const racing = (host: string, port: number) =>
  pick(modes, 'h3-racing').flags({ host, port, ownCertificate: true });

/** Visits `host`, which is another name of the origin. */
const warmUp = ({ spki, httpsPort, httpUrl, ...origin }: Origin, host: string): Promise<WarmProfile> =>
  warmProfile({
    browser: {
      executablePath: requireTool('chromium'),
      spkiSha256Base64: spki,
      hostRules: `MAP *${origin.host} 127.0.0.1`,
      flags: racing(host, httpsPort),
    },
    pageUrl: httpUrl,
    url: `https://${host}:${httpsPort}${MPD}`,
  });

type Open = (options: SessionOptions) => Promise<OpenSession>;

async function factsOf(open: Open, netLogFile: string, profileDir?: string): Promise<NetLogFacts> {
  const session = await open({ mpd: MPD, mode: 'h3-racing', netLogFile, ...(profileDir && { profileDir }) });
  await session.playing();
  await session.close();
  const facts = await readNetLogFile(netLogFile);
  if (!facts.ok) throw new Error(facts.error);
  return facts.value;
}

/** The outcome of the session's first request to the origin. */
const first = ({ requests }: NetLogFacts): string =>
  requests.find(({ url }) => url.endsWith(MPD))!.races[0]!.outcome;

test('a cold profile discovers h3; a copy of a warm one races for its first request', async ({
  open,
  origin,
}, info) => {
  const warm = await warmUp(origin, origin.host);
  const copy = await warm.copy();
  try {
    expect(warm.protocols).toEqual(['h2', 'h3']);
    expect(first(await factsOf(open, info.outputPath('cold.json')))).toBe('main-alone');
    const facts = await factsOf(open, info.outputPath('warm.json'), copy);
    // Who wins is the network's.
    expect(first(facts)).toMatch(/^(alternative|main)-won$/);
    const quic = [...facts.connections.values()].filter(({ kind }) => kind === 'quic');
    console.log(`warm: ${first(facts)}; 0-RTT: ${quic.map(({ zeroRtt }) => zeroRtt).join(', ')}`);
    expect(quic.length).toBeGreaterThan(0);
    // Tickets do not survive on disk: there was nothing to send early data with.
    for (const { zeroRtt } of quic) expect([null, 'NotAttempted']).toContain(zeroRtt);
  } finally {
    await warm.remove();
    await rm(copy, { recursive: true, force: true, maxRetries: 5 });
  }
});

test('a copy may have visited another origin instead', async ({ open, origin }, info) => {
  const warm = await warmUp(origin, `other.${origin.host}`);
  const copy = await warm.copy(origin.httpsUrl);
  try {
    expect(first(await factsOf(open, info.outputPath('warm.json'), copy))).toMatch(
      /^(alternative|main)-won$/,
    );
  } finally {
    await warm.remove();
    await rm(copy, { recursive: true, force: true, maxRetries: 5 });
  }
});
