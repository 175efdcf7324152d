import { expect, test } from 'vitest';
import { levelFault } from './contents.ts';

const ladders = [
  { name: 'The demo', levels: 8 },
  { name: 'padded:envivio', levels: 6 },
];

test.each([
  ['fixed:level=7', 'fixed:level=7 asks for level 7, but padded:envivio has 6 levels.'],
  ['fixed:level=9', 'fixed:level=9 asks for level 9, but The demo has 8 levels.'],
  ['fixed:level=6', null],
  ['fixed', null],
  ['bola', null],
  ['dashjs-dynamic', null],
  ['neural@mine.json', null],
])('%s: %s', (rule, fault) => expect(levelFault(['throughput', rule], ladders)).toBe(fault));

test('a stream whose ladder is not known is not judged', () =>
  expect(levelFault(['fixed:level=99'], [])).toBeNull());
