import { expect, it } from 'vitest';
import { createLineSplitter } from './netLogEvents.ts';

function split(chunks: readonly string[], maxChars?: number): string[] {
  const lines: string[] = [];
  const splitter = createLineSplitter((line) => lines.push(line), maxChars);
  for (const chunk of chunks) splitter.push(chunk);
  splitter.end();
  return lines;
}

it.each([
  [['a\nb\n'], ['a', 'b', '']],
  [
    ['a', '\n', 'b'],
    ['a', 'b'],
  ],
  [
    ['a\nb', 'c\nd'],
    ['a', 'bc', 'd'],
  ],
  [[''], ['']],
])('%j is %j', (chunks, lines) => expect(split(chunks)).toEqual(lines));

it('leaves out a line that is too long, and goes on with the next', () => {
  expect(split(['ab', 'cd', 'ef\ng', '\n'], 4)).toEqual(['g', '']);
});
