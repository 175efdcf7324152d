import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { copySources, ownEnvironment } from '../e2e/fixtures/extraRule.ts';

const ours = path.dirname(import.meta.dirname);
let root = '';
beforeAll(() => {
  root = mkdtempSync(path.join(tmpdir(), 'pitwall-without-'));
  copySources(root);
});
afterAll(() => rmSync(root, { recursive: true, force: true, maxRetries: 5 }));

const node = promisify(execFile);

/** Runs the command line of the copy; resolves to its output and exit code. */
async function pitwall(...args: string[]): Promise<{ stdout: string; stderr: string; code: number }> {
  const options = { cwd: root, env: ownEnvironment() };
  return node(process.execPath, [path.join(root, 'bin', 'pitwall'), ...args], options).then(
    (printed) => ({ ...printed, code: 0 }),
    ({ stdout, stderr, code }: { stdout: string; stderr: string; code: number }) => ({
      stdout,
      stderr,
      code,
    }),
  );
}

test('a checkout without research has every other command, and a sentence for "papers"', async () => {
  const help = await pitwall('--help');
  expect(help).toMatchObject({ stderr: '', code: 0 });
  expect(help.stdout).toMatch(/^ {2}compare /m);
  expect(help.stdout).not.toMatch(/^ {2}papers /m);
  for (const args of [['papers'], ['papers', 'list'], ['papers', 'run', '--full']])
    expect(await pitwall(...args)).toEqual({
      stdout: '',
      stderr: 'pitwall: pitwall papers needs the folder "research" of Pitwall, which is not here.\n',
      code: 1,
    });
});

test('the command is found as soon as the folder is there', async () => {
  for (const folder of ['campaigns', path.join('research', 'replication')])
    cpSync(path.join(ours, folder), path.join(root, folder), { recursive: true });
  expect((await pitwall('--help')).stdout).toMatch(/^ {2}papers /m);
  const list = await pitwall('papers', 'list', '2024-racing');
  expect(list).toMatchObject({ stderr: '', code: 0 });
  expect(list.stdout).toContain('2024-racing-dvl');
});
