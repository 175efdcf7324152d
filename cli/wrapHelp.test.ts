import { describe, expect, it, test, vi } from 'vitest';
import { main } from './main.ts';
import { wrapHelp } from './wrapHelp.ts';

describe('a line of help that is too wide', () => {
  it.each([
    ['fits', '  a  short line', ['  a  short line']],
    ['goes on below the text of its item', '  id  one two three four', ['  id  one two three', '      four']],
    ['goes on below its beginning', '  one two three four five', ['  one two three four', '  five']],
    ['has words that are wider', `  ${'x'.repeat(30)} end`, [`  ${'x'.repeat(30)}`, '  end']],
    ['is an example', '  pitwall sim --rules a --traces b', ['  pitwall sim --rules a --traces b']],
  ])('%s', (_, line, lines) => expect(wrapHelp(line, 20)).toBe(lines.join('\n')));
});

const COMMANDS = [
  ...[
    'serve',
    'open',
    'compare',
    'transfer',
    'sim',
    'lab',
    'optimum',
    'check',
    'papers',
    'parity',
    'races',
    'report',
  ],
  ...['metrics', 'predict', 'traces', 'export', 'content', 'replay', 'bench', 'screenshots'],
];

test.each([[], ...COMMANDS.map((name) => [name])])('pitwall %s --help fits 80 columns', async (...names) => {
  const written: string[] = [];
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    written.push(String(text));
    return true;
  });
  try {
    await main([...names, '--help'], '.');
  } finally {
    write.mockRestore();
  }
  const lines = written.join('').split('\n');
  expect(lines.length).toBeGreaterThan(5);
  expect(lines.filter((line) => line.length > 80)).toEqual([]);
});
