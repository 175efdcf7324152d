import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { exampleDecision, exampleLog } from '../../src/telemetry/exampleLog.ts';
import { compareTable, headlines } from './compareTable.ts';

const outDir = mkdtempSync(path.join(tmpdir(), 'pitwall-table-'));
afterAll(() => rmSync(outDir, { recursive: true, force: true }));

test('browsers have a column where they are named', () => {
  const cell = { rule: 'bola', transport: 'h2', mpd: '/a.mpd', link: null, design: null } as const;
  const table = (browser?: string) =>
    compareTable({ outDir, cells: [{ ...cell, id: 'gone', ...(browser && { browser }) }], metrics: [] });
  expect(table('firefox')).toMatch(/rule +transport +browser[^]*bola +h2 +firefox/);
  expect(table('firefox')).toContain('bola over h2, in Firefox: there is no log');
  expect(table()).not.toContain('browser');
});

test('a session that was played on a busy machine is named below the table', () => {
  const log = exampleLog();
  const machine = {
    ...{ cores: 2, meanBusyPercent: 90, worstBusyPercent: 100, windowMs: 2000, latestTimerMs: 80 },
    flags: ['All 2 cores were at least 95 % busy for 20 s of 24 s, at most 18 s in a row.'],
  };
  const environment = { ...log.environment, machine };
  writeFileSync(path.join(outDir, 'busy.json'), JSON.stringify({ ...log, environment }));
  const cell = { transport: 'h2', mpd: 'https://cdn.example/a.mpd', link: null, design: null } as const;
  const table = compareTable({ outDir, cells: [{ ...cell, id: 'busy', rule: 'bola' }], metrics: headlines });
  expect(table).toContain(
    "bola over h2: the machine was busy, so its numbers may be the machine's: All 2 cores were at least 95 % busy",
  );
});

test('a session that played another level than its row says is named below the table', () => {
  const log = exampleLog();
  const decided = exampleDecision({ id: 'd99', rule: 'fixed', rung: 2, values: { wishedRung: 98 } });
  writeFileSync(path.join(outDir, 'one.json'), JSON.stringify({ ...log, events: [...log.events, decided] }));
  writeFileSync(path.join(outDir, 'other.json'), JSON.stringify(log));
  const cell = { transport: 'h2', mpd: 'https://cdn.example/a.mpd', link: null, design: null } as const;
  const cells = [
    { ...cell, id: 'one', rule: 'fixed:level=99' },
    { ...cell, id: 'other', rule: 'bola' },
  ];
  const said = compareTable({ outDir, cells, metrics: headlines })
    .split('\n')
    .filter((line) => line.includes(': The rule'));
  expect(said).toEqual([
    'fixed:level=99 over h2: The rule asks for level 99, but the highest level of this stream is 3, so that one was played: choose a level from 1 to 3',
  ]);
});
