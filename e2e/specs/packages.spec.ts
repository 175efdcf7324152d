import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { build } from 'vite';
import type { Page } from '@playwright/test';
import { buildPackages, packPackages, type PackageName } from '../../packages/build.mjs';
import { readSession } from '../../src/telemetry/schema/readSession.ts';
import type { SessionLog } from '../../src/telemetry/schema/sessionLog.ts';
import { emptyProject, type EmptyProject } from '../fixtures/emptyProject.ts';
import { playedTo, withPage } from '../fixtures/foreignPage.ts';
import { startLocalRegistry, type LocalRegistry } from '../fixtures/localRegistry.ts';
import { eventsOf, requestsIn } from '../fixtures/logEvents.ts';
import { describeInFull, expect, test } from '../fixtures/test.ts';

const execute = promisify(execFile);
const root = path.dirname(path.dirname(import.meta.dirname));
const consumers = path.join(root, 'packages', 'consumers');
const DASHJS = '5.2.1';

/** Functions that the pages of `packages/consumers` offer to these tests. */
declare global {
  interface Window {
    /** What the lines of the README printed. */
    noted: unknown[][];
    consumer: {
      useNet(): Promise<void>;
      bitrates(): { all: number[]; current: number };
      stopRule(): Promise<void>;
      activeRules(): string[];
      stored(): Promise<{ text: string; error: string | null; ids: string[] }>;
      /** Resolves to the log as text; only the page with script tags has this function. */
      exported(): Promise<string>;
      again(): Promise<void>;
      nextSource(): void;
    };
  }
}

describeInFull('the tarballs, installed into empty projects,', () => {
  let out: string;
  let tarballs: Record<PackageName, string>;
  let registry: LocalRegistry;
  const projects: EmptyProject[] = [];

  test.beforeAll(async () => {
    out = mkdtempSync(path.join(tmpdir(), 'pitwall-packages-'));
    await buildPackages(root, { out });
    tarballs = packPackages(root, { out });
    registry = await startLocalRegistry();
  });
  test.afterAll(async () => {
    await registry.stop();
    for (const { remove } of projects) remove();
    rmSync(out, { recursive: true, force: true });
  });

  const project = async (
    dependencies: Readonly<Record<string, string>>,
    files?: string,
  ): Promise<EmptyProject> => {
    const made = await emptyProject({
      dependencies,
      registryUrl: registry.url,
      ...(files !== undefined && { files: path.join(consumers, files) }),
    });
    projects.push(made);
    return made;
  };
  const forPages = (): Record<string, string> => ({
    dashjs: DASHJS,
    ...OTHER_PLAYERS,
    '@pitwall/telemetry': `file:${tarballs.telemetry}`,
    '@pitwall/abr': `file:${tarballs.abr}`,
  });

  test('play from a Vite project, with and without a recording', async () => {
    const { folder } = await project(forPages(), 'vite');
    await build({ root: folder, configFile: false, logLevel: 'error', build: { target: 'es2022' } });
    await withPage(path.join(folder, 'dist'), async (page, address) => {
      await page.goto(address({ rule: 'bba-2' }));
      await playedTo(page, 6);
      await page.evaluate(() => window.consumer.useNet());
      await playedTo(page, 14);
      const { text, error, ids } = await page.evaluate(() => window.consumer.stored());
      expect(error).toBeNull();
      const log = checked(text);
      expect(ids).toEqual([log.id]);
      expectDecisionsBy(log, ['bba-2', 'neural']);
      await page.evaluate(() => window.consumer.stopRule());
      expect(await page.evaluate(() => window.consumer.activeRules())).toContain('throughputRule');

      await page.goto(address({ rule: 'fixed:level=2', unrecorded: '' }));
      await playedTo(page, 6);
      const { all, current } = await page.evaluate(() => window.consumer.bitrates());
      expect(all.length).toBeGreaterThan(3);
      expect(current).toBe([...all].sort((one, other) => one - other)[1]);
    });
  });

  test('play from a page with script tags, by our rule and by those of dash.js', async () => {
    const { folder } = await project(forPages(), 'script');
    const exported = async (page: Page): Promise<SessionLog> =>
      checked(await page.evaluate(() => window.consumer.exported()));
    await withPage(folder, async (page, address) => {
      await page.goto(address({ rule: 'bola' }));
      await playedTo(page, 6);
      expectDecisionsBy(await exported(page), ['bola']);
      await page.goto(address({}));
      await playedTo(page, 6);
      const log = await exported(page);
      expectDecisionsBy(log, ['dashjs-dynamic']);
      expect(eventsOf(log, 'decision').some(({ votes }) => votes.length > 1)).toBe(true);
    });
  });

  test('record a player a second time, and over another source, with every vote and no stall', async () => {
    const { folder } = await project(forPages(), 'script');
    await withPage(folder, async (page, address) => {
      await page.goto(address({}));
      await playedTo(page, 4);
      await page.evaluate(() => window.consumer.again());
      await playedTo(page, 6);
      await page.evaluate(() => window.consumer.nextSource());
      await page.waitForFunction(() => document.querySelector('video')!.currentTime < 3);
      await playedTo(page, 5);
      const log = checked(await page.evaluate(() => window.consumer.exported()));
      expect(eventsOf(log, 'error')).toEqual([]);
      expect(eventsOf(log, 'decision').every(({ votes }) => votes.length > 1)).toBe(true);
      expect(eventsOf(log, 'stall')).toEqual([]);
      expect(eventsOf(log, 'manifest').length).toBeGreaterThan(1);
    });
  });

  for (const [name, file] of [
    ['hls.js', 'manifest.m3u8'],
    ['Shaka Player', 'manifest.mpd'],
  ] as const)
    test(`play by the README’s lines for ${name}`, async () => {
      const { folder } = await project({ '@pitwall/abr': `file:${tarballs.abr}`, ...OTHER_PLAYERS });
      const code = codeOfReadme('abr', `In ${name}`).replace(/'https:.*'/, `'/media/demo/${file}'`);
      writeFileSync(path.join(folder, 'main.js'), `import './note.js';\n${code}`);
      writeFileSync(path.join(folder, 'note.js'), NOTE);
      writeFileSync(path.join(folder, 'index.html'), PAGE);
      await build({ root: folder, configFile: false, logLevel: 'error', build: { target: 'es2022' } });
      await withPage(path.join(folder, 'dist'), async (page, address) => {
        await page.goto(address({}));
        await playedTo(page, 6);
        const noted = await page.evaluate(() => window.noted);
        expect(noted.length).toBeGreaterThan(1);
        expect(noted[0]).toEqual([0, expect.stringMatching(/level 1 of 8/)]);
      });
    });

  for (const [name, file, player] of [
    ['hls.js', 'manifest.m3u8', `hls.js ${OTHER_PLAYERS['hls.js']}`],
    ['Shaka Player', 'manifest.mpd', `shaka-player ${OTHER_PLAYERS['shaka-player']}`],
  ] as const)
    test(`record by the README’s lines for ${name}`, async () => {
      const { folder } = await project({
        '@pitwall/telemetry': `file:${tarballs.telemetry}`,
        ...OTHER_PLAYERS,
      });
      const code = codeOfReadme('telemetry', name).replace(/'https:.*'/, `'/media/demo/${file}'`);
      writeFileSync(path.join(folder, 'main.js'), `import './note.js';\n${code}`);
      writeFileSync(path.join(folder, 'note.js'), NOTE);
      writeFileSync(path.join(folder, 'index.html'), PAGE);
      await build({ root: folder, configFile: false, logLevel: 'error', build: { target: 'es2022' } });
      await withPage(path.join(folder, 'dist'), async (page, address) => {
        await page.goto(address({}));
        await playedTo(page, 6);
        await page.evaluate(() => {
          const video = document.querySelector('video')!;
          video.currentTime = video.duration - 1;
        });
        await page.waitForFunction(() => window.noted.length > 0);
        const [[text]] = (await page.evaluate(() => window.noted)) as [[string]];
        const log = checked(text);
        expect(log.environment.player).toBe(player);
        // A seek may make a player report a wait; the recorder has nothing to complain about.
        expect(eventsOf(log, 'error').filter(({ source }) => source === 'telemetry')).toEqual([]);
        expect(eventsOf(log, 'ladder')[0]!.rungs).toHaveLength(8);
        const video = requestsIn(log).filter(({ mediaType }) => mediaType === 'video');
        expect(video.length).toBeGreaterThan(2);
        expect(new Set(eventsOf(log, 'decision').map(({ rule }) => rule)).size).toBe(1);
      });
    });

  for (const [module, resolution] of [
    ['ESNext', 'bundler'],
    ['NodeNext', 'nodenext'],
  ] as const)
    test(`have types for moduleResolution ${resolution}`, async () => {
      const { folder } = await project(forPages(), 'types');
      const options = { module, moduleResolution: resolution, noUncheckedIndexedAccess: true };
      expect(await complaintsOfTsc(folder, 'use.ts', options)).toBe('');
    });

  test('have the types of the session log that the recorder has', async () => {
    const packaged = path.join(out, 'telemetry', 'types', 'packages', 'telemetry', 'index.d.ts');
    writeFileSync(
      path.join(out, 'same.ts'),
      sameTypes(packaged, path.join(root, 'src/telemetry/schema/sessionLog.ts')),
    );
    // The folder with the built files has no node_modules with dash.js.
    const options = { allowImportingTsExtensions: true, skipLibCheck: true };
    expect(await complaintsOfTsc(out, 'same.ts', options)).toBe('');
  });

  test('have the rules for a simulator that has no browser', async () => {
    const { folder } = await project({ '@pitwall/abr': `file:${tarballs.abr}` });
    expect(readdirSync(path.join(folder, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual([
      '@pitwall',
    ]);
    const { stdout } = await execute(process.execPath, ['--input-type=module', '-e', SIMULATED], {
      cwd: folder,
    });
    expect(JSON.parse(stdout)).toEqual({
      rules: expect.arrayContaining(['bola', 'neural']),
      rung: 1,
      net: true,
    });
  });
});

const { devDependencies } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
  devDependencies: Record<'hls.js' | 'shaka-player', string>;
};
const OTHER_PLAYERS = {
  'hls.js': devDependencies['hls.js'],
  'shaka-player': devDependencies['shaka-player'],
};

/** Notes what the README's lines print. The element plays by itself. */
const PAGE = `<!doctype html>
<html lang="en">
  <head><meta charset="utf-8" /><title>Lines of the README</title></head>
  <body>
    <video muted autoplay></video>
    <script type="module" src="/main.js"></script>
  </body>
</html>
`;
const NOTE = `
window.noted = [];
console.log = (...words) => window.noted.push(words);
`;

/** The first code below a heading of the README of a package. */
function codeOfReadme(name: 'abr' | 'telemetry', heading: string): string {
  const readme = readFileSync(path.join(root, 'packages', name, 'README.md'), 'utf8');
  return /```js\n([\s\S]*?)```/.exec(readme.split(`## ${heading}\n`)[1]!)![1]!;
}

/** Returns the errors of tsc about a file and what it imports; empty for none. */
async function complaintsOfTsc(
  folder: string,
  file: string,
  options: Readonly<Record<string, string | boolean>>,
): Promise<string> {
  const compilerOptions = {
    module: 'ESNext',
    moduleResolution: 'bundler',
    target: 'ES2022',
    lib: ['ES2023', 'DOM'],
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    types: [],
    ...options,
  };
  writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: [file] }));
  const tsc = path.join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  return execute(process.execPath, [tsc, '-p', folder]).then(
    ({ stdout }) => stdout,
    ({ stdout, message }: { stdout: string; message: string }) => stdout || message,
  );
}

function checked(text: string): SessionLog {
  const read = readSession(text);
  if (!read.ok) throw new Error(`the package wrote a log that is not valid: ${read.error}`);
  return read.value;
}

/** Expects a log named after the first rule, in which each rule decided for media requests over h2, and nothing failed. */
function expectDecisionsBy(log: SessionLog, rules: readonly string[]): void {
  expect(log.environment).toMatchObject({ dashjsVersion: DASHJS, rule: rules[0] });
  expect(eventsOf(log, 'rule').map(({ rule }) => rule)).toEqual(rules);
  expect(eventsOf(log, 'error')).toEqual([]);
  const requests = requestsIn(log).filter(({ outcome }) => outcome === 'ok');
  expect(requests.length).toBeGreaterThan(4);
  for (const { protocol, receivedBytes } of requests) {
    expect(protocol).toBe('h2');
    expect(receivedBytes).toBeGreaterThan(0);
  }
  const ids = new Set(requestsIn(log).map(({ id }) => id));
  const linked = eventsOf(log, 'decision').filter(
    ({ requestId }) => requestId !== null && ids.has(requestId),
  );
  if (!rules[0]!.startsWith('dashjs-'))
    expect(new Set(linked.map(({ rule }) => rule))).toEqual(new Set(rules));
  expect(linked.length).toBeGreaterThan(2);
}

const sameTypes = (packaged: string, recorded: string): string => `
import type { SessionEvent as A, SessionLog as C } from '${packaged}';
import type { SessionEvent as B, SessionLog as D } from '${recorded}';
type Equal<X, Y> = (<T>() => T extends X ? 1 : 2) extends <T>() => T extends Y ? 1 : 2 ? true : false;
const equal = <T extends true>(isEqual: T): T => isEqual;
equal<Equal<A, B>>(true);
equal<Equal<C, D>>(true);
// @ts-expect-error it is compared
equal<Equal<A, C>>(true);
`;

const SIMULATED = `
import { readFileSync } from 'node:fs';
import { abrRules, createRuleRunner, neural, parseRule } from '@pitwall/abr';
const ladder = [300, 1200].map((bitrateKbps) => ({ bitrateKbps, width: null, height: null }));
const runner = createRuleRunner(
  parseRule('throughput'), { mediaType: 'video', ladder, segmentMs: 2000, live: false, seed: 1 }, (fault) => { throw fault; },
);
runner.tell({ kind: 'download', mediaType: 'video', segment: 0, rung: 0, bitrateKbps: 300, sizeBytes: 1e6, startMs: 0,
  firstByteMs: 50, lastByteMs: 1000, protocol: 'h2', connectionReused: true, aborted: false });
const { rung } = runner.ask({ nowMs: 1000, playheadMs: 0, bufferMs: 2000, bufferTargetMs: 12000, segment: 1,
  segmentsLeft: 9, lastRung: 0, liveLatencyMs: null, playbackRate: 1 });
const weights = readFileSync(new URL(import.meta.resolve('@pitwall/abr/models/neural.json')), 'utf8');
const { ok } = await neural.withWeights(weights);
console.log(JSON.stringify({ rules: abrRules.map(({ id }) => id), rung, net: ok }));
`;
