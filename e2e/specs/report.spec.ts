import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { chromium, expect, test } from '@playwright/test';
import { findAxeFaults } from '../fixtures/findAxeFaults.ts';
import { tools } from '../../lab/tools.ts';
import { startingFile } from '../../experiment/design/startingFile.ts';

const run = promisify(execFile);
const root = path.dirname(path.dirname(import.meta.dirname));

/** 24 simulated sessions: two rules over two transports, six pairs. */
const campaign = {
  ...startingFile,
  name: 'report',
  rules: ['bola', 'throughput'],
  transports: ['h2', 'h3-only'],
  profiles: ['np2b-typical-delay-typical-loss'],
  contents: ['padded:envivio'],
  repeats: 6,
  seeds: [1],
  seconds: 30,
  phase: 'drawn',
  primary: 'mean-bitrate',
};

/** Between them both schemes and both widths. */
const LOOKS = [
  ['light', 1440],
  ['dark', 400],
] as const;

// Hundreds of rows of tables are much for axe where other things run.

test.describe('a report', () => {
  let folder = '';
  const pitwall = (...args: string[]) =>
    run(process.execPath, [path.join(root, 'bin', 'pitwall'), ...args], { cwd: root, maxBuffer: 1e8 });

  test.beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'pitwall-report-'));
    const file = path.join(folder, 'c.json');
    await writeFile(file, JSON.stringify(campaign));
    await pitwall('compare', file, '--simulate', '--out', folder);
    const { stdout } = await pitwall('report', folder);
    expect(stdout).toMatch(/report\.html: 24 of 24 sessions/);
  });
  test.afterAll(() => rm(folder, { recursive: true, force: true }));

  test('opens from the disk without a script or a request, and axe finds nothing', async () => {
    const address = pathToFileURL(path.join(folder, 'report.html')).href;
    const browser = await chromium.launch({ executablePath: tools().chromium! });
    try {
      const requests: string[] = [];
      for (const [colorScheme, width] of LOOKS) {
        // axe is a script: the page's own policy would keep it out.
        const context = await browser.newContext({
          colorScheme,
          bypassCSP: true,
          viewport: { width, height: 900 },
        });
        const page = await context.newPage();
        page.on('request', (request) => requests.push(request.url()));
        await page.goto(address);
        expect(await findAxeFaults(page), `${colorScheme} ${width}`).toEqual([]);
        const sideways = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
        expect(sideways).toBeLessThanOrEqual(0);
        await context.close();
      }
      expect(requests).toEqual(LOOKS.map(() => address));
      const context = await browser.newContext({ javaScriptEnabled: false });
      const page = await context.newPage();
      await page.goto(address);
      await expect(page.locator('#verdict .verdicts li')).toHaveCount(2);
      await expect(page.locator('#cells tbody tr')).toHaveCount(4);
      expect(await page.locator('figure svg').count()).toBeGreaterThan(3);
    } finally {
      await browser.close();
    }
  });

  test('a folder that is no campaign gives one sentence and a failing exit code', async () => {
    const none = path.join(folder, 'sessions');
    const { code, stderr } = (await pitwall('report', none).catch((error: unknown) => error)) as {
      code: number;
      stderr: string;
    };
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^pitwall: .*sessions: This is not a campaign folder: it has no plan\.json[^\n]*\n$/,
    );
  });
});
