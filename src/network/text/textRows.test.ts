import { describe, expect, it } from 'vitest';
import { textRows } from './textRows.ts';

const plain = (text: string): unknown[] =>
  Array.from(textRows(text), (row) => row.map(({ text: field, place }) => [field, place.line, place.column]));

describe('textRows', () => {
  it.each([
    [
      'a  b\nc',
      [
        [
          ['a', 1, 1],
          ['b', 1, 4],
        ],
        [['c', 2, 1]],
      ],
    ],
    ['\uFEFFa\r\n\r\n  b \r\n', [[['a', 1, 1]], [['b', 3, 3]]]],
    ['\n \n', []],
    ['', []],
    [
      'a\rb',
      [
        [
          ['a', 1, 1],
          ['b', 1, 3],
        ],
      ],
    ],
  ])('cuts %j', (text, rows) => expect(plain(text)).toEqual(rows));

  it('reads a line only when it is asked for: a large file does not become objects as a whole', () => {
    const rows = textRows(`1 2\n${'3 4\n'.repeat(1_000_000)}`);
    const heapBytes = process.memoryUsage().heapUsed;
    expect(rows.next().value).toHaveLength(2);
    expect(rows.next().value).toHaveLength(2);
    expect(process.memoryUsage().heapUsed - heapBytes).toBeLessThan(20e6);
  });
});
