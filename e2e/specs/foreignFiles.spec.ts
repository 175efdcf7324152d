import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import { launchChromium } from '../../lab/browser/chromium/launchChromium.ts';
import { startCaddy } from '../../lab/caddy/startCaddy.ts';
import { startInstrumentedOrigin } from '../../lab/origin/startInstrumentedOrigin.ts';
import { requireTool, tools } from '../../lab/tools.ts';

const SCRIPT = 'document.documentElement.setAttribute("id", "ran")';
const PAGE = `<!doctype html><title>a page</title><body onload='${SCRIPT}'><script>${SCRIPT}</script>`;
const PICTURE = `<svg xmlns="http://www.w3.org/2000/svg" onload='${SCRIPT}'><script>${SCRIPT}</script></svg>`;

for (const [name, start] of [
  ['Caddy', startCaddy],
  ['the instrumented origin', startInstrumentedOrigin],
] as const)
  test(`files of others do not run beside the app, and other names lead to nothing: ${name}`, async () => {
    const isBuilt = start === startCaddy || tools().origin !== null || process.env['CI'] === 'true';
    test.skip(!isBuilt, 'set-up has not built the origin');
    const folder = await mkdtemp(path.join(tmpdir(), 'pitwall-foreign-'));
    await writeFile(path.join(folder, 'page.html'), PAGE);
    await writeFile(path.join(folder, 'picture.svg'), PICTURE);
    const origin = await start({ mounts: { '/content': folder } });
    // The owner of a name may let it lead to this machine.
    const chromium = await launchChromium({
      executablePath: requireTool('chromium'),
      spkiSha256Base64: origin.spki,
      hostRules: 'MAP attacker.test 127.0.0.1',
      flags: [],
    });
    try {
      const page = await chromium.context.newPage();
      for (const file of ['page.html', 'picture.svg']) {
        const answer = await page.goto(`${origin.httpUrl}/content/${file}`);
        expect(answer?.status()).toBe(200);
        await expect(page.locator(':root'), file).not.toHaveAttribute('id', 'ran');
        // What looks at the page from outside may run, and sees that it is of no origin.
        expect(await page.evaluate(() => globalThis.origin), file).toBe('null');
      }
      for (const url of [origin.httpUrl, origin.httpsUrl]) {
        const answer = await page.goto(`${url.replace('localhost', 'attacker.test')}/content/page.html`);
        expect(answer?.status(), url).toBe(421);
      }
    } finally {
      await chromium.close();
      await origin.stop();
      await rm(folder, { recursive: true, force: true });
    }
  });
