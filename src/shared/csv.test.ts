import { expect, it, test } from 'vitest';
import { csvLine } from './csv.ts';

it('writes numbers, booleans and unknown cells as they are', () =>
  expect(csvLine(['a', -1.5, true, null])).toBe('a,-1.5,true,\r\n'));

it('quotes what RFC 4180 wants quoted', () =>
  expect(csvLine(['say "x"', 'x,y', 'two\nlines', "it's"])).toBe(`"say ""x""","x,y","two\nlines",it's\r\n`));

test.each(['=1+1', '+1', '-1', '@SUM(A1)', ' =1', '\t=1', '\tx'])('guards %j against spreadsheets', (text) =>
  expect(csvLine([text])).toBe(`'${text}\r\n`),
);

it('guards and quotes a cell that needs both', () => {
  expect(csvLine(['=HYPERLINK("x")'])).toBe(`"'=HYPERLINK(""x"")"\r\n`);
  expect(csvLine(['\r=1'])).toBe(`"'\r=1"\r\n`);
});
