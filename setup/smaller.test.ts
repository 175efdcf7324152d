import { mkdtempSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { build, createLogger } from 'vite';
import { smaller } from './smaller.ts';

const FILES: Readonly<Record<string, string>> = {
  'index.html': '<script type="module" src="./main.ts"></script>',
  'main.ts': `const asked = new Worker(new URL('./words.worker.ts', import.meta.url), { type: 'module' });
asked.addEventListener('error', () => {
  throw new Error('of the page');
});`,
  'words.worker.ts': `addEventListener('message', ({ data }) => {
  const words = data.split(' ').map((word) => ({ word, isLong: word.length > 3 }));
  if (words.some(({ isLong }) => isLong)) throw new Error('of the worker');
  void import('./later.ts').then(({ later }) => later(data));
});`,
  'later.ts': `export function later(data: string): void {
  if (data === '') throw new Error('of what comes later');
}`,
};

let folder = '';
const warnings: string[] = [];

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'smaller-'));
  mkdirSync(path.join(folder, 'page'));
  for (const [name, text] of Object.entries(FILES)) writeFileSync(path.join(folder, 'page', name), text);
  const logger = createLogger('warn');
  await build({
    root: path.join(folder, 'page'),
    configFile: false,
    customLogger: { ...logger, info: () => undefined, warn: (text) => void warnings.push(text) },
    plugins: [smaller],
    worker: { format: 'es', plugins: () => [smaller] },
    build: { outDir: path.join(folder, 'out'), emptyOutDir: true, sourcemap: true },
  });
});
afterAll(() => rmSync(folder, { recursive: true }));

/** The source and its line, from 1, that a text of a built script is of by the script's map. */
function placeOf(text: string): [string, number] {
  const assets = path.join(folder, 'out', 'assets');
  const script = readdirSync(assets)
    .filter((name) => name.endsWith('.js'))
    .find((name) => readFileSync(path.join(assets, name), 'utf8').includes(text))!;
  const lines = readFileSync(path.join(assets, script), 'utf8').split('\n');
  const line = lines.findIndex((each) => each.includes(text));
  const map = new SourceMap(JSON.parse(readFileSync(path.join(assets, `${script}.map`), 'utf8')));
  const entry = map.findEntry(line, lines[line]!.indexOf(text));
  if (!('originalSource' in entry)) throw new Error(`nothing is mapped at ${text}`);
  return [path.basename(entry.originalSource), entry.originalLine + 1];
}

test('no file is written twice', () => expect(warnings).toEqual([]));

test.each([
  ['Error("of the page")', 'main.ts', 3],
  ['Error("of the worker")', 'words.worker.ts', 3],
  ['Error("of what comes later")', 'later.ts', 2],
])('the map leads from %s to its line', (text, file, line) => expect(placeOf(text)).toEqual([file, line]));
