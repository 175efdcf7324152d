import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { Profile } from '../../src/network/profile.ts';
import type { RunningBrowser } from '../browser/browser.ts';
import { launchFirefox } from '../browser/firefox/launchFirefox.ts';
import { modes } from '../browser/firefox/modes.ts';
import { formatPreference } from '../browser/firefox/preferences.ts';
import { readAccessLog } from '../caddy/accessLog.ts';
import type { Origin } from '../caddy/origin.ts';
import { startCaddy } from '../caddy/startCaddy.ts';
import { enterNamespace, runInNamespace } from '../namespaces.ts';
import { requireTool, tools } from '../tools.ts';
import { createLink } from './createLink.ts';
import type { Link } from './link.ts';
import { nft, type LinkEnd } from './linkEnd.ts';
import { linkMissing } from './linkMissing.ts';

const root = path.resolve(import.meta.dirname, '../..');
const isSetUp = existsSync(path.join(root, '.pitwall', 'tools.json'));
const missing = isSetUp ? (linkMissing() ?? tools().missing['firefox'] ?? null) : 'no set-up';
const HOST = 'origin.test';
const PORT = 8443;
const profile: Profile = {
  id: 'fallback',
  label: 'Fallback',
  paper: 'none',
  repeat: false,
  steps: [{ durationMs: 1000, downKbps: 5000, upKbps: 5000, rttMs: 40, lossDown: 0, lossUp: 0 }],
  queue: { kind: 'droptail', packets: 50 },
};

// Firefox refuses its second connection to a private address: there TCP begins after 9 s, or never.
describe.skipIf(missing !== null)(`Firefox over a link (${missing ?? 'this machine can'})`, () => {
  const undo: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (let step = undo.pop(); step; step = undo.pop()) await step();
  });

  it('starts TCP at its own timer when UDP is dropped and it knows h3', { timeout: 120_000 }, async () => {
    const link = await createLink({ profile, seed: 1 });
    undo.push(() => link.remove());
    const { namespace, address } = link.server;
    const appFolder = await mkdtemp(path.join(tmpdir(), 'pitwall-fallback-'));
    undo.push(() => rm(appFolder, { recursive: true, force: true }));
    for (const name of ['index.html', 'answer.json']) await writeFile(path.join(appFolder, name), '{}');
    const mounts = { '/media': appFolder };
    const origin = await startCaddy({ host: HOST, namespace, addresses: [address], mounts, appFolder });
    undo.push(() => origin.stop());
    const browser = await start(link, origin);
    undo.push(() => browser.close());
    const page = browser.context.pages()[0]!;
    await page.goto(`${origin.httpUrl}/`);
    await link.limit('udp', 0);
    await noteFirstPackets(link.client);
    await page.evaluate(askFor, `${origin.httpsUrl}/media/answer.json`);
    const { udp, tcp } = await readFirstPackets(link.client);
    console.log(`TCP begins ${(tcp ?? NaN) - (udp ?? NaN)} ms after QUIC`);
    expect(udp, 'QUIC was tried').not.toBeNull();
    expect(tcp, 'TCP was tried').not.toBeNull();
    // `network.http.http3.backup_timer_delay` is 100 ms; the kernel counts in ticks of up to 10 ms, and a busy machine is late.
    expect(tcp! - udp!).toBeGreaterThanOrEqual(85);
    expect(tcp! - udp!).toBeLessThan(500);
    const answers = readAccessLog(origin.accessLogFile).filter(({ uri }) => uri.startsWith('/media/'));
    expect(answers.at(-1)?.protocol, 'the answer came over TCP').toMatch(/^(h2|http\/1\.1)$/);
  });
});

/** Runs in the page: the answer may never come. */
async function askFor(url: string): Promise<void> {
  await fetch(url, { signal: AbortSignal.timeout(20_000) }).catch(() => null);
}

async function start(link: Link, origin: Origin): Promise<RunningBrowser> {
  const racing = modes.find(({ id }) => id === 'h3-racing')!;
  return launchFirefox({
    executablePath: await link.clientWrapper(requireTool('firefox')),
    enter: (command) => enterNamespace(link.client.namespace, ...command),
    flags: [
      ...racing.flags({ servers: [{ host: HOST, port: PORT }], ownCertificate: true }),
      // It knows h3 from the start.
      formatPreference('network.http.http3.alt-svc-mapping-for-testing', `${HOST};h3=:${PORT}`),
      formatPreference('network.http.http3.force-use-alt-svc-mapping-for-testing', true),
    ],
    hostRules: `MAP ${HOST} ${link.server.address}`,
    spkiSha256Base64: origin.spki,
  });
}

/** Elements of the set have a time-out: the more of it is left, the later the first packet of a protocol went out. */
const TABLE = 'inet pitwall_first';
const noteFirstPackets = (client: LinkEnd): Promise<void> =>
  nft(
    client,
    [
      `add table ${TABLE}`,
      `add set ${TABLE} first { type inet_proto; flags dynamic, timeout; size 8; timeout 1h; }`,
      `add chain ${TABLE} out { type filter hook output priority 0; }`,
      // A packet of a new connection has a long header (RFC 9000, section 17.2): the first bit of what UDP carries.
      `add rule ${TABLE} out udp dport ${PORT} @th,64,1 == 1 add @first { meta l4proto }`,
      `add rule ${TABLE} out tcp dport ${PORT} tcp flags & (syn | ack) == syn add @first { meta l4proto }`,
    ].join('; '),
  );

/** When the first packet of each protocol went out, in ms of an own clock; null: none did. */
async function readFirstPackets({ namespace }: LinkEnd): Promise<Record<'udp' | 'tcp', number | null>> {
  const set = await runInNamespace(namespace, 'nft', 'list', 'set', ...TABLE.split(' '), 'first');
  const msOf = (protocol: 'udp' | 'tcp'): number | null => {
    const left = new RegExp(`${protocol}[^,}]* expires (?:(\\d+)m)?(?:(\\d+)s)?(?:(\\d+)ms)?`).exec(set);
    if (!left) return null;
    const [, minutes = 0, seconds = 0, ms = 0] = left;
    return Number(minutes) * 60_000 + Number(seconds) * 1000 + Number(ms);
  };
  return { udp: msOf('udp'), tcp: msOf('tcp') };
}
