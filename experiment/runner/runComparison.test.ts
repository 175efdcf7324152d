import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { formatTable } from './runComparison.ts';
import { headlines } from './metricCells.ts';
import { resolveComparison, type Comparison } from '../resolve/comparison.ts';
import { exampleDecision, exampleLog } from '../../src/telemetry/exampleLog.testing.ts';

const outDir = mkdtempSync(path.join(tmpdir(), 'pitwall-table-'));
afterAll(() => rmSync(outDir, { recursive: true, force: true }));

const asked: Comparison = {
  rules: ['bola'],
  transports: ['h2'],
  browserProfile: 'cold',
  preset: 'experiment',
  seconds: 20,
  mpd: 'https://cdn.example/a.mpd',
};

const planOf = async (more: Partial<Comparison>) => (await resolveComparison({ ...asked, ...more })).plan;

const write = (id: string, log: object): void =>
  writeFileSync(path.join(outDir, `${id}.json`), JSON.stringify(log));

test('browsers have a column where they are named', async () => {
  const table = async (more: Partial<Comparison>) => formatTable(await planOf(more), outDir, headlines);
  const named = await table({ browsers: ['firefox'] });
  expect(named).toMatch(/rule +transport +browser[^]*bola +h2 +firefox/);
  expect(named).toContain('bola over h2, in Firefox: there is no log');
  expect(await table({})).not.toContain('browser');
});

test('a line has rule and transport before its figures, and no column that is the same in all lines', async () => {
  const plan = await planOf({ rules: ['throughput', 'bola'], transports: ['h3-racing', 'h1'] });
  for (const { id } of plan.sessions) write(id, exampleLog());
  const table = formatTable(plan, outDir, headlines.slice(0, 1));
  const lines = table.split('\n').filter((line) => /^(throughput|bola) +h/.test(line));
  expect(lines.map((line) => line.split(/ +/).slice(0, -1))).toEqual([
    ['throughput', 'h3-racing'],
    ['throughput', 'h1'],
    ['bola', 'h3-racing'],
    ['bola', 'h1'],
  ]);
});

test('a busy machine is named below the table', async () => {
  const log = exampleLog();
  const machine = {
    cores: 2,
    meanBusyPercent: 90,
    worstBusyPercent: 100,
    windowMs: 2000,
    latestTimerMs: 80,
    flags: ['All 2 cores were at least 95 % busy for 20 s of 24 s, at most 18 s in a row.'],
  };
  write('bola-h2', { ...log, environment: { ...log.environment, machine } });
  expect(formatTable(await planOf({}), outDir, headlines)).toContain(
    "The machine was busy in 1 session (1 of 1 of bola/h2); they count, so a difference may be the machine's. The first of them: All 2 cores were at least 95 % busy",
  );
});

test('a session that played another level than its line says is named below the table', async () => {
  const log = exampleLog();
  const decided = exampleDecision({ id: 'd99', rule: 'fixed', rung: 2, values: { wishedRung: 98 } });
  write('fixed-level-99-h2', { ...log, events: [...log.events, decided] });
  write('bola-h2', log);
  const lines = formatTable(await planOf({ rules: ['fixed:level=99', 'bola'] }), outDir, headlines)
    .split('\n')
    .filter((line) => line.includes(': The rule'));
  expect(lines).toEqual([
    'fixed:level=99 over h2: The rule asks for level 99, but the highest level of this stream is 3, so that one was played: choose a level from 1 to 3',
  ]);
});
