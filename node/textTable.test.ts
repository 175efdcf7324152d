import { expect, test } from 'vitest';
import { markdownTable, plainTable, textTable } from './textTable.ts';

const LINES = [
  ['rule', 'mode', 'ms'],
  ['bba-2', 'h1', '7'],
  ['bola', 'h3-only', '1200'],
];

test('two columns of names stand left, numbers right', () =>
  expect(textTable(LINES)).toBe(
    ['rule   mode       ms', 'bba-2  h1          7', 'bola   h3-only  1200'].join('\n'),
  ));

test('measured values have one column of names, and no head without a word', () => {
  expect(plainTable(['', 'ms'], [['join'], ['stall', '15']])).toBe(
    ['          ms', '  join', '  stall   15'].join('\n'),
  );
  expect(plainTable(['', ''], [['join', '7']])).toBe('  join   7');
});

test('a cell of Markdown keeps its bars', () =>
  expect(
    markdownTable([
      ['a', 'b'],
      ['x|y', '1'],
    ]),
  ).toBe(['| a    | b   |', '| ---- | --- |', '| x\\|y | 1   |'].join('\n')));
