import { readAccessLog } from '../../lab/caddy/accessLog.ts';
import { contentMounts } from '../../lab/content/contentMounts.ts';
import { startInstrumentedOrigin } from '../../lab/origin/startInstrumentedOrigin.ts';
import { tools } from '../../lab/tools.ts';
import { builtApp } from '../fixtures/builtApp.ts';
import { requestsIn } from '../fixtures/logEvents.ts';
import { ORIGIN_HOST } from '../fixtures/startOrigin.ts';
import { expect, test } from '../fixtures/test.ts';

test.skip(tools().origin === null && process.env['CI'] !== 'true', 'set-up has not built the origin');

const SILENCE_MS = 2500;

test('a silence of UDP holds up what is asked over h3, on the same connection, and each request said how urgent it is', async ({
  open,
}) => {
  const origin = await startInstrumentedOrigin({
    host: ORIGIN_HOST,
    appFolder: builtApp,
    mounts: contentMounts(),
  });
  try {
    const session = await open({ mpd: '/media/demo/manifest.mpd', mode: 'h3-only', origin });
    await session.playing();
    // Both on the machine's clock: a slow machine may begin to fetch late in the silence.
    const silentAtMs = Date.now();
    await origin.setFaults([{ untilMs: SILENCE_MS, fault: { kind: 'udp-silence' } }]);
    const fetched = await session.page.evaluate(async (url) => {
      const fromMs = Date.now();
      await (await fetch(url, { cache: 'no-store' })).arrayBuffer();
      return { fromMs, toMs: Date.now() };
    }, `${origin.httpsUrl}/media/demo/manifest.mpd?silence`);
    expect(fetched.fromMs).toBeLessThan(silentAtMs + SILENCE_MS);
    expect(fetched.toMs).toBeGreaterThanOrEqual(silentAtMs + SILENCE_MS);
    const log = await session.stop();
    const asked = readAccessLog(origin.accessLogFile).filter(({ uri }) => uri.endsWith('?silence'));
    expect(asked.map(({ protocol, status }) => [protocol, status])).toEqual([['h3', 200]]);
    // Nothing was given up meanwhile: the connection outlived the silence.
    const connections = requestsIn(log, ['init', 'media']).flatMap(({ serverTiming }) =>
      (serverTiming ?? []).filter(({ name }) => name === 'connection').map(({ description }) => description),
    );
    expect(new Set(connections).size).toBe(1);
    // RFC 9218: what a page asks for by fetch is urgent, and of use in parts.
    for (const { requestHeaders } of asked) expect(requestHeaders['priority']).toBe('u=1, i');
  } finally {
    await origin.stop();
  }
});
