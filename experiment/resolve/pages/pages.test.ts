import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { keepOwnPage } from './pages.ts';
import { hashOfSources } from '../../../setup/buildApp.mjs';

const folder = mkdtempSync(path.join(tmpdir(), 'pitwall-pages-test-'));
afterAll(() => rmSync(folder, { recursive: true }));

const root = path.join(folder, 'checkout');
const cacheFolder = path.join(folder, 'cache');

/** As a build leaves it. */
function build(source: string): void {
  for (const name of ['src', 'dist', '.pitwall']) mkdirSync(path.join(root, name), { recursive: true });
  writeFileSync(path.join(root, 'src', 'main.ts'), source);
  writeFileSync(path.join(root, 'dist', 'index.html'), `built from ${source}`);
  writeFileSync(path.join(root, '.pitwall', 'app-stamp'), hashOfSources(root));
}

const kept = (): Promise<string> => keepOwnPage(root, () => undefined, cacheFolder);
const textIn = (page: string): string => readFileSync(path.join(page, 'index.html'), 'utf8');

test('a page that plays stays as it is while dist/ is built anew', async () => {
  build('one');
  const first = await kept();
  expect(await kept()).toBe(first);
  build('two');
  const second = await kept();
  expect(second).not.toBe(first);
  expect([textIn(first), textIn(second)]).toEqual(['built from one', 'built from two']);
  rmSync(path.join(root, 'dist', 'index.html'));
  expect(existsSync(path.join(second, 'index.html'))).toBe(true);
});
