import { expect, test } from 'vitest';
import { type Figure, figureTable, formatNumber } from './figure.ts';

const figure = (value: number, goalMax: number | null): Figure => ({
  id: 'ratio',
  label: 'recording / bare',
  unit: '×',
  value,
  interval: [value - 0.1, value + 0.1],
  goalMax,
});

test.each([
  [0, '0'],
  [43200, '43,200'],
  [1.0483, '1.05'],
  [0.0123, '0.012'],
  [1, '1.00'],
  [15, '15.0'],
  [123.4, '123'],
  [-2.5, '-2.50'],
])('%f reads %s', (value, text) => expect(formatNumber(value)).toBe(text));

test('a goal stands beside the value, with its verdict', () => {
  expect(figureTable([figure(1.1, 1.15)])).toMatch(/1\.10 × +1\.00 to 1\.20 +≤ 1\.15 × +met$/);
  expect(figureTable([figure(1.2, 1.15)])).toMatch(/NOT met$/);
  expect(figureTable([figure(1.2, null)])).not.toMatch(/met/);
});

test('a value at its goal meets it', () => expect(figureTable([figure(1.15, 1.15)])).toMatch(/ met$/));

test('a goal may be a least', () => {
  expect(figureTable([{ ...figure(1.1, null), goalMin: 1 }])).toMatch(/≥ 1\.00 × +met$/);
  expect(figureTable([{ ...figure(0.9, null), goalMin: 1 }])).toMatch(/NOT met$/);
});

test('what is known of others stands below, once', () => {
  const known = 'Sabre 23 to 38 a second';
  const text = figureTable([
    { ...figure(1, null), known },
    { ...figure(2, null), known },
  ]);
  expect(text.split('\n').filter((line) => line.includes(known))).toEqual([`  known: ${known}`]);
});
