// The pages that people read: every link leads somewhere, and the manual stays short enough to be read.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';

const root = path.dirname(import.meta.dirname);
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');

/** Markdown pages of the repository, with those that git does not know yet. */
const pages = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.md'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => file !== '' && existsSync(path.join(root, file)));

/** A page without the examples in it. */
const proseOf = (text: string): string =>
  text.replace(/^```.*?^```$/gms, '').replace(/`[^`\n]*`/g, (code) => code.replace(/[[\]()]/g, ''));

/** The anchors of a page, as GitHub makes them of its headings. */
function anchorsOf(text: string): ReadonlySet<string> {
  const counts = new Map<string, number>();
  return new Set(
    [...text.replace(/^```.*?^```$/gms, '').matchAll(/^#{1,6} +(.*?)$/gm)].map(([, heading]) => {
      const words = heading!.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
      const anchor = words.replace(/[^\p{L}\p{N}_\- ]/gu, '').replaceAll(' ', '-');
      const count = counts.get(anchor) ?? 0;
      counts.set(anchor, count + 1);
      return count === 0 ? anchor : `${anchor}-${count}`;
    }),
  );
}

/** A README of a package lies beside copies of these folders when it is read (`packages/build.mjs`). */
const foldersOf = (page: string): readonly string[] => [
  path.dirname(page),
  ...(page.startsWith('packages/') ? ['.', 'docs', 'public'] : []),
];

/** What is wrong with a link of a page, or null. */
function faultOf(page: string, link: string): string | null {
  if (/^[a-z]+:/.test(link)) return null;
  const [place, anchor] = link.split('#') as [string, string?];
  const target =
    place === ''
      ? page
      : foldersOf(page)
          .map((folder) => path.join(folder, place))
          .find((file) => existsSync(path.join(root, file)));
  if (target === undefined) return `${page}: ${link}`;
  const isFound = anchor === undefined || !target.endsWith('.md') || anchorsOf(read(target)).has(anchor);
  return isFound ? null : `${page}: ${link}: there is no such heading`;
}

test('every link of every page leads to a file and a heading that exist', () => {
  const faults = pages.flatMap((page) =>
    [...proseOf(read(page)).matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, link]) => faultOf(page, link!) ?? []),
  );
  expect(faults).toEqual([]);
});

test('a broken link and a missing heading would be found', () => {
  expect(faultOf('docs/README.md', 'nowhere.md')).toBe('docs/README.md: nowhere.md');
  expect(faultOf('docs/README.md', 'gate.md#nothing')).toMatch(/no such heading$/);
  expect(faultOf('docs/README.md', 'gate.md#how-it-decides')).toBeNull();
});

/**
 * A page counts where the first of these matches it. What programs write and decisions have no budget: they grow with what
 * there is. Other pages are research, or about the tests.
 */
const COUNTED = {
  unlimited: /^docs\/(generated\/|decisions\/|metrics\.md$)/,
  manual: /^(docs\/|(README|CONTRIBUTING|CHANGELOG)\.md$|deploy\/|packages\/|public\/)/,
  source: /^(src|lab|cli|experiment|node|setup)\//,
} as const;

type Counted = Exclude<keyof typeof COUNTED, 'unlimited'>;

function wordsIn(kind: Counted): number {
  const kinds = Object.entries(COUNTED);
  const counted = pages.filter((page) => kinds.find(([, pattern]) => pattern.test(page))?.[0] === kind);
  return counted
    .map((page) => read(page).split(/\s+/).filter(Boolean).length)
    .reduce((sum, each) => sum + each, 0);
}

describe('words, by size-budget.json', () => {
  const { words } = JSON.parse(read('size-budget.json')) as { words: Readonly<Record<Counted, number>> };

  test.each(['manual', 'source'] as const)('%s', (kind) => {
    const count = wordsIn(kind);
    const advice = `${kind} has ${count} words and its budget is ${words[kind]}: take something away, or raise it with a decision`;
    expect(count, advice).toBeLessThanOrEqual(words[kind]);
    expect(count, `${kind} has only ${count} words: lower its budget`).toBeGreaterThan(words[kind] * 0.9);
  });

  test('counts the manual', () => expect(wordsIn('manual')).toBeGreaterThan(30_000));
});
