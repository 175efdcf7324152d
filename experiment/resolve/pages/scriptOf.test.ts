import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { scriptOf } from './pages.ts';
import { libraries } from './libraries.ts';
import { pick } from '../../../src/shared/registry.ts';
import { buildWithPlayer } from '../../../setup/buildApp.mjs';

const folder = mkdtempSync(path.join(tmpdir(), 'pitwall-script-'));
afterAll(() => rmSync(folder, { recursive: true }));

const SECRET = 'a text of this machine';
const root = path.join(folder, 'checkout');
const secret = path.join(folder, 'secret.txt');

beforeAll(() => {
  mkdirSync(root);
  writeFileSync(secret, SECRET);
  writeFileSync(path.join(root, 'index.html'), '<script type="module" src="./main.ts"></script>');
  writeFileSync(
    path.join(root, 'main.ts'),
    "void import('dashjs').then(({ MediaPlayer }) => MediaPlayer().create());",
  );
});

const dash = pick(libraries, 'dashjs');
const EXPORT = 'const x = () => 1;\nexport { x as MediaPlayer };';
const script = (source: string) => scriptOf('new', { source, isModule: true, library: dash });

test.each([
  ['a text of a file', `import a from "./secret.txt?raw";\n${EXPORT}`, 'imports "./secret.txt?raw"'],
  ['an address of a file', `import a from "/etc/passwd?url";\n${EXPORT}`, 'imports "/etc/passwd?url"'],
  ['JSON', `import a from "../package.json" with { type: "json" };\n${EXPORT}`, 'imports "../package.json"'],
  ['for its effect', `import "./other.js";\n${EXPORT}`, 'imports "./other.js"'],
  ['a package', `import * as a from "vite";\n${EXPORT}`, 'imports "vite"'],
  ['what it exports', `export * from "/etc/passwd?raw";\n${EXPORT}`, 'imports "/etc/passwd?raw"'],
  [
    'what it exports by name',
    `export { default as a } from "./a.js?raw";\n${EXPORT}`,
    'imports "./a.js?raw"',
  ],
  [
    'an inline worker',
    `import W from "./secret.txt?worker&inline";\n${EXPORT}`,
    'imports "./secret.txt?worker&inline"',
  ],
])('a build that imports %s is refused in one sentence', async (_, source, words) => {
  await expect(script(source)).rejects.toThrow(
    `page new: Its dash.js ${words}: name a build that is one file.`,
  );
});

test('what is no JavaScript says why', () =>
  expect(scriptOf('new', { source: '})', isModule: true, library: dash })).rejects.toThrow(
    'page new: Its dash.js is no valid JavaScript (Parse failed with 1 error: Unexpected token).',
  ));

test.each([
  ['a module', { source: 'export { x as MediaPlayer ;', isModule: true, library: dash }],
  ['UMD', { source: 'module.exports = {', isModule: false, library: dash }],
  [
    'UMD that closes what is around it',
    { source: '}); import a from "./a.js"; ({', isModule: false, library: dash },
  ],
  ['signs for a screen', { source: 'const \u001b[31m = 1; export { x };', isModule: true, library: dash }],
])('what is no JavaScript is one sentence without signs for a screen: %s', async (_, build) => {
  const failed = scriptOf('new', build).catch(({ message }: Error) => message);
  expect(await failed).toMatch(/^page new: Its dash\.js (?:is no valid JavaScript|imports) [^\n\x1b]*\.$/);
});

test.each([
  ['new URL of a file', `const u = new URL("/etc/passwd", import.meta.url);\n${EXPORT}`],
  ['new URL beside it', `const u = new URL("../secret.txt", import.meta.url);\n${EXPORT}`],
  ['new URL by a template', `const n = "secret", u = new URL(\`../\${n}.txt\`, import.meta.url);\n${EXPORT}`],
  ['a worker', `const w = () => new Worker(new URL("../secret.txt", import.meta.url));\n${EXPORT}`],
  ['import() of a text', `const i = () => import("../secret.txt?raw");\n${EXPORT}`],
  ['import() by a template', `const i = (n) => import(\`../\${n}.txt\`);\n${EXPORT}`],
  ['a glob', `const g = import.meta.glob("../*.txt", { query: "?raw", eager: true });\n${EXPORT}`],
  ['the environment', `const e = import.meta.env, h = process.env.HOME;\n${EXPORT}`],
  ['a name of the build', `const b = __PITWALL_BUILD__;\n${EXPORT}`],
  ['a map', `${EXPORT}\n//# sourceMappingURL=../secret.txt\n`],
  ['a map in the middle', `//# sourceMappingURL=../secret.txt\n${EXPORT}`],
  ['text of another page', `const t = "</script><script src=x></script>";\n${EXPORT}`],
  ['what is put in its place', `const t = "pitwall-other-player $& $1";\n${EXPORT}`],
])('a build with %s comes into the page as it is, and nothing comes with it', async (name, source) => {
  const outDir = path.join(folder, `built ${name.replaceAll('/', '')}`);
  const own = await script(source);
  await buildWithPlayer(root, { player: 'dashjs', script: own, appFolder: '', outDir });
  const assets = path.join(outDir, 'assets');
  const dash = readdirSync(assets).filter((file) => file.startsWith('dashjs-'));
  expect(dash).toHaveLength(1);
  expect(readFileSync(path.join(assets, dash[0]!), 'utf8')).toBe(own);
  const files = readdirSync(outDir, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /\.\w+$/.test(file),
  );
  expect(files.map((file) => path.extname(file)).sort()).toEqual(['.html', '.js', '.js']);
  for (const file of files) {
    const text = readFileSync(path.join(outDir, file), 'utf8');
    expect(text, file).not.toContain(SECRET);
    expect(text, file).not.toContain('root:');
  }
  const main = files.find((file) => file.endsWith('.js') && !file.includes('dashjs-'))!;
  expect(readFileSync(path.join(outDir, main), 'utf8')).toContain(`./${dash[0]}`);
});

test.each([
  [
    'UMD',
    '!function(e,t){"object"==typeof exports&&"object"==typeof module?module.exports=t():e.dashjs=t()}(self,()=>({MediaPlayer:()=>"umd"}));',
  ],
  ['CommonJS', 'exports.MediaPlayer = () => "umd"; // the end'],
])('%s is a module for the page', async (name, source) => {
  const file = path.join(folder, `${name}.mjs`);
  Object.assign(globalThis, { self: globalThis });
  writeFileSync(file, await scriptOf('new', { source, isModule: false, library: dash }));
  const { MediaPlayer } = (await import(/* @vite-ignore */ pathToFileURL(file).href)) as {
    MediaPlayer(): string;
  };
  expect(MediaPlayer()).toBe('umd');
});

test('another hls.js is a module beside the page, also as UMD', async () => {
  writeFileSync(path.join(root, 'main.ts'), "void import('hls.js').then(({ default: Hls }) => new Hls());");
  const source = 'module.exports = class Hls { static version = "1.7.0"; }; // hlsManifestLoading';
  const own = await scriptOf('new', { source, isModule: false, library: pick(libraries, 'hlsjs') });
  const outDir = path.join(folder, 'with hls.js');
  await buildWithPlayer(root, { player: 'hlsjs', script: own, appFolder: '', outDir });
  const assets = path.join(outDir, 'assets');
  const hls = readdirSync(assets).filter((file) => file.startsWith('hlsjs-'));
  expect(hls.map((file) => readFileSync(path.join(assets, file), 'utf8'))).toEqual([own]);
  const { default: Hls } = (await import(
    /* @vite-ignore */ pathToFileURL(path.join(assets, hls[0]!)).href
  )) as {
    default: { version: string };
  };
  expect(Hls.version).toBe('1.7.0');
});

test('another Shaka takes the place of ours, byte by byte, and the page stays as it is', async () => {
  const appFolder = path.join(folder, 'app');
  const outDir = path.join(folder, 'with Shaka');
  mkdirSync(path.join(appFolder, 'assets'), { recursive: true });
  writeFileSync(path.join(appFolder, 'index.html'), 'the page');
  writeFileSync(path.join(appFolder, 'assets', 'shaka-player.compiled-es2021-Ab1.js'), 'ours');
  const source = 'var shaka = {}; shaka.Player.version="v5.2.1"; with (shaka) {}';
  const build = { source, isModule: false, library: pick(libraries, 'shaka') };
  await buildWithPlayer(root, { player: 'shaka', script: await scriptOf('new', build), appFolder, outDir });
  const read = (file: string): string => readFileSync(path.join(outDir, file), 'utf8');
  expect(read('index.html')).toBe('the page');
  expect(read('assets/shaka-player.compiled-es2021-Ab1.js')).toBe(source);
  await expect(scriptOf('new', { ...build, source: 'shaka = {' })).rejects.toThrow(
    'page new: Its Shaka is no valid JavaScript (Unexpected end of input).',
  );
});
