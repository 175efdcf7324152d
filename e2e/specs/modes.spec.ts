import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import { probeOffers } from '../../lab/browser/chromium/probeOffers.ts';
import { startCaddy } from '../../lab/caddy/startCaddy.ts';
import { startInstrumentedOrigin } from '../../lab/origin/startInstrumentedOrigin.ts';
import { requireTool, tools } from '../../lab/tools.ts';

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
