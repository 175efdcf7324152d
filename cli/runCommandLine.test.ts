import { mkdtempSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { expect, test, vi } from 'vitest';
import { EXIT } from '../node/exitCodes.ts';
import { runCommandLine } from './runCommandLine.ts';

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
