import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cargoFindings, npmFindings, runAudits } from './audit.mjs';

const weakness = (name: string, severity: string) => ({ [name]: { name, severity, range: '<2.0.1' } });
const npmReport = (...found: object[]) => ({
  auditReportVersion: 2,
  vulnerabilities: Object.assign({}, ...found) as object,
  metadata: { vulnerabilities: {}, dependencies: {} },
});

describe('npmFindings', () => {
  it.each([
    { found: [], bad: [], line: '0 of high or critical severity, 0 lower' },
    {
      found: [weakness('a', 'moderate'), weakness('b', 'low')],
      bad: [],
      line: '0 of high or critical severity, 2 lower',
    },
    {
      found: [weakness('a', 'high'), weakness('b', 'critical'), weakness('c', 'info')],
      bad: ['a <2.0.1 (high)', 'b <2.0.1 (critical)'],
      line: '2 of high or critical severity, 1 lower',
    },
  ])('$line', ({ found, bad, line }) => expect(npmFindings(npmReport(...found))).toEqual({ bad, line }));
  it('takes an error for no report', () =>
    expect(npmFindings({ message: '405 Method Not Allowed', error: {} })).toBeNull());
});

it('every advisory about a crate is bad', () => {
  expect(cargoFindings({ vulnerabilities: { found: false, count: 0, list: [] } })?.bad).toEqual([]);
  const list = [{ advisory: { id: 'RUSTSEC-2026-0001' }, package: { name: 'quinn', version: '0.11.0' } }];
  expect(cargoFindings({ vulnerabilities: { found: true, count: 1, list } })?.bad).toEqual([
    'quinn 0.11.0 (RUSTSEC-2026-0001)',
  ]);
  expect(cargoFindings({})).toBeNull();
});

// The programs are shell scripts.
describe.skipIf(process.platform === 'win32')('runAudits', () => {
  let root = '';
  beforeEach(() => {
    root = mkdtempSync(path.join(tmpdir(), 'pitwall-audit-'));
    mkdirSync(path.join(root, 'lab', 'origin'), { recursive: true });
    writeFileSync(path.join(root, 'lab', 'origin', 'Cargo.lock'), '');
  });
  afterEach(() => rmSync(root, { recursive: true }));

  function program(name: string, ...lines: string[]): string {
    const file = path.join(root, name);
    writeFileSync(file, ['#!/bin/sh', ...lines].join('\n'));
    chmodSync(file, 0o755);
    return file;
  }
  const silent = () =>
    program('cargo', `echo '{"vulnerabilities":{"list":[]}}'`, 'echo "Fetching advisories" >&2');

  it('says what is bad, by name', async () => {
    const report = JSON.stringify(npmReport(weakness('a', 'high')));
    const npm = program('npm', `echo '${report}'`, 'exit 1');
    expect(await runAudits(root, { npm, cargo: silent() })).toEqual([
      {
        name: 'npm audit',
        isDone: true,
        isBad: true,
        line: '1 of high or critical severity, 0 lower: a <2.0.1 (high)',
      },
      { name: 'cargo audit', isDone: true, isBad: false, line: '0 advisories' },
    ]);
  });

  it('says why nothing is known, and that this is not bad', async () => {
    const npm = program(
      'npm',
      'echo "npm warn audit 405 Method Not Allowed - POST https://registry.example/bulk" >&2',
      `echo '{"message":"405"}'`,
      'exit 1',
    );
    const cargo = program('cargo', `echo 'error: no such command: \`audit\`' >&2`, 'exit 101');
    const audits = await runAudits(root, { npm, cargo });
    expect(audits.map(({ isDone, isBad, line }) => ({ isDone, isBad, line }))).toEqual([
      {
        isDone: false,
        isBad: false,
        line: 'not done, because 405 Method Not Allowed - POST https://registry.example/bulk',
      },
      {
        isDone: false,
        isBad: false,
        line: 'not done, because cargo-audit is not installed ("cargo install cargo-audit")',
      },
    ]);
  });

  it('waits no longer than its time limit, also for what the program has started', async () => {
    const npm = program('npm', 'sleep 20 &', 'echo $! > child', 'wait');
    const startedAtMs = performance.now();
    const [audit] = await runAudits(root, { npm, cargo: null, timeLimitMs: 300 });
    expect(performance.now() - startedAtMs).toBeLessThan(10_000);
    process.kill(Number(readFileSync(path.join(root, 'child'), 'utf8')));
    expect(audit).toMatchObject({
      isDone: false,
      isBad: false,
      line: 'not done, because nothing came in 0.3 s',
    });
  });
});
