// A wing grows only by a decision that says what was taken away for it.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const root = path.dirname(import.meta.dirname);
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');
const { lines: budgets } = JSON.parse(read('size-budget.json')) as {
  lines: Readonly<Record<string, number>>;
};

const CODE = /\.(m?ts|m?js|rs|c|h|py)$/;
/** Tests, what only they import, and what a fuzzer or a golden test needs. */
const OF_TESTS = /\.(test|spec|testing)\.ts$|^e2e\/|\/(fuzz|over_the_wire|golden)\//;

/** Lines of code that are not blank, comments too, by wing: the longest path of the budgets that a file lies below. */
function countLines(): Map<string, number> {
  const wings = Object.keys(budgets).sort((one, other) => other.length - one.length);
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1e8,
  }).split('\n');
  const counts = new Map<string, number>();
  for (const file of files) {
    if (!CODE.test(file) || OF_TESTS.test(file) || !existsSync(path.join(root, file))) continue;
    const wing = wings.find((each) => file.startsWith(`${each}/`)) ?? 'rest';
    const [code = ''] = read(file).split('#[cfg(test)]\nmod tests {');
    const lines = code.split('\n').filter((line) => line.trim() !== '').length;
    counts.set(wing, (counts.get(wing) ?? 0) + lines);
  }
  return counts;
}

test('no wing has more lines of code than size-budget.json allows, or far fewer', () => {
  const counts = countLines();
  expect([...counts.keys()].sort()).toEqual(Object.keys(budgets).sort());
  for (const [wing, count] of counts) {
    const budget = budgets[wing]!;
    expect(count, `${wing} has ${count} lines: take something away, or decide`).toBeLessThanOrEqual(budget);
    expect(count, `${wing} has only ${count} lines: lower its budget`).toBeGreaterThan(budget * 0.9);
  }
});
