import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { chromium, expect, test, type Browser, type Page } from '@playwright/test';
import { builtApp } from '../fixtures/builtApp.ts';
import { findAxeFaults } from '../fixtures/findAxeFaults.ts';
import type { Origin } from '../../lab/caddy/origin.ts';
import { startCaddy } from '../../lab/caddy/startCaddy.ts';
import { requireTool } from '../../lab/tools.ts';
import { eventsOf } from '../../src/analysis/timeline/log.ts';
import { metrics } from '../../src/analysis/metrics/registry.ts';
import { startingFile } from '../../experiment/design/startingFile.ts';
import { readSession } from '../../src/telemetry/schema/readSession.ts';
import type { SessionLog } from '../../src/telemetry/schema/sessionLog.ts';

const run = promisify(execFile);
const root = path.dirname(path.dirname(import.meta.dirname));

/** Campaign of simulated sessions: two rules over two transports, on a network without loss and one that makes them stall. */
const campaign = {
  ...startingFile,
  name: 'side-by-side',
  rules: ['bola', 'throughput'],
  transports: ['h2', 'h3-only'],
  profiles: ['dh', 'np2b-large-delay-large-loss'],
  contents: ['padded:envivio'],
  repeats: 1,
  seeds: [1],
  seconds: 60,
  phase: 'drawn',
  primary: 'mean-bitrate',
};

/** Campaign whose arms have enough sessions for bands. */
const repeated = {
  ...campaign,
  name: 'by-arm',
  rules: ['bola'],
  repeats: 6,
  profiles: ['np2b-large-delay-large-loss'],
  compare: 'transports',
};

let folder = '';
/** Folder of the other campaign, empty until it is played. */
let armsFolder = '';
/** Logs of four sessions without loss, in the order of their names, and of four with loss. */
let logs: { name: string; log: SessionLog }[] = [];
let lossy: typeof logs = [];
let origin: Origin;
let browser: Browser;
let page: Page;

test.beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'pitwall-compare-'));
  armsFolder = await mkdtemp(path.join(tmpdir(), 'pitwall-arms-'));
  await simulate(campaign, folder);
  const names = (await readdir(path.join(folder, 'sessions'))).sort();
  const all = await Promise.all(names.map(async (name) => ({ name, log: await logIn(name) })));
  logs = all.filter(({ log }) => log.design!.cell.includes('/dh/'));
  lossy = all.filter((each) => !logs.includes(each));
  expect([logs.length, lossy.length]).toEqual([4, 4]);
  await writeFile(path.join(folder, 'torn.json'), '{"schema":"pitwall-session/2","id":');
  await writeFile(path.join(folder, 'none.json'), JSON.stringify(neverPlayed(logs[0]!.log)));
  const many = Array.from({ length: 23 }, () => `sessions/${names[0]}`);
  await writeFile(path.join(folder, 'many.txt'), `# the same again and again\n${many.join('\n')}\n`);
  origin = await startCaddy({
    host: 'localhost',
    mounts: { '/campaign': { privateFolder: folder }, '/arms': { privateFolder: armsFolder } },
    appFolder: builtApp,
  });
  browser = await chromium.launch({ executablePath: requireTool('chromium') });
});
test.afterAll(async () => {
  await browser?.close();
  await origin?.stop();
  for (const each of [folder, armsFolder]) await rm(each, { recursive: true, force: true });
});
test.beforeEach(async () => {
  page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
});
test.afterEach(() => page.close());

test('logs by address: their metrics with differences, and where they chose other rungs', async () => {
  const [bola, , throughput] = logs;
  await open([bola!.name, throughput!.name]);
  await expect(page.locator('.chip')).toHaveCount(2);
  await expect(page.locator('.chip-name').first()).toContainText('BOLA');
  await expect(page.locator('.chip-name').last()).toContainText('throughput');
  for (const id of ['mean-bitrate', 'join-time', 'rebuffer-rate']) {
    const { better, unit } = metrics.find((each) => each.id === id)!;
    const decimals = unit === '%' ? 1 : 0;
    const [first, second] = [bola!, throughput!].map(({ log }) => valueOf(log, id));
    const cells = page.locator(`[data-metric="${id}"] td`);
    await expect(cells.first()).toHaveText(first!.toFixed(decimals));
    await expect(cells.last()).toContainText(second!.toFixed(decimals));
    const difference = second! - first!;
    if (Number(difference.toFixed(decimals)) === 0) continue;
    await expect(cells.last()).toHaveClass(difference > 0 === (better === 'higher') ? 'better' : 'worse');
  }
  const rungs = [bola!, throughput!].map(({ log }) => rungsOf(log));
  const common = [...rungs[1]!].filter(([segment]) => rungs[0]!.has(segment));
  const differing = common.filter(([segment, rung]) => rungs[0]!.get(segment) !== rung);
  expect(differing.length).toBeGreaterThan(0);
  await expect(lane('decisions')).toHaveAttribute(
    'aria-label',
    new RegExp(`: B ${differing.length} of ${common.length} segments\\.$`),
  );
  await expect(page.locator('.compare-differences summary')).toHaveText(
    `Where they chose other levels: ${differing.length} segment${differing.length === 1 ? '' : 's'}`,
  );
});

test('zoom and pan are one for all charts, by wheel, drag, buttons and keys, and stand in the address', async () => {
  await open([logs[0]!.name, logs[2]!.name]);
  const range = page.locator('#compare-range');
  const all = await range.textContent();
  expect(all).toMatch(/^all 1:\d\d$/);
  const plot = (await page.locator('#compare-buffer .lane-plot').boundingBox())!;
  await page.mouse.move(plot.x + plot.width / 2, plot.y + 20);
  await page.mouse.wheel(0, -300);
  await expect(range).toHaveText(/^0:1\d\.\d to 0:4\d\.\d of /);
  await expect(page).toHaveURL(/[?&]from=1\d(\.\d)?&to=4\d/);
  await page.getByRole('button', { name: 'Show all' }).click();
  await expect(range).toHaveText(all!);
  await expect(page).not.toHaveURL(/from=/);
  await page.mouse.move(plot.x + 200, plot.y + 20);
  await page.mouse.down();
  await page.mouse.move(plot.x + 400, plot.y + 30, { steps: 3 });
  await page.mouse.up();
  await expect(range).toHaveText(/ to .* of /);
  const zoomed = await range.textContent();
  await page.getByRole('button', { name: 'Later' }).click();
  await expect(range).not.toHaveText(zoomed!);
  await page.getByRole('slider').focus();
  await page.keyboard.press('0');
  await expect(range).toHaveText(all!);
  await page.keyboard.press('+');
  await expect(range).toHaveText(/ to .* of /);
  await page.keyboard.press(']');
  await expect(page.getByRole('slider')).toHaveAttribute(
    'aria-valuetext',
    /^\d:\d\d; A \d.*Mbit\/s, buffer [\d.]+\ss; B \d/,
  );
});

test('the address carries alignment, range and reference', async () => {
  await open([logs[0]!.name, logs[2]!.name], '&ref=B&align=wall&from=5&to=25');
  await expect(page.getByRole('button', { name: 'Reference B' })).toHaveAttribute('aria-pressed', 'true');
  await expect(page.getByRole('button', { name: 'wall time' })).toHaveAttribute('aria-pressed', 'true');
  await expect(page.locator('#compare-range')).toHaveText(/^0:05\.0 to 0:25\.0 of /);
  await expect(page.locator('#compare-decisions .lane-note')).toHaveText(
    'levels above or below B for the same segment',
  );
  await page.getByRole('button', { name: 'Reference A' }).press('Enter');
  await expect(page.locator('#compare-decisions .lane-note')).toHaveText(
    'levels above or below A for the same segment',
  );
  await expect(page.getByRole('button', { name: 'Reference A' })).toBeFocused();
  await expect(page).toHaveURL(/align=wall&from=5&to=25$/);
  await page.getByRole('button', { name: 'Close A' }).click();
  await expect(page.locator('.chip')).toHaveCount(1);
  await expect(page.locator('.fair')).toHaveText('One session is open. Open another to compare it with.');
});

test('a bad log is a sentence with its name, the others stay; a session that never played says so', async () => {
  await page.goto(
    `${origin.httpUrl}/?log=campaign/torn.json&log=campaign/nowhere.json&log=campaign/none.json&log=campaign/sessions/${logs[0]!.name}`,
  );
  await expect(page.locator('.chip')).toHaveCount(2);
  await expect(page.locator('.compare-notices li')).toHaveText([
    /^torn\.json was not opened\. The file is cut off/,
    'nowhere.json was not opened. The server answered 404.',
  ]);
  await expect(page.locator('.chip-what').first()).toHaveText('never showed a frame');
  await expect(page.locator('[data-metric="mean-bitrate"] td').first()).toHaveText('unknown');
  await expect(lane('stalls')).toHaveAttribute('aria-label', /A 0 stalls/);
});

test('of more than twenty logs the first twenty are shown, and it says so', async () => {
  await page.goto(`${origin.httpUrl}/?logs=campaign/many.txt`);
  await expect(page.locator('.chip')).toHaveCount(20);
  await expect(page.locator('.compare-notices')).toHaveText(
    '20 sessions are the maximum: only the first 20 of 23 logs were opened.',
  );
  await page.getByRole('button', { name: 'wall time' }).click();
  await expect(page).toHaveURL(/\?logs=campaign\/many\.txt&align=wall$/);
  await page.getByRole('button', { name: 'Close T' }).click();
  await expect(page).toHaveURL(/\?(log=\/campaign\/sessions\/[^&]+&){19}align=wall$/);
});

test('logs dropped on the live view, and a folder of a campaign', async () => {
  await page.goto(`${origin.httpUrl}/`);
  await page
    .locator('#file')
    .setInputFiles(logs.slice(0, 2).map(({ name }) => path.join(folder, 'sessions', name)));
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('2 sessions, side by side');
  await expect(page.getByRole('button', { name: 'Copy link' })).toBeHidden();
  await page.locator('#compare-folder').setInputFiles(folder);
  await expect(page.locator('.chip')).toHaveCount(10);
  await expect(page.locator('.compare-notices')).toBeEmpty();
  const dropped = await page.evaluateHandle((text) => {
    const data = new DataTransfer();
    data.items.add(new File([text], 'dropped.json', { type: 'application/json' }));
    return data;
  }, JSON.stringify(logs[0]!.log));
  await page.locator('.chips').dispatchEvent('drop', { dataTransfer: dropped });
  await expect(page.locator('.chip-file').last()).toHaveText('dropped.json');
  await page.getByRole('link', { name: 'Live' }).click();
  await expect(page.locator('#start')).toBeVisible();
  await expect(page.locator('.chip').first()).toBeHidden();
  await page.getByRole('link', { name: 'Compare' }).click();
  await expect(page.locator('.chip')).toHaveCount(11);
});

for (const [colorScheme, width] of [
  ['light', 1440],
  ['dark', 400],
] as const)
  test(`axe finds nothing: ${colorScheme}, ${width} px`, async () => {
    const context = await browser.newContext({
      colorScheme,
      viewport: { width, height: 900 },
      bypassCSP: true,
    });
    page = await context.newPage();
    // The sessions with loss have stalls in every row, so their numbers are wider.
    await open(lossy.map(({ name }) => name));
    for (const details of await page.locator('.compare-tables summary').all()) await details.click();
    expect(await findAxeFaults(page)).toEqual([]);
    const sideways = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(sideways).toBeLessThanOrEqual(0);
    await context.close();
  });

test('many sessions of a campaign: bands by arm, differences within pairs, and one session over them', async () => {
  await simulate(repeated, armsFolder);
  const names = (await readdir(path.join(armsFolder, 'sessions'))).sort();
  await writeFile(path.join(armsFolder, 'all.txt'), names.map((name) => `sessions/${name}`).join('\n'));
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, bypassCSP: true });
  page = await context.newPage();
  await page.goto(`${origin.httpUrl}/?logs=arms/all.txt`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('12 sessions in 2 arms');
  await expect(page.locator('.chip')).toHaveText([/h2.*6 sessions/, /h3-only.*6 sessions/]);
  await expect(page.getByRole('button', { name: 'wall time' })).toHaveAttribute('aria-pressed', 'true');
  for (const id of ['arm-bitrate', 'arm-buffer', 'arm-stalls']) await expect(lane(id)).toBeVisible();
  await expect(lane('bitrate')).toBeHidden();
  const values = async (arm: string): Promise<Map<string, number>> => {
    const played = (await Promise.all(names.map((name) => logIn(name, armsFolder)))).filter(
      ({ design }) => design!.arm === arm,
    );
    return new Map(played.map((log) => [log.design!.pair, valueOf(log, 'join-time')]));
  };
  const [first, second] = [await values('bola/h2'), await values('bola/h3-only')];
  const differences = [...first].map(([pair, value]) => second.get(pair)! - value);
  differences.sort((one, other) => one - other);
  const middle = ((differences[2]! + differences[3]!) / 2).toFixed(0);
  const cells = page.locator('[data-metric="join-time"] td');
  await expect(page.locator('.arm-figures thead th')).toHaveText([
    /figure$/,
    /h2.*6 sessions$/,
    /h3-only.*6 pairs$/,
  ]);
  await expect(cells.last()).toHaveText(`${Number(middle) > 0 ? '+' : ''}${middle.replace('-', '−')}`);
  const session = page.getByRole('button', { name: /kbit\/s, session B2$/ });
  await session.press('Enter');
  await expect(session).toBeFocused();
  await expect(session).toHaveAttribute('aria-pressed', 'true');
  await expect(page.locator('#compare-arm-bitrate .lane-readout li')).toHaveText([/^A/, /^B/, /^B2/]);
  expect(await findAxeFaults(page)).toEqual([]);
  await page.getByRole('button', { name: 'sessions', exact: true }).press('Enter');
  await expect(page).toHaveURL(/all\.txt&view=sessions$/);
  await expect(page.locator('.chip')).toHaveCount(12);
  await expect(lane('arm-bitrate')).toBeHidden();
  await page.reload();
  await expect(page.getByRole('button', { name: 'sessions', exact: true })).toHaveAttribute(
    'aria-pressed',
    'true',
  );
  await page.getByRole('button', { name: 'arms', exact: true }).press('Enter');
  await expect(page).toHaveURL(/all\.txt&view=arms$/);
  await expect(lane('arm-bitrate')).toBeVisible();
  await context.close();
});

const lane = (id: string) => page.locator(`#compare-${id} canvas`);

async function open(names: readonly string[], more = ''): Promise<void> {
  await page.goto(
    `${origin.httpUrl}/?${names.map((name) => `log=campaign/sessions/${name}`).join('&')}${more}`,
  );
  await expect(page.locator('.chip')).toHaveCount(names.length);
}

async function simulate(file: object, out: string): Promise<void> {
  const at = path.join(out, 'campaign.json');
  await writeFile(at, JSON.stringify(file));
  const pitwall = path.join(root, 'bin', 'pitwall');
  await run(process.execPath, [pitwall, 'compare', at, '--simulate', '--out', out], { cwd: root });
}

async function logIn(name: string, from = folder): Promise<SessionLog> {
  const log = readSession(await readFile(path.join(from, 'sessions', name), 'utf8'));
  if (!log.ok) throw new Error(log.error);
  return log.value;
}

const valueOf = (log: SessionLog, id: string): number =>
  metrics.find((each) => each.id === id)!.of(log).value!;

/** Returns the rung of the last decision for each segment, straight from the log. */
const rungsOf = (log: SessionLog): Map<number, number> =>
  new Map(
    eventsOf(log, 'decision').flatMap(({ segment, rung, mediaType }) =>
      mediaType === 'video' && segment !== null && rung !== null ? [[segment, rung] as const] : [],
    ),
  );

/** Returns the log of a session as it is when no picture ever came. */
const neverPlayed = (log: SessionLog): SessionLog => ({
  ...log,
  events: log.events
    .filter(({ kind }) => kind === 'manifest' || kind === 'ladder' || kind === 'playback')
    .filter((event) => event.kind !== 'playback' || event.state === 'play-requested'),
});
