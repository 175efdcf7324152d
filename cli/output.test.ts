import { spawn, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { stalledSession } from '../src/analysis/timeline/example.testing.ts';

const FULL_DISK = '/dev/full';
const root = path.dirname(import.meta.dirname);
const folder = mkdtempSync(path.join(tmpdir(), 'pitwall-output-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
writeFileSync(path.join(folder, 'lap.json'), JSON.stringify(stalledSession));

interface Ended {
  readonly code: number | null;
  readonly stderr: string;
}

/** Runs a command. The readers of `closed` are gone before it prints anything. */
async function pitwall(
  args: readonly string[],
  { stdio = 'pipe', closed = [] }: { stdio?: StdioOptions; closed?: ('stdout' | 'stderr')[] },
): Promise<Ended> {
  const child = spawn(process.execPath, [path.join(root, 'bin', 'pitwall'), ...args], { cwd: folder, stdio });
  let stderr = '';
  for (const name of closed) child[name]?.destroy();
  child.stderr?.on('data', (text) => (stderr += String(text)));
  const [code] = (await once(child, 'exit')) as [number | null];
  return { code, stderr };
}

const JOINED = ['metrics', 'lap.json', '--metrics', 'join-time,rebuffer-rate'];
const MET = [...JOINED, '--fail-if', 'rebuffer-rate > 1'];

describe('a reader that goes away early', () => {
  it.each<[string, string[], ('stdout' | 'stderr')[], number]>([
    ['of what succeeds', JOINED, ['stdout'], 0],
    ['of what meets a condition', MET, ['stdout'], 6],
    ['of both streams', MET, ['stdout', 'stderr'], 6],
    ['of a file that is not there', ['check', 'lap.json', 'gone.json'], ['stdout', 'stderr'], 1],
    ['of wrong usage', ['metrics', 'lap.json', '--json', '--csv'], ['stderr'], 2],
  ])('%s does not change the exit code', async (_, args, closed, code) =>
    expect(await pitwall(args, { closed })).toEqual({ code, stderr: expect.any(String) as string }),
  );
});

describe.skipIf(!existsSync(FULL_DISK))('output to a full disk', () => {
  const toFullDisk = async (args: readonly string[]): Promise<Ended> => {
    const file = openSync(FULL_DISK, 'w');
    try {
      return await pitwall(args, { stdio: ['ignore', file, 'pipe'] });
    } finally {
      closeSync(file);
    }
  };

  it('ends with 5 and one sentence', async () =>
    expect(await toFullDisk(JOINED)).toEqual({
      code: 5,
      stderr: 'pitwall: the output: There is no space left on the disk.\n',
    }));

  it('does not hide another reason to fail', async () => expect((await toFullDisk(MET)).code).toBe(6));
});
