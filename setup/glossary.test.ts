import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';

const root = path.dirname(import.meta.dirname);
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');
const files = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' })
  .split('\0')
  .filter(Boolean);

/** Recorded with older versions, or somebody else's words. */
const OTHERS = /^(baseline\/(data|renames)|campaigns\/results\/|docs\/licences\.md|package-lock\.json)/;
/** Say what older versions called something, or name files after it. */
const OF_OLDER_VERSIONS = new Set([
  'CHANGELOG.md',
  'docs/glossary.md',
  // Names specs as the version that was tested called them.
  'docs/generated/test-full.md',
  'baseline/compare.test.ts',
  'baseline/madeCampaigns.ts',
  'baseline/commands.ts',
  'baseline/README.md',
  'setup/glossary.test.ts',
]);
const checked = files.filter((file) => !OTHERS.test(file) && !OF_OLDER_VERSIONS.has(file));
const code = checked.filter((file) => /\.(ts|mts|mjs|js)$/.test(file));

/** Identifiers that are somebody else's, or the ordinary sense of a word. */
const ALLOWED = new Set([
  'wallTime', // Network.requestWillBeSent of the DevTools protocol
  'wall', // alignment by wall time
]);
/** Phrases in which a retired word has its ordinary sense. */
const ORDINARY = /\bwall(?:-|\s+)(?:clock|time)\b|\balign=wall\b/gi;

const rows = (heading: string | null): readonly (readonly string[])[] => {
  const page = read('docs/glossary.md');
  const from = heading === null ? 0 : page.indexOf(`## ${heading}`);
  const table = /\|[^]*?\n\n/.exec(page.slice(from))![0];
  return table
    .split('\n')
    .slice(2)
    .filter(Boolean)
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
};
const words = [
  ...rows(null).flatMap(([, , replaced]) => replaced!.split(',')),
  ...rows('Other retired words').map(([word]) => word!),
]
  .map((word) => word.trim())
  .filter((word) => word !== '');
const parts = [...words, ...rows('Names in code').map(([part]) => part!)];

/** Tells whether a part of a name is a retired word, in the singular or the plural. */
const isRetired = (part: string, among: readonly string[]): boolean =>
  among.some((word) => [word, `${word}s`, `${word}es`].includes(part));

/** `setAsideSpoilt`, `set_aside`, `set-aside.spec.ts`: their words in small letters. */
const partsOf = (name: string): string[] =>
  name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/);

const retiredIn = (name: string): boolean =>
  !ALLOWED.has(name) && partsOf(name).some((part) => isRetired(part, parts));

const wholeWord = new RegExp(
  `\\b(?:${words.flatMap((word) => [word, `${word}s`, `${word}es`]).join('|')})\\b`,
  'i',
);
const retiredWordIn = (text: string): string | undefined =>
  ALLOWED.has(text) ? undefined : wholeWord.exec(text.replace(ORDINARY, ''))?.[0];

interface Found {
  readonly identifiers: ReadonlySet<string>;
  readonly texts: readonly string[];
}

const found = new Map<string, Found>();

function wordsIn(file: string): Found {
  const known = found.get(file) ?? readWords(file);
  found.set(file, known);
  return known;
}

function readWords(file: string): Found {
  const source = ts.createSourceFile(file, read(file), ts.ScriptTarget.Latest);
  const identifiers = new Set<string>();
  const texts: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) || ts.isPrivateIdentifier(node)) identifiers.add(node.text);
    if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node))
      texts.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return { identifiers, texts };
}

test('the glossary has at most 40 terms, each with its meaning', () => {
  const terms = rows(null);
  expect(terms.length).toBeLessThanOrEqual(40);
  for (const [term, meaning] of terms) expect(meaning, term).not.toBe('');
  expect(words).toEqual(expect.arrayContaining(['told', 'seat', 'spoilt', 'twin', 'speaking']));
});

test('a retired word is found in any case, and in the plural', () => {
  expect(
    ['setAsideSpoilt', 'TWINS', 'new_seat', 'toldId', 'MOST_ROWS', 'a-witness.ts'].filter(retiredIn),
  ).toHaveLength(6);
  expect(['resetAll', 'toldness', 'mostly', 'wallTime', 'hallway'].filter(retiredIn)).toEqual([]);
  expect(retiredWordIn('by wall time')).toBeUndefined();
  expect(retiredWordIn('Sessions that the machine spoilt')).toBe('spoilt');
});

test('no identifier and no file has a retired word', () => {
  const names = checked.filter((file) => retiredIn(path.basename(file)));
  const identifiers = code.flatMap((file) =>
    [...wordsIn(file).identifiers].filter(retiredIn).map((name) => `${file}: ${name}`),
  );
  expect([...names, ...identifiers]).toEqual([]);
});

test('no option, no field of a format and no text of page and commands has a retired word', () => {
  const product = code.filter(
    (file) => !/\.(test|spec|testing)\.ts$/.test(file) && /^(src|cli|lab|bench|e2e\/compare)\//.test(file),
  );
  const texts = product.flatMap((file) =>
    wordsIn(file).texts.flatMap((text) => {
      const word = retiredWordIn(text);
      return word === undefined ? [] : [`${file}: ${word} in ${JSON.stringify(text.slice(0, 120))}`];
    }),
  );
  const formats = checked.filter((file) => /^(docs|campaigns)\/.*\.json$/.test(file));
  const fields = formats.flatMap((file) =>
    [...read(file).matchAll(/"((?:[^"\\]|\\.)*)"/g)].flatMap(([, text]) =>
      !text!.includes(' ') && retiredIn(text!) ? [`${file}: ${text}`] : [],
    ),
  );
  expect([...texts, ...fields]).toEqual([]);
});

test('no page of the docs has a retired word', () => {
  const pages = checked.filter((file) => file.endsWith('.md') || file === 'index.html');
  const left = pages.flatMap((file) =>
    read(file)
      .split('\n')
      .flatMap((line, index) => {
        const word = retiredWordIn(line);
        return word === undefined ? [] : [`${file}:${index + 1}: ${word} in ${line.trim().slice(0, 100)}`];
      }),
  );
  expect(left).toEqual([]);
});
