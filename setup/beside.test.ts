import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '..');

/** Tests that need them are skipped with a reason where they are not. */
const MAY_NAME = ['src/shared/sharedTraces.testing.ts', 'setup/beside.test.ts'];

test('no file needs a folder that lies beside our checkouts', () => {
  const files = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' }).split('\0');
  const texts = files.filter((file) => /\.(?:[cm]?[jt]s|json|md|py|sh|ya?ml|html)$|^\.ci\//.test(file));
  const naming = texts
    .filter((file) => !MAY_NAME.includes(file))
    .filter((file) =>
      /shared['"/, ]+(?:traces|reference|papers|design)\b/.test(readFileSync(path.join(root, file), 'utf8')),
    );
  expect(naming).toEqual([]);
});
