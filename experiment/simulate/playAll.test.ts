import { expect, it } from 'vitest';
import { progressOf } from './playAll.ts';

function written(isTTY: boolean, counts: readonly number[]): string {
  const texts: string[] = [];
  const progress = progressOf(8, 'sessions', { isTTY, write: (text) => texts.push(text) });
  for (const count of counts) progress.done(count);
  progress.end();
  return texts.join('');
}

it('is a line at each quarter where nobody watches', () =>
  expect(written(false, [1, 1, 1, 4, 1])).toBe('2 of 8 sessions\n7 of 8 sessions\n8 of 8 sessions\n'));

it('is a bar on a terminal, gone at the end', () => {
  const text = written(true, [4, 4]);
  expect(text).toContain(`[${'·'.repeat(30)}] 0 of 8 sessions`);
  expect(text).toContain(`[${'#'.repeat(30)}] 8 of 8 sessions`);
  expect(text.endsWith('\r\x1b[K')).toBe(true);
});
