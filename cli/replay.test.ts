import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { exampleDecision, exampleLog } from '../src/telemetry/exampleLog.testing.ts';
import type { SessionEvent, SessionLog } from '../src/telemetry/schema/sessionLog.ts';

const root = path.dirname(import.meta.dirname);
const folder = mkdtempSync(path.join(tmpdir(), 'pitwall-replay-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function pitwall(...args: string[]) {
  const program = [path.join(root, 'bin', 'pitwall'), 'replay', ...args];
  const { status, stdout, stderr } = spawnSync(process.execPath, program, { encoding: 'utf8', cwd: folder });
  return { status, stdout, stderr };
}

function file(name: string, log: SessionLog | string): string {
  writeFileSync(path.join(folder, name), typeof log === 'string' ? log : JSON.stringify(log));
  return name;
}

/** Played by our throughput rule, as far as nothing was measured yet. */
function ourLog(rungs: readonly number[]): SessionLog {
  const ladder = [400, 1000].map((bitrateKbps) => ({ bitrateKbps, width: null, height: null }));
  const events: SessionEvent[] = [
    {
      kind: 'rule-input',
      id: 't1',
      atMs: 50,
      missing: {},
      mediaType: 'video',
      input: { kind: 'ladder', atMs: 50, ladder, segmentMs: 2000 },
    },
    ...rungs.map((rung, index) =>
      exampleDecision({
        id: `d${index}`,
        atMs: 60 + index,
        rule: 'throughput',
        rung,
        inputId: 't1',
        ...(index > 0 && { mediaType: 'video' as const }),
      }),
    ),
  ];
  return { ...exampleLog(), events };
}

describe('a session of a rule file', () => {
  const example = path.join(root, 'docs', 'examples', 'safe-rate.js');
  const played = (sha256: string): string => {
    const ruleParameters = { safety: 0.8, weight: 0.4, file: 'safe-rate.js', sha256 };
    const { missing: lacking, ...environment } = exampleLog().environment;
    const missing = Object.fromEntries(Object.entries(lacking).filter(([name]) => name !== 'ruleParameters'));
    return file('own.json', {
      ...ourLog([0]),
      environment: { ...environment, missing, rule: 'safe-rate', ruleParameters },
    });
  };

  it('asks for the file', () => {
    const { status, stderr } = pitwall(played('ab12'), '--rule', 'safe-rate:safety=0.7');
    expect(stderr).toContain(
      'The rule safe-rate of own.json came from a file, safe-rate.js (SHA-256 ab12): write --rule PATH/safe-rate.js.',
    );
    expect(status).toBe(2);
  });

  it('is replayed with the file, and says where that is another version', () => {
    const sha256 = createHash('sha256').update(readFileSync(example)).digest('hex');
    const same = pitwall(played(sha256), '--rule', example, '--media', 'audio');
    expect([same.stderr, same.status]).toEqual(['', 0]);
    expect(same.stdout).toContain('own.json replayed with safe-rate\n');
    expect(pitwall(played('ab12'), '--rule', example).stderr).toBe(
      `own.json: recorded with safe-rate of SHA-256 ab12, replayed with SHA-256 ${sha256}: the file has changed.\n`,
    );
  });
});

describe('pitwall replay', () => {
  it('says where the net is not the one that decided', () => {
    const input = { ...exampleLog().environment, rule: 'neural', ruleParameters: { weights: 'mine' } };
    const missing = Object.entries(input.missing).filter(([name]) => name !== 'ruleParameters');
    const environment = { ...input, missing: Object.fromEntries(missing) };
    const { status, stderr } = pitwall(file('net.json', { ...ourLog([1]), environment }), '--rule', 'neural');
    expect(stderr).toMatch(
      /^net\.json: recorded with the weights "mine", replayed with "[^"]+" \(neural:weights=/,
    );
    expect(status).toBe(0);
  });

  it('says where the rule had other parameters when it decided', () => {
    const input = { ...exampleLog().environment, rule: 'neural', ruleParameters: { guard: 'outside' } };
    const missing = Object.entries(input.missing).filter(([name]) => name !== 'ruleParameters');
    const environment = { ...input, missing: Object.fromEntries(missing) };
    const recorded = file('guard.json', { ...ourLog([1]), environment });
    expect(pitwall(recorded, '--rule', 'neural').stderr).toBe(
      'guard.json: recorded with guard=outside, replayed with guard=stalls (neural:guard=outside names the recorded values).\n',
    );
    expect(pitwall(recorded, '--rule', 'neural:guard=outside').stderr).toBe('');
  });

  it('says for each decision what was chosen, what the rule would have chosen, and why', () => {
    const { status, stdout, stderr } = pitwall(file('ours.json', ourLog([1, 1, 0])), '--rule', 'throughput');
    expect(stderr).toBe('');
    expect(stdout.split('\n')[0]).toBe('ours.json replayed with throughput');
    expect(stdout.split('\n')[1]).toMatch(
      /media .*time, s .*segment .*buffer, s .*recorded .*throughput .*because/,
    );
    expect(stdout).toMatch(/= +video +0\.060 +0 +0\.0 +2 +1000 +2 +1000 {2}No download measured yet/);
    expect(stdout).toMatch(/≠ +video +0\.062 +0 +0\.0 +1 +1000 +2 +1000 {2}No download/);
    expect(stdout).toMatch(/^2 of 3 decisions identical$/m);
    expect(status).toBe(0);
  });

  it('fails with --expect-same where a rung differs, and where there is nothing to compare', () => {
    const same = pitwall(file('same.json', ourLog([1, 1])), '--rule=throughput', '--expect-same');
    expect([same.status, same.stderr]).toEqual([0, '']);
    const other = pitwall(file('other.json', ourLog([1, 0])), '--rule=throughput', '--expect-same');
    expect(other.status).toBe(1);
    expect(other.stderr).toBe('other.json: throughput chooses another level at 1 of 2 decisions.\n');
    const audio = pitwall('same.json', '--rule=throughput', '--expect-same', '--media=audio');
    expect(audio.status).toBe(1);
    expect(audio.stderr).toBe('same.json: there is no decision to compare.\n');
  });

  it('takes several sessions and rules with parameters, and writes them all to a file', () => {
    file('a.json', ourLog([1]));
    file('b.json', exampleLog());
    const { status, stdout } = pitwall(
      'a.json',
      'b.json',
      '--rule',
      'fixed:level=2,lowest',
      '--json',
      'all.json',
    );
    expect(status).toBe(0);
    expect(stdout.match(/decisions identical$/gm)).toHaveLength(4);
    expect(stdout).toContain('3 of 3 were made by dash.js’ own rules');
    const written = JSON.parse(readFileSync(path.join(folder, 'all.json'), 'utf8')) as {
      file: string;
      ruleId: string;
      parameters: object;
      identical: number;
      decisions: { rung: number; because: string; values: object; recordedRung: number }[];
    }[];
    expect(written.map((each) => [each.file, each.ruleId])).toEqual([
      ['a.json', 'fixed'],
      ['a.json', 'lowest'],
      ['b.json', 'fixed'],
      ['b.json', 'lowest'],
    ]);
    expect(written[0]).toMatchObject({ parameters: { level: 2 }, identical: 1 });
    expect(written[3]!.decisions.map(({ rung }) => rung)).toEqual([0, 0, 0]);
    expect(written[3]!.decisions[0]!.because).toMatch(/\.$/);
  });

  it.each([
    [['gone.json', '--rule=lowest'], 1, /^gone\.json: cannot be read \(ENOENT\)\.$/],
    [[file('cut.json', '{"a"'), '--rule=lowest'], 1, /^cut\.json: The file is cut off/],
    [['cut.json', '--rule=magic'], 2, /^pitwall: Unknown rule "magic"; known: .*throughput/],
    [['cut.json', '--rule=,'], 2, /^pitwall: Name at least one rule: /],
    [['cut.json', '--rule=fixed:level=x'], 2, /^pitwall: The parameter level of fixed is a number/],
    [['cut.json', '--rule=lowest:weights=w.json'], 2, /^pitwall: The rule lowest takes no weights\.$/],
  ])('%j: %i', (args, code, sentence) => {
    const { status, stderr } = pitwall(...args);
    expect(stderr.trim()).toMatch(sentence);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(status).toBe(code);
  });

  it('needs a rule or a policy', () => {
    const { status, stderr } = pitwall('cut.json');
    expect(stderr).toContain('Name what to replay with: --rule, --steering, or both.');
    expect(status).toBe(2);
  });
});
