import { expect, it, test } from 'vitest';
import { csvLine, parseCsv } from '../src/shared/csv.ts';
import { printable } from './print.ts';

test.each([
  ['\x1b[31mred\x1b[0m', '\\u001b[31mred\\u001b[0m'],
  ['\x9b2J and \x7f', '\\u009b2J and \\u007f'],
  ['a\rb', 'a\\u000db'],
  ['a\tb\nc', 'a\tb\nc'],
  ['Müller „é“ 😀', 'Müller „é“ 😀'],
])('%j', (text, shown) => expect(printable(text)).toBe(shown));

it('prints CSV that can be read', () => {
  const text = csvLine(['arm', 'mean bitrate, kbit/s']) + csvLine(['h3', 1]);
  expect(parseCsv(printable(text))).toEqual(parseCsv(text));
});
