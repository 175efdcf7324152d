import { describe, expect, it, test } from 'vitest';
import { csvLine, parseCsv } from './csv.ts';

it('writes numbers, booleans and unknown cells as they are', () =>
  expect(csvLine(['a', -1.5, true, null])).toBe('a,-1.5,true,\r\n'));

it('quotes what RFC 4180 wants quoted', () =>
  expect(csvLine(['say "x"', 'x,y', 'two\nlines', "it's"])).toBe(`"say ""x""","x,y","two\nlines",it's\r\n`));

test.each(['=1+1', '+1', '-1', '@SUM(A1)', ' =1', '\t=1', '\tx'])('guards %j against spreadsheets', (text) =>
  expect(csvLine([text])).toBe(`'${text}\r\n`),
);

test.each(['-95dBm', '+3dBi', '-95dBm_2.csv'])('leaves %j, which is no formula', (text) =>
  expect(csvLine([text])).toBe(`${text}\r\n`),
);

test.each(['-95dBm*2', '-A1', '+1+A1', '-2+3+cmd|x', '-95dBm(1)', '-5 A1'])(
  'guards %j, which is one',
  (text) => expect(csvLine([text])).toBe(`'${text}\r\n`),
);

it('guards and quotes a cell that needs both', () => {
  expect(csvLine(['=HYPERLINK("x")'])).toBe(`"'=HYPERLINK(""x"")"\r\n`);
  expect(csvLine(['\r=1'])).toBe(`"'\r=1"\r\n`);
});

describe('reading', () => {
  test('gives the cells that were written', () => {
    const rows = [
      ['a', 'say "x"', 'x,y', ''],
      ['two\r\nlines', '', "it's", '-'],
      ['', '', '', ''],
    ];
    expect(parseCsv(rows.map((row) => csvLine(row)).join(''))).toEqual(
      rows.map((row) => row.map((cell) => (cell === '-' ? "'-" : cell))),
    );
  });

  test('takes lines that end with LF, and a last line without an end', () => {
    expect(parseCsv('a,b\n1,2')).toEqual([
      ['a', 'b'],
      ['1', '2'],
    ]);
    expect(parseCsv('a,')).toEqual([['a', '']]);
  });

  test('refuses a quote without a partner', () => {
    expect(() => parseCsv('a,"b')).toThrow('character 3: It is no CSV: a quote has no partner.');
    expect(() => parseCsv('a,b"c')).toThrow('It is no CSV');
  });
});
