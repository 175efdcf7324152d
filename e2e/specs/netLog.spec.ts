import type { Page } from '@playwright/test';
import { exampleLog, exampleRequest } from '../../src/telemetry/exampleLog.testing.ts';
import { silencedSession } from '../../src/telemetry/netlog/exampleNetLog.testing.ts';
import { expect, test } from '../fixtures/test.ts';

interface MadeUp {
  readonly name: string;
  readonly text: string;
}

const asked = (id: string, name: string, startMs: number) =>
  exampleRequest({
    id,
    url: `https://origin.test:8443/${name}`,
    atMs: startMs,
    startMs,
    lastByteMs: startMs + 50,
    encodedBodyBytes: null,
    receivedBytes: null,
  });
const log = exampleLog({ segments: 0, extra: [asked('a1', 'init.mp4', 101), asked('a2', '3.m4s', 6401)] });
const SESSION = { name: 'lap.json', text: JSON.stringify(log) };
const NETLOG = { name: 'net.json', text: silencedSession().text() };

async function drop(page: Page, files: readonly MadeUp[]): Promise<void> {
  const inMemory = files.map(({ name, text }) => ({
    name,
    mimeType: 'application/json',
    buffer: Buffer.from(text),
  }));
  await page.locator('#file').setInputFiles(inMemory);
}
const racing = (page: Page) => page.getByLabel(/^Megabytes per protocol/);

test('a NetLog adds its races to the session on show, or to one that comes with it', async ({ open }) => {
  const { page } = await open({ mpd: '/media/test/template/manifest.mpd', autoplay: false });
  await drop(page, [SESSION]);
  await expect(racing(page)).toHaveAttribute('aria-label', /Races: unknown: add a NetLog\./);
  await drop(page, [NETLOG]);
  const reported =
    /Races: QUIC won 0, TCP won 2, .* Alt-Svc broken from 0:06 to the end \(QUIC_TOO_MANY_RTOS/;
  await expect(racing(page)).toHaveAttribute('aria-label', reported);
  await drop(page, [SESSION]);
  await expect(racing(page)).toHaveAttribute('aria-label', /add a NetLog/);
  await drop(page, [NETLOG, SESSION]);
  await expect(racing(page)).toHaveAttribute('aria-label', reported);
});

test('a NetLog that cannot be joined gets one clear sentence', async ({ open }) => {
  const { page } = await open({ mpd: '/media/test/template/manifest.mpd', autoplay: false });
  const refusal = (sentence: RegExp) =>
    expect(page.getByRole('alert').filter({ hasText: sentence })).toBeVisible();
  await drop(page, [NETLOG]);
  await refusal(/net\.json was not opened\. .*no open session/);
  await drop(page, [SESSION, NETLOG, NETLOG]);
  await refusal(/More than one NetLog/);
  await drop(page, [{ name: 'other.json', text: JSON.stringify(exampleLog()) }, NETLOG]);
  await refusal(/net\.json was not opened\. It has no request of the session/);
  await drop(page, [SESSION, { name: 'bad.json', text: '{"constants": {}}\n' }]);
  await refusal(/bad\.json was not opened\. This is not a NetLog/);
});
