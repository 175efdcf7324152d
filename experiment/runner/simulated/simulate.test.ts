import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { testWeights } from '../../../src/abr/testWeights.testing.ts';
import { startingFile } from '../../design/startingFile.ts';
import type { SessionLog } from '../../../src/telemetry/schema/sessionLog.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const folder = mkdtempSync(path.join(tmpdir(), 'pitwall-simulate-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The first start may have to bundle the command line, on a machine that is busy with other tests. */
const LIMIT_MS = 180_000;

function compare(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [path.join(root, 'bin', 'pitwall'), 'compare', ...args],
    { encoding: 'utf8', cwd: folder },
  );
  return { status, stdout, stderr };
}

const filesIn = (out: string): Map<string, string> => {
  const dir = path.join(folder, out, 'sessions');
  return new Map(readdirSync(dir).map((name) => [name, readFileSync(path.join(dir, name), 'utf8')]));
};

/** Enough sessions for worker threads, whose order is nobody's. */
const campaign = {
  ...startingFile,
  name: 'threads',
  rules: ['throughput', 'bba-2'],
  transports: ['h1', 'h2', 'h3-only'],
  profiles: ['3g'],
  phase: 'drawn',
  repeats: 12,
  seeds: [1],
  seconds: 10,
};

test(
  'pitwall compare --simulate twice, on worker threads: the same files and the same table',
  () => {
    writeFileSync(path.join(folder, 'c.json'), JSON.stringify(campaign));
    const [one, other] = ['one', 'other'].map((out) => compare('c.json', '--simulate', '--out', out));
    expect([one!.status, other!.status]).toEqual([0, 0]);
    expect(one!.stdout.replaceAll('/one/', '/other/')).toBe(other!.stdout);
    expect(one!.stdout).toMatch(/network: 3g\n +content: demo\n[^]*bba-2 +h1 +12 of 12/);
    const texts = filesIn('one');
    expect(texts.size).toBe(72);
    expect(filesIn('other')).toEqual(texts);
  },
  LIMIT_MS,
);

test(
  'a rule with weights of its own takes them from beside the campaign file, and other weights are another campaign',
  () => {
    mkdirSync(path.join(folder, 'nets'));
    const [file, net] = ['campaign.json', 'own.json'].map((name) => path.join(folder, 'nets', name));
    const rules = ['pensieve:weights=own.json', 'throughput'];
    writeFileSync(
      file!,
      JSON.stringify({ ...campaign, name: 'nets', rules, transports: ['h2'], compare: 'rules', repeats: 2 }),
    );
    const started = () => compare(file!, '--simulate', '--out', 'nets');
    expect(started().stderr).toMatch(
      /campaign\.json: \/rules: The weights .*own\.json cannot be read \(ENOENT\)\./,
    );
    writeFileSync(net!, '{}');
    expect(started().stderr).toContain('cannot be used by pensieve: ');
    writeFileSync(net!, JSON.stringify(testWeights()));
    expect(started()).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/transport: h2\n[^]*own\.json +2 of 2/),
    });
    const logs = [...filesIn('nets').values()].map((text) => JSON.parse(text) as SessionLog);
    const ours = logs.filter(({ design }) => design!.arm === 'pensieve:weights=own.json/h2');
    expect(ours.map(({ environment }) => environment.rule)).toEqual(['pensieve', 'pensieve']);
    writeFileSync(net!, JSON.stringify({ ...testWeights(), name: 'another' }));
    for (const mode of [['--simulate'], ['--simulate', '--table'], ['--table']])
      expect(compare(file!, ...mode, '--out', 'nets'), mode.join(' ')).toMatchObject({
        status: 1,
        stderr: expect.stringMatching(
          /plan\.json: pensieve:weights=own\.json has changed since this folder was begun, .* pitwall report \S*nets shows/,
        ),
      });
  },
  LIMIT_MS,
);

test(
  'a table of sessions that were played for another margin is refused: its verdicts would not be those that were declared',
  () => {
    const file = path.join(folder, 'margin.json');
    const write = (margin: object): void =>
      writeFileSync(
        file,
        JSON.stringify({ ...campaign, name: 'margin', repeats: 2, margin: undefined, ...margin }),
      );
    write({ marginPercent: 5 });
    expect(compare(file, '--simulate', '--out', 'margin').status).toBe(0);
    for (const mode of [['--simulate'], []])
      expect(compare(file, ...mode, '--table', '--out', 'margin')).toMatchObject({ status: 0, stderr: '' });
    write({ marginPercent: 20 });
    for (const mode of [['--simulate'], []])
      expect(compare(file, ...mode, '--table', '--out', 'margin')).toMatchObject({
        status: 1,
        stdout: '',
        stderr: expect.stringContaining('This is the plan of another campaign'),
      });
  },
  LIMIT_MS,
);

test(
  'options of the lab, and --simulate without a campaign, are refused',
  () => {
    expect(compare('c.json', '--simulate', '--shard', '1/2').stderr).toContain(
      '--shard cannot be combined with --simulate',
    );
    expect(compare('--simulate').stderr).toContain('--simulate needs a campaign file');
    expect(compare('c.json', '--simulate', '--pair', '1').stderr).toContain(
      '--pair cannot be combined with --simulate',
    );
    expect(compare('--pair', '1').stderr).toContain('--pair needs a campaign file');
    expect(compare('c.json', '--pair', '1', '--workers', '2').stderr).toContain(
      '--pair cannot be combined with --workers: it plays one pair whole.',
    );
  },
  LIMIT_MS,
);
