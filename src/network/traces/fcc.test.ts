import { describe, expect, it } from 'vitest';
import { fcc } from './fcc.ts';
import { errorOf, piecesOf } from './trace.testing.ts';

const HEADER = 'unit_id,dtime,target,address,fetch_time,bytes_total,bytes_sec,objects';
const fetch = (unit: number, target: string, rate: string): string =>
  `${unit},2016-06-01 00:01:02,${target},10.0.0.1,1200000,900000,${rate},12`;
const file = (...rows: string[]): string => [HEADER, ...rows].join('\n');

describe('the raw files of the FCC', () => {
  it('are 5 s at the rate of each fetch', () =>
    expect(piecesOf(fcc.read(file(fetch(7, 'a', '125000'), fetch(7, 'a', '250000')), 'x'))).toEqual([
      [5000, 1000],
      [10_000, 2000],
    ]));

  it.each([
    [
      file(fetch(7, 'a', '1'), fetch(8, 'a', '1')),
      'x, line 3, column 1: A second unit_id begins; cut the file to one unit_id and one target.',
    ],
    [
      file(fetch(7, 'a', '1'), fetch(7, 'b', '1')),
      'x, line 3, column 23: A second target begins; cut the file to one unit_id and one target.',
    ],
    [file(fetch(7, 'a', '-1')), 'x, line 2, column 49: bytes_sec is -1; it cannot be negative.'],
    [file(fetch(7, 'a', '')), 'x, line 2, column 49: The column bytes_sec is empty.'],
    [file(), 'x: It holds no piece of a trace.'],
    ['unit_id,target\n1,a', 'x, line 1, column 1: It needs the columns unit_id, target and bytes_sec.'],
  ])('refuse %j', (text, sentence) => expect(errorOf(fcc.read(text, 'x'))).toBe(sentence));
});
