import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { DEBUG_BUILD, MINIFIED_BUILD, readInstalled } from './builds.ts';
import { applyEdits, harmlessChanges, SEEDED_VERSION, seededFaults } from './seededChanges.ts';

const root = process.cwd();
const source = readFileSync(path.join(root, 'node_modules/dashjs', DEBUG_BUILD), 'utf8');

test('the changes are edits of the version that package.json pins', async () => {
  const about = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  expect(about.dependencies['dashjs']).toBe(SEEDED_VERSION);
  for (const build of [DEBUG_BUILD, MINIFIED_BUILD])
    await expect(readInstalled(root, build)).resolves.toContain(SEEDED_VERSION);
});

describe.each([...seededFaults, ...harmlessChanges])('$id', (change) => {
  it('stands once in the installed dash.js, and changes nothing else', () => {
    const changed = applyEdits(source, change, SEEDED_VERSION);
    expect(changed === source).toBe(false);
    const added = change.edits.reduce((sum, { find, replace }) => sum + replace.length - find.length, 0);
    expect(changed.length - source.length).toBe(added);
    for (const { replace } of change.edits) expect(changed.includes(replace)).toBe(true);
  });
});

test('no two changes make the same file', () => {
  const all = [...seededFaults, ...harmlessChanges].map(({ edits }) => JSON.stringify(edits));
  expect(new Set(all).size).toBe(all.length);
});

test.each([
  ['a', '0 times'],
  ['b', '2 times'],
])('a text that is not there once is an error: %s', (find, times) => {
  expect(() => applyEdits('bb', { id: 'fault', edits: [{ find, replace: 'c' }] }, '9.9.9')).toThrow(
    `fault: The text to replace must stand once in dash.js 9.9.9, and it stands there ${times}: "${find}"`,
  );
});

test('what replaces a text is no pattern', () => {
  expect(applyEdits('abc', { id: 'fault', edits: [{ find: 'b', replace: "$&$'" }] }, '1')).toBe("a$&$'c");
});
