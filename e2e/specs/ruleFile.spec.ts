import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Page } from '@playwright/test';
import { eventsOf } from '../fixtures/logEvents.ts';
import { replayDifferences } from '../fixtures/replayedRules.ts';
import { expect, test } from '../fixtures/test.ts';
import { readRequestedRule } from '../../node/rules.ts';
import { abrRules } from '../../src/abr/registry.ts';
import type { Rule } from '../../src/abr/rule.ts';
import { valueOf } from '../../src/shared/result.ts';
import { readSession } from '../../src/telemetry/schema/readSession.ts';
import type { SessionLog } from '../../src/telemetry/schema/sessionLog.ts';

const root = path.dirname(path.dirname(import.meta.dirname));
const example = path.join(root, 'docs', 'examples', 'safe-rate.js');
const MPD = '/media/test/template/manifest.mpd';
const run = promisify(execFile);
const sha256Of = (text: string): string => createHash('sha256').update(text).digest('hex');

let folder = '';
test.beforeAll(async () => void (folder = await mkdtemp(path.join(tmpdir(), 'pitwall-rule-file-'))));
test.afterAll(() => rm(folder, { recursive: true, force: true }));

async function file(name: string, text: string): Promise<string> {
  const place = path.join(folder, name);
  await writeFile(place, text);
  return place;
}

const ruleOf = async (text: string): Promise<Rule> => valueOf(await readRequestedRule(text, abrRules)).rule;

/** The same file in Node chooses all that the browser has recorded, in its words and with its numbers. */
function expectReplayed(log: SessionLog, rule: Rule): void {
  expect(eventsOf(log, 'error')).toEqual([]);
  const { decisions, differences } = replayDifferences(log, rule);
  expect(decisions).toBeGreaterThanOrEqual(4);
  expect(differences).toEqual([]);
}

/** Chooses a file by the page's field. Resolves to what the page says of it. */
async function choose(page: Page, place: string): Promise<string> {
  await page.setInputFiles('#rule-file', place);
  const note = page.locator('#rule-file-note');
  await expect(note).toContainText(path.basename(place));
  return await note.innerText();
}

test('the page takes a rule by its field and plays with it', async ({ open }) => {
  const { page, playing, stop } = await open({ mpd: MPD, autoplay: false, rateKbps: 2500 });
  const sha256 = sha256Of(await readFile(example, 'utf8'));
  expect(await choose(page, example)).toContain(
    `safe-rate.js (SHA-256 ${sha256.slice(0, 8)}…) is the rule safe-rate.`,
  );
  await page.getByRole('button', { name: 'Advanced settings' }).click();
  await page.getByRole('textbox', { name: 'Parameters of the rule' }).fill('safety=0.6');
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await playing();
  await page.waitForTimeout(6000);
  const log = await stop();
  expect(log.environment).toMatchObject({
    rule: 'safe-rate',
    ruleParameters: { safety: 0.6, weight: 0.4, file: 'safe-rate.js', sha256 },
  });
  expectReplayed(log, await ruleOf(`${example}:safety=0.6`));
});

test('a rule that looks for the network, or the page, finds none', async ({ open }) => {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.setHeader('Access-Control-Allow-Origin', '*').end();
  }).listen(0, '127.0.0.1');
  await new Promise((listens) => server.once('listening', listens));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const spy = `
const url = ${JSON.stringify(url)};
const attempts = {
  fetch: () => fetch(url + '/fetch').catch(() => {}),
  xhr: () => { const xhr = new XMLHttpRequest(); xhr.open('GET', url + '/xhr'); xhr.send(); },
  beacon: () => navigator.sendBeacon(url + '/beacon'),
  image: () => { new Image().src = url + '/image'; },
  socket: () => new WebSocket(url.replace('http', 'ws') + '/socket'),
  events: () => new EventSource(url + '/events'),
  worker: () => new Worker(URL.createObjectURL(new Blob(['fetch("' + url + '/worker")']))),
  script: () => importScripts(url + '/script'),
  module: () => import(url + '/module').catch(() => {}),
  eval: () => Function('return fetch("' + url + '/eval")')(),
  frame: () => { const frame = document.createElement('iframe'); frame.src = url + '/frame'; document.body.append(frame); },
  style: () => { const link = document.createElement('link'); link.rel = 'stylesheet'; link.href = url + '/style'; document.head.append(link); },
  top: () => top.fetch(url + '/top'),
  parent: () => parent.fetch(url + '/parent'),
  opener: () => open(url + '/open'),
  location: () => { location.href = url + '/location'; },
  given: (given) => given.constructor.constructor('return fetch("' + url + '/given")')(),
  storage: () => indexedDB.open('planted'),
  timer: () => setTimeout(() => top.fetch(url + '/timer')),
  thrown: (given) => {
    // It takes long, and only a function of the page can throw.
    if (typeof given !== 'function') return;
    const ask = (...about) => { try { given(...about); } catch (fault) { fault.constructor.planted = true; } };
    ask(Symbol(), Symbol());
    const dive = () => { try { dive(); } catch {} ask(0, 0); };
    dive();
  },
};
const tried = {};
const attempt = (given) => {
  for (const [name, act] of Object.entries(attempts))
    try { act(given); tried[name] = 'done'; } catch (fault) { tried[name] = String(fault); }
};
attempt({});
export default {
  id: 'spy',
  start: (context) => (attempt(context.sizeBytes), context.ladder.length),
  observe: (state, event) => (attempt(event), state),
  decide: (state, moment) => (attempt(moment), { rung: 0, because: Object.keys(tried).length + ' ways', values: {} }),
};
`;
  try {
    const { page, playing, stop } = await open({ mpd: MPD, autoplay: false });
    const before = page.url();
    expect(await choose(page, await file('spy.js', spy))).toContain('is the rule spy.');
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await playing();
    await page.waitForTimeout(4000);
    const log = await stop();
    const [decision] = eventsOf(log, 'decision');
    expect(decision).toMatchObject({ rule: 'spy', because: '20 ways' });
    expect(new URL(page.url()).origin).toBe(new URL(before).origin);
    expect(page.context().pages()).toHaveLength(1);
    expect(asked).toEqual([]);
    const stored = await page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name));
    expect(stored).not.toContain('planted');
    const isReached = () => [Function, RangeError, TypeError].some((each) => 'planted' in each);
    expect(await page.evaluate(isReached)).toBe(false);
    // The server can be reached from this browser: by the page itself.
    await page.evaluate((address) => fetch(`${address}/page`), url);
    expect(asked).toEqual(['/page']);
  } finally {
    server.close();
  }
});

test('what is no rule is said in one sentence, and an endless loop is ended', async ({ open }) => {
  const { page } = await open({ mpd: MPD, autoplay: false });
  const functions = 'start: () => 0, observe: (state) => state';
  const cases = [
    ['nothing.js', 'const rule = 1;', 'nothing.js: It has no default export, which is the rule.'],
    ['undecided.js', `export default { ${functions} };`, 'undecided.js: Its rule has no function "decide".'],
    [
      'throws.js',
      `export default { ${functions}, decide() { throw new Error('boom'); } };`,
      'throws.js: Its rule failed in a trial with 3 levels, in decide: Error: boom.',
    ],
    ['endless.js', `export default { ${functions}, decide() { for (;;); } };`, 'it may loop for ever.'],
    ['syntax.js', 'export default {', 'syntax.js: It cannot be run: Uncaught SyntaxError:'],
    // A body that ends the function around it would run in the frame while that still has a page around it.
    ['outside.js', '} top.document.title = 1; {', 'outside.js: It cannot be run.'],
    [
      'further.js',
      '}, top.document.title = 1, () => {',
      'further.js: It cannot be run: Uncaught SyntaxError:',
    ],
    ['types.ts', 'export default {};', 'types.ts: The page takes JavaScript.'],
  ] as const;
  for (const [name, text, sentence] of cases)
    expect(await choose(page, await file(name, text))).toContain(sentence);
  await expect(page.locator('iframe')).toHaveCount(0);
  expect(await page.title()).not.toBe('1');
  expect(await page.locator('#rule').inputValue()).toBe('dashjs-dynamic');
});

test('pitwall compare plays a rule file over loopback, and logs name the file that was written', async () => {
  const typed = `import type { Rule } from '@pitwall/abr';\n${await readFile(example, 'utf8')}`;
  const mine = await file('mine.ts', typed.replace('(parameters) =>', '(parameters: any): any =>'));
  const out = path.join(folder, 'out');
  const pitwall = (...args: string[]) =>
    run(process.execPath, [path.join(root, 'bin', 'pitwall'), ...args], { cwd: root, maxBuffer: 1e8 });
  const { stdout } = await pitwall(
    ...['compare', '--seconds=10', `--rules=${mine}:safety=0.7,dashjs-bola`, '--transports=h2', '--out', out],
  );
  expect(stdout).toContain('safe-rate:safety=0.7');
  const text = await readFile(path.join(out, 'safe-rate-safety-0-7-h2.json'), 'utf8');
  const log = valueOf(readSession(text));
  const sha256 = sha256Of(await readFile(mine, 'utf8'));
  const parameters = { safety: 0.7, file: 'mine.ts', sha256 };
  expect(log.environment).toMatchObject({ rule: 'safe-rate', ruleParameters: parameters });
  expect(eventsOf(log, 'rule')[0]).toMatchObject({ rule: 'safe-rate', parameters });
  expectReplayed(log, await ruleOf(`${mine}:safety=0.7`));
});
