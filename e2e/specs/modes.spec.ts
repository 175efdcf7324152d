import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test, type BrowserContext } from '@playwright/test';
import { probeOffers } from '../../lab/browser/chromium/probeOffers.ts';
import { protocolsOf } from '../../lab/browser/chromium/protocolsOf.ts';
import { readNetLogFile } from '../../lab/browser/chromium/readNetLogFile.ts';
import { labBrowser } from '../../lab/browser/registry.ts';
import { startCaddy } from '../../lab/caddy/startCaddy.ts';
import { startInstrumentedOrigin } from '../../lab/origin/startInstrumentedOrigin.ts';
import { requireTool, tools } from '../../lab/tools.ts';
import { pick } from '../../src/shared/registry.ts';

for (const [name, start] of [
  ['Caddy', startCaddy],
  ['the instrumented origin', startInstrumentedOrigin],
] as const)
  test(`each browser mode uses its own protocols, against one address of ${name}`, async () => {
    const isBuilt = start === startCaddy || tools().origin !== null || process.env['CI'] === 'true';
    test.skip(!isBuilt, 'set-up has not built the origin');
    const folder = await mkdtemp(path.join(tmpdir(), 'pitwall-modes-'));
    await writeFile(path.join(folder, 'a.mpd'), '<MPD/>');
    const origin = await start({ host: 'origin.test', mounts: { '/media': folder } });
    try {
      const { offers } = await probeOffers(`${origin.httpsUrl}/media/a.mpd`, {
        chromiumPath: requireTool('chromium'),
        spkiSha256Base64: origin.spki,
        hostRules: 'MAP origin.test 127.0.0.1',
      });
      expect(offers).toEqual([
        { mode: 'h1', protocols: ['http/1.1'], error: null },
        { mode: 'h2', protocols: ['h2'], error: null },
        { mode: 'h3-racing', protocols: ['h2', 'h3'], error: null },
        { mode: 'h3-only', protocols: ['h3'], error: null },
      ]);
    } finally {
      await origin.stop();
      await rm(folder, { recursive: true, force: true });
    }
  });

test('h3-only uses QUIC from the first request on with each server that it names, and with no other', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'pitwall-modes-'));
  await writeFile(path.join(folder, 'a.m4s'), 'media');
  const hosts = ['mpd.test', 'media.test', 'other.test'];
  const origins = await Promise.all(hosts.map((host) => startCaddy({ host, mounts: { '/media': folder } })));
  const servers = origins.map(({ host, httpsPort: port }) => ({ host, port }));
  const browser = await labBrowser.launch({
    executablePath: requireTool('chromium'),
    spkiSha256Base64: origins.map(({ spki }) => spki).join(),
    hostRules: hosts.map((host) => `MAP ${host} 127.0.0.1`).join(),
    flags: pick(labBrowser.modes, 'h3-only').flags({ servers: servers.slice(0, 2), ownCertificate: true }),
  });
  try {
    const page = await browser.context.newPage();
    const seen: (readonly string[])[] = [];
    for (const { httpsUrl } of origins)
      seen.push((await protocolsOf(page, `${httpsUrl}/media/a.m4s`, { times: 1, isMedia: true })).protocols);
    expect(seen).toEqual([['h3'], ['h3'], ['h2']]);
  } finally {
    await browser.close();
    await Promise.all(origins.map((origin) => origin.stop()));
    await rm(folder, { recursive: true, force: true });
  }
});

/** What each variant sets otherwise than a normal browser, in the browser's own words. */
const SETTINGS = {
  'h3-racing': { retry_without_alt_svc_on_quic_errors: true, migrate_sessions_on_network_change_v2: false },
  'h3-no-fallback': { retry_without_alt_svc_on_quic_errors: false },
  'h3-migrating': {
    migrate_sessions_on_network_change_v2: true,
    migrate_sessions_early_v2: true,
    migrate_idle_sessions: true,
    retry_without_alt_svc_on_quic_errors: true,
  },
} as const;

for (const [id, settings] of Object.entries(SETTINGS))
  test(`the browser says itself that it was started as ${id}`, async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'pitwall-modes-'));
    try {
      const netLogFile = path.join(folder, 'netlog.json');
      const mode = labBrowser.modes.find((each) => each.id === id)!;
      const browser = await labBrowser.launch({
        executablePath: requireTool('chromium'),
        spkiSha256Base64: null,
        hostRules: null,
        netLogFile,
        flags: mode.flags({ servers: [{ host: 'origin.test', port: 8443 }], ownCertificate: true }),
      });
      await useNetwork(browser.context);
      await browser.close();
      const read = await readNetLogFile(netLogFile);
      expect(read.ok ? read.value.quicSettings : read.error).toMatchObject(settings);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

/**
 * Loads one page. The NetLog has the settings of every network context that there is at the end: a browser
 * that is closed before its first request may have none.
 */
async function useNetwork(context: BrowserContext): Promise<void> {
  const server = createServer((_, response) => response.end('a page'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const page = await context.newPage();
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}
