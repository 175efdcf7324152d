import { expect, test } from 'vitest';
import { csvLine } from './csv.ts';

test.each([
  [['a', 1, null, true], 'a,1,,true\r\n'],
  [['x,y', 'say "hi"', 'two\nlines'], '"x,y","say ""hi""","two\nlines"\r\n'],
  [
    ['=HYPERLINK("http://evil.example")', '+1', '-1', '@a'],
    `"'=HYPERLINK(""http://evil.example"")",'+1,'-1,'@a\r\n`,
  ],
  [[-1.5, 0], '-1.5,0\r\n'],
])('%j', (cells, line) => expect(csvLine(cells)).toBe(line));
