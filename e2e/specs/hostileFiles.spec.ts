import type { Page } from '@playwright/test';
import { expect, test } from '../fixtures/test.ts';
import { exampleLog } from '../../src/telemetry/exampleLog.testing.ts';

const HOSTILE = `<img src=x onerror="document.title='owned'"><script>document.title='owned'</script>`;

async function openFile(page: Page, name: string, text: string): Promise<void> {
  // From memory: a file on disk would have to outlive the page's reading of it.
  const file = { name, mimeType: 'application/json', buffer: Buffer.from(text) };
  await page.locator('#file').setInputFiles(file);
}

test.describe('a session file that cannot be opened gets one clear sentence', () => {
  const whole = JSON.stringify(exampleLog());
  for (const [what, text, sentence] of [
    ['not JSON', 'hello', /not JSON/],
    ['cut off', whole.slice(0, whole.length / 2), /cut off/],
    ['newer schema', whole.replace('pitwall-session/2', 'pitwall-session/4'), /pitwall-session\/4/],
    ['numbers out of range', whole.replace(/"atMs":\d+(\.\d+)?/, '"atMs":-5'), /atMs/],
    ['infinity', whole.replace(/"atMs":\d+(\.\d+)?/, '"atMs":1e999'), /atMs/],
    ['another JSON', '{"a":1}', /not a session log/],
  ] as const)
    test(what, async ({ open }) => {
      const { page } = await open({ mpd: '/media/test/template/manifest.mpd', autoplay: false });
      await openFile(page, 'lap.json', text);
      await expect(page.getByRole('alert').filter({ hasText: sentence })).toBeVisible();
    });
});

test('what reads files cannot be loaded: the dialog says so, and the next try reads again', async ({
  open,
}) => {
  const { page, playing, state } = await open({ mpd: '/media/test/template/manifest.mpd' });
  await playing();
  await page.route('**/openFiles-*.js', (route) => route.abort());
  await openFile(page, 'lap.json', JSON.stringify(exampleLog()));
  const refused = page.getByRole('alert').filter({ hasText: /lap\.json was not opened\. What reads files/ });
  await expect(refused).toBeVisible();
  await expect(refused).toContainText('Nothing was changed.');
  expect((await state()).phase).toBe('playing');
  await page.unroute('**/openFiles-*.js');
  await openFile(page, 'lap.json', JSON.stringify(exampleLog()));
  await expect(page).toHaveTitle(/lap\.json/);
});

test('hostile strings in a session are shown as text and nothing runs', async ({ open }) => {
  const { page } = await open({ mpd: '/media/test/template/manifest.mpd', autoplay: false });
  const violations: string[] = [];
  page.on('dialog', (dialog) => void violations.push(dialog.message()));
  const log = exampleLog();
  const hostile = {
    ...log,
    environment: { ...log.environment, mpdUrl: HOSTILE, rule: HOSTILE },
    events: log.events.map((event) => ({
      ...event,
      ...('url' in event ? { url: HOSTILE } : {}),
      ...('because' in event ? { because: HOSTILE } : {}),
      ...('message' in event ? { message: HOSTILE } : {}),
    })),
  };
  await openFile(page, `${'x'.repeat(20)}.json`, JSON.stringify(hostile));
  await page.waitForTimeout(1500);
  expect(await page.title()).not.toBe('owned');
  expect(await page.locator('img[src="x"]').count()).toBe(0);
  expect(violations).toEqual([]);
});

test('the page carries a strict Content-Security-Policy of its own', async ({ open }) => {
  const { page } = await open({ mpd: '/media/test/template/manifest.mpd', autoplay: false });
  const policy = await page.locator('meta[http-equiv="Content-Security-Policy"]').getAttribute('content');
  expect(policy).toContain("script-src 'self'");
  expect(policy).not.toContain('unsafe');
  const ran = await page.evaluate(() => {
    const script = document.createElement('script');
    script.textContent = 'window.inlineRan = true';
    document.head.append(script);
    return 'inlineRan' in window;
  });
  expect(ran).toBe(false);
});
