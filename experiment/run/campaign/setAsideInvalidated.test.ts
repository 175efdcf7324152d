import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { formatFailures } from './formatOutcome.ts';
import { logDirOf } from '../../../node/logFiles.ts';
import { sessionsToDo, setAsideInvalidated } from './finishedSessions.ts';
import { planCampaign } from '../../plan/planCampaign.ts';
import type { PlannedSession } from '../../plan/plan.ts';
import { startingFile } from '../../plan/startingFile.ts';
import { exampleLog } from '../../../src/telemetry/exampleLog.ts';

const planned = planCampaign({ ...startingFile, repeats: 1, seeds: [1] }, []);
if (!planned.ok) throw new Error(planned.error);
const plan = planned.value;
const [invalidated, good, foreign, ...rest] = plan.sessions as [
  PlannedSession,
  PlannedSession,
  PlannedSession,
];

let outDir = '';
beforeEach(() => {
  outDir = mkdtempSync(path.join(tmpdir(), 'pitwall-campaign-'));
  mkdirSync(logDirOf(outDir));
});
afterEach(() => rmSync(outDir, { recursive: true, force: true }));

const fileOf = (id: string, rest = 'json'): string => path.join(logDirOf(outDir), `${id}.${rest}`);

/** The log of one session in the place of another, which may be the same. */
function write({ id, design }: PlannedSession, place: PlannedSession, flags: string[]): void {
  const log = exampleLog();
  const machine = { cores: 2, meanBusyPercent: 80, worstBusyPercent: 99, windowMs: 2000, latestTimerMs: 90 };
  const environment = { ...log.environment, machine: { ...machine, flags } };
  writeFileSync(fileOf(place.id), JSON.stringify({ ...log, id, design, environment }));
}

test('an invalidated session is to be played again; its try is reported and its log kept', async () => {
  write(invalidated, invalidated, ['All 2 cores were busy.', '40 frames were dropped.']);
  write(good, good, []);
  write(good, foreign, ['All 2 cores were busy.']);
  const before = readFileSync(fileOf(invalidated.id), 'utf8');
  expect(sessionsToDo(plan, outDir)).toEqual([foreign, ...rest]);

  expect(await setAsideInvalidated(plan, outDir)).toBe(1);

  expect(sessionsToDo(plan, outDir)).toEqual([invalidated, foreign, ...rest]);
  expect(formatFailures(outDir)).toBe('1 try failed: 1 × the machine was the bottleneck, not the network');
  expect(readFileSync(fileOf(invalidated.id, 'failures.jsonl'), 'utf8')).toContain(
    '"message":"All 2 cores were busy. 40 frames were dropped."',
  );
  expect(readFileSync(fileOf(invalidated.id, 'partial.json'), 'utf8')).toBe(before);
  expect(existsSync(fileOf(good.id)) && existsSync(fileOf(foreign.id))).toBe(true);
});

test('a second time there is nothing left to set aside', async () => {
  write(invalidated, invalidated, ['All 2 cores were busy.']);
  expect(await setAsideInvalidated(plan, outDir)).toBe(1);
  const files = readdirSync(logDirOf(outDir));
  expect(await setAsideInvalidated(plan, outDir)).toBe(0);
  expect(readdirSync(logDirOf(outDir))).toEqual(files);
});
