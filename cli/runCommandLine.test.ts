import { mkdtempSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { expect, test, vi, describe, it } from 'vitest';
import { EXIT } from '../node/exitCodes.ts';
import { runCommandLine, wrapHelp } from './runCommandLine.ts';
import { main } from './main.ts';

test.each<[string, () => unknown]>([
  ['at once', () => mkdtempSync('/nowhere/pitwall-x-')],
  ['later', () => mkdtemp('/nowhere/pitwall-x-')],
])('without a folder for temporary files the sentence names it: %s', async (_, make) => {
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  try {
    const code = await runCommandLine(['make'], {
      root: '.',
      commands: [(program) => void program.command('make').action(async () => void (await make()))],
    });
    expect(code).toBe(EXIT.failed);
    expect(write.mock.calls.map(([text]) => text)).toEqual([
      'pitwall: /nowhere: There is no such file or folder. It is for temporary files: TMPDIR names another.\n',
    ]);
  } finally {
    write.mockRestore();
  }
});

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
