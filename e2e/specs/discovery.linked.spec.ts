import type { Browser } from '../../lab/browser/browser.ts';
import { browsers } from '../../lab/browser/registry.ts';
import { readAccessLog } from '../../lab/caddy/accessLog.ts';
import { startResolver } from '../../lab/dns/startResolver.ts';
import { formatPreference } from '../../lab/browser/firefox/preferences.ts';
import { createLink } from '../../lab/link/createLink.ts';
import { linkMissing } from '../../lab/link/linkMissing.ts';
import { enterNamespace } from '../../lab/namespaces.ts';
import { requireTool, tools } from '../../lab/tools.ts';
import type { Profile } from '../../src/network/profile.ts';
import { pick } from '../../src/shared/registry.ts';
import { ORIGIN_HOST, startOrigin } from '../fixtures/startOrigin.ts';
import { expect, test } from '../fixtures/test.ts';

const missing = linkMissing();
test.skip(missing !== null && !process.env['CI'], missing ?? '');

/** QUIC wins its race by one round trip, which has to be longer than what a busy machine takes. */
const profile: Profile = {
  id: 'test',
  label: 'Test',
  paper: 'none',
  repeat: false,
  steps: [{ durationMs: 1, downKbps: 5000, upKbps: null, rttMs: 300, lossDown: 0, lossUp: 0 }],
  queue: { kind: 'droptail', bdp: 2 },
};
const PORT = 8443;
/** Firefox begins TCP beside QUIC after 50 ms; Chromium heeds none of it. */
const PATIENT = [formatPreference('network.dns.httpssvc.http3_fast_fallback_timeout', 5000)];
const REQUESTS = 4;

/** Asks an origin without Alt-Svc from a cold browser; returns the protocols of the requests, as the origin logged them. */
async function askCold(browser: Browser, { hasRecord }: { hasRecord: boolean }): Promise<(string | null)[]> {
  const link = await createLink({ profile, seed: 1 });
  const undo: (() => Promise<unknown>)[] = [() => link.remove()];
  try {
    const { namespace, address } = link.server;
    const origin = await startOrigin({ namespace, addresses: [address], altSvc: false });
    undo.push(() => origin.stop());
    // The page is on the browser's own loopback: nothing of the origin is known when it is asked.
    const app = await startOrigin({
      namespace: link.client.namespace,
      addresses: ['127.0.0.1'],
      host: 'localhost',
    });
    undo.push(() => app.stop());
    const https = hasRecord ? [{ priority: 1, alpn: ['h3', 'h2'] }] : [];
    const zone = [{ host: ORIGIN_HOST, address, port: PORT, https }];
    const resolver = await startResolver({ zone, namespace, address, port: 53 });
    undo.push(() => resolver.stop());
    const target = { servers: [{ host: ORIGIN_HOST, port: PORT }], ownCertificate: true };
    const running = await browser.launch({
      executablePath: await link.clientWrapper(requireTool(browser.tool), { asksDns: true }),
      enter: (command) => enterNamespace(link.client.namespace, ...command),
      flags: [...pick(browser.modes, 'h3-racing').flags(target), ...PATIENT],
      spkiSha256Base64: origin.spki,
      hostRules: null,
      asksDns: true,
    });
    undo.push(() => running.close());
    const page = running.context.pages()[0] ?? (await running.context.newPage());
    await page.goto(`${app.httpUrl}/favicon.svg`);
    for (let count = 0; count < REQUESTS; count += 1)
      await page.evaluate(
        async (url) => void (await (await fetch(url)).arrayBuffer()),
        `${origin.httpsUrl}/media/demo/manifest.mpd`,
      );
    const asked = resolver.questions().filter(({ name }) => name.endsWith(ORIGIN_HOST));
    expect(asked.map(({ type }) => type)).toEqual(expect.arrayContaining(['A', 'HTTPS']));
    const answers = readAccessLog(origin.accessLogFile);
    expect(answers.filter(({ responseHeaders }) => 'alt-svc' in responseHeaders)).toEqual([]);
    return answers.map(({ protocol }) => protocol);
  } finally {
    for (let step = undo.pop(); step; step = undo.pop()) await step();
  }
}

for (const browser of browsers)
  test.describe(browser.label, () => {
    test.beforeEach(() =>
      test.skip(tools()[browser.tool] === null, tools().missing[browser.tool] ?? 'it is not there'),
    );

    test('a cold browser that finds h3 in DNS uses it for its first request', async () => {
      expect(await askCold(browser, { hasRecord: true })).toEqual(Array(REQUESTS).fill('h3'));
    });

    test('a browser that nobody tells of h3 stays on h2', async () => {
      expect(await askCold(browser, { hasRecord: false })).toEqual(Array(REQUESTS).fill('h2'));
    });
  });
