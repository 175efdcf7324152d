import { spawnSync } from 'node:child_process';
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startingFile } from '../../../design/startingFile.ts';

const root = path.resolve(import.meta.dirname, '..', '..', '..', '..');
const folder = mkdtempSync(path.join(tmpdir(), 'pitwall-rows-command-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The first start may have to bundle the command line, on a machine that is busy with other tests. */
const LIMIT_MS = 180_000;

function pitwall(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [path.join(root, 'bin', 'pitwall'), ...args],
    {
      encoding: 'utf8',
      cwd: folder,
    },
  );
  return { status, stdout, stderr };
}
const simulate = (...args: string[]) => pitwall('compare', 'c.json', '--simulate', ...args);

const rowsIn = (out: string): string[] => readdirSync(path.join(folder, out, 'rows')).sort();
const FILES = ['chunk-000001.parquet', 'chunk-000002.parquet', 'chunk-000003.parquet'];
const fileOf = (out: string, place: number): string => path.join(folder, out, 'rows', FILES[place - 1]!);

const CAMPAIGN = {
  ...startingFile,
  name: 'rows',
  rules: ['throughput', 'bba-2'],
  transports: ['h1', 'h2', 'h3-only'],
  profiles: ['3g'],
  phase: 'drawn',
  repeats: 12,
  seeds: [1],
  seconds: 10,
};
beforeAll(() => writeFileSync(path.join(folder, 'c.json'), JSON.stringify(CAMPAIGN)));

/** Table and verdicts, without what a run says of itself. */
const resultIn = (stdout: string): string => stdout.slice(stdout.indexOf('simulated: '));

test(
  'chunks one by one, then the rest on worker threads: the table that logs give, and nothing is played twice',
  () => {
    expect(simulate('--list-chunks', '--chunk-pairs', '5')).toMatchObject({
      status: 0,
      stdout: '1\t1-5\t30\n2\t6-10\t30\n3\t11-12\t12\n',
    });
    const one = simulate('--chunk', '2', '--chunk-pairs', '5', '--out', 'one');
    expect(one).toMatchObject({ status: 0, stderr: '' });
    expect(one.stdout).toMatch(/chunk 2: 30 sessions simulated in /);
    expect(rowsIn('one')).toEqual([FILES[1]]);
    const { ino } = statSync(fileOf('one', 2));
    expect(simulate('--chunk', '2', '--out', 'one').stdout).toContain('chunk 2: it has its rows already');

    const all = simulate('--rows', '--workers', '2', '--out', 'one');
    expect(all.status).toBe(0);
    expect(all.stdout).toMatch(/^to simulate: 2 of 3 chunks, 42 sessions; rows: \S+\n42 sessions simulated/);
    expect(rowsIn('one')).toEqual(FILES);
    expect(statSync(fileOf('one', 2)).ino).toBe(ino);
    const logs = simulate('--out', 'logs');
    expect(resultIn(all.stdout)).toBe(resultIn(logs.stdout));
    expect(all.stdout).toMatch(/bba-2 +h1 +12 of 12/);

    const again = simulate('--rows', '--out', 'one');
    expect(again.stdout).toMatch(/^to simulate: 0 of 3 chunks, 0 sessions; rows: /);
    for (const mode of [['--simulate'], []])
      expect(pitwall('compare', 'c.json', ...mode, '--table', '--out', 'one').stdout).toBe(
        resultIn(logs.stdout),
      );
  },
  LIMIT_MS,
);

test(
  'shards divide the chunks, a chunk that was cut off is played again, and every way gives the same bytes',
  () => {
    const shard = (part: string) =>
      simulate('--rows', '--shard', part, '--chunk-pairs', '5', '--out', 'shards').stdout;
    expect(shard('1/2')).toMatch(/^to simulate: 2 of 2 chunks/);
    expect(rowsIn('shards')).toEqual([FILES[0], FILES[2]]);
    expect(shard('2/2')).toMatch(/^to simulate: 1 of 1 chunk,/);
    const whole = readFileSync(fileOf('shards', 3));
    truncateSync(fileOf('shards', 3), 100);
    expect(simulate('--rows', '--workers', '1', '--out', 'shards').stdout).toMatch(
      /^to simulate: 1 of 3 chunks/,
    );
    expect(readFileSync(fileOf('shards', 3)).equals(whole)).toBe(true);
  },
  LIMIT_MS,
);

test(
  'what does not go together is refused in a sentence',
  () => {
    expect(pitwall('compare', 'c.json', '--chunk', '1')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('--chunk needs --simulate: only simulated sessions become rows'),
    });
    expect(simulate('--chunk', '1', '--rows').stderr).toContain('--rows cannot be combined with --chunk.');
    expect(simulate('--chunk-pairs', '5').stderr).toContain(
      '--chunk-pairs needs --rows, --list-chunks or --chunk.',
    );
    expect(simulate('--chunk', '1', '--shard', '1/2').stderr).toContain(
      '--shard cannot be combined with --simulate without --rows.',
    );
    expect(simulate('--chunk', '9', '--out', 'none')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('--chunk 9: c.json has chunks 1 to 1; --list-chunks names them.'),
    });
    expect(simulate('--chunk', '0').status).toBe(2);
    const large = { ...CAMPAIGN, repeats: 1000, seeds: Array.from({ length: 20 }, (_, seed) => seed) };
    writeFileSync(path.join(folder, 'large.json'), JSON.stringify(large));
    expect(pitwall('compare', 'large.json', '--simulate').stderr).toContain(
      'large.json: /repeats: The campaign has 120000 sessions; the maximum is 100000; with --simulate --rows it is 2000000.',
    );
    expect(pitwall('compare', 'large.json', '--simulate', '--list-chunks').stdout).toMatch(
      /\n40\t19501-20000\t3000\n$/,
    );
    const rowsOnly = pitwall('report', 'one');
    expect(rowsOnly.status).toBe(1);
    expect(rowsOnly.stderr).toMatch(/without session logs, and this command needs logs\./);
    expect(pitwall('parity', 'one', 'one').stderr).toMatch(/rows of metrics \(.+\) without session logs/);
    expect(simulate('--out', 'one').stderr).toContain('This folder has rows of metrics');
    expect(simulate('--rows', '--out', 'logs').stderr).toContain('This folder is one of session logs');
  },
  LIMIT_MS,
);
