import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, describe, test } from 'vitest';
import { finishedSessions } from './finishedSessions.ts';
import { openRunFolder } from './runFolder.ts';
import { showFolder } from './showCampaign.ts';
import { campaignTable } from './campaignTable.ts';
import { keepPlan } from './keepPlan.ts';
import { instrumentedOf } from './instrumentedPlan.ts';
import { logDirOf } from '../../node/logFiles.ts';
import type { CampaignPlan, PlannedSession } from '../design/plan.ts';
import { planCampaign } from '../design/planCampaign.ts';
import { startingFile } from '../design/startingFile.ts';
import { exampleLog } from '../../src/telemetry/exampleLog.testing.ts';

const planOf = (seeds: number[]): CampaignPlan => {
  const plan = planCampaign({ ...startingFile, repeats: 1, seeds }, []);
  if (!plan.ok) throw new Error(plan.error);
  return plan.value;
};
const plan = planOf([1, 2]);
const [first, second, third, fourth, ...rest] = plan.sessions as [
  PlannedSession,
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

const missing = (of: CampaignPlan, folder = outDir): PlannedSession[] => {
  const { environmentOf } = openRunFolder(folder, of, { simulates: false });
  return of.sessions.filter((session) => environmentOf(session) === null);
};

const logOf = ({ id, design }: PlannedSession): string => JSON.stringify({ ...exampleLog(), id, design });
const write = (name: string, text: string, folder = outDir): void =>
  writeFileSync(path.join(logDirOf(folder), name), text);

test('what has no whole log of its own is still to do, whatever lies about', () => {
  write(`${first.id}.json`, logOf(first));
  write(`${second.id}.json`, logOf(second).slice(0, -200));
  write(`${third.id}.json.part`, logOf(third));
  write(`${fourth.id}.json`, logOf(first));
  write('notes.txt', 'of somebody');
  expect(missing(plan)).toEqual([second, third, fourth, ...rest]);
});

test('sessions of browsers and of the simulator are never in one folder', () => {
  const refuse = (simulates: boolean) => () => void openRunFolder(outDir, plan, { simulates });
  expect([refuse(true)(), refuse(false)()]).toEqual([undefined, undefined]);
  write(`${second.id}.json`, logOf(second));
  expect(refuse(false)()).toBeUndefined();
  expect(refuse(true)).toThrow(/This folder has sessions that browsers played, .*: name another one/);
  const log = exampleLog();
  const missing = { ...log.environment.missing };
  delete missing['simulator'];
  const simulated = { ...log, environment: { ...log.environment, missing, simulator: 'player' } };
  const { id, design } = first;
  write(`${first.id}.json`, JSON.stringify({ ...simulated, id, design }));
  expect(refuse(true)()).toBeUndefined();
  expect(refuse(false)).toThrow(/This folder has simulated sessions, .*: name another one/);
});

describe('sessions of a rule with other parameters than now', () => {
  const refused = (rule: string, ruleParameters: Record<string, string>) => () => {
    const log = exampleLog();
    const missing = { ...log.environment.missing };
    delete missing['ruleParameters'];
    const environment = { ...log.environment, missing, rule: rule.split(':')[0]!, ruleParameters };
    write(`${first.id}.json`, JSON.stringify({ ...log, environment, id: first.id, design: first.design }));
    const sessions = plan.sessions.map((session) => ({ ...session, rule }));
    openRunFolder(outDir, { ...plan, sessions }, { simulates: false });
  };

  test('are not gone on with', () =>
    expect(refused('neural', { qoe: 'lin', guard: 'outside' })).toThrow(
      /: Its sessions of neural were played with guard=outside, and this version plays them with guard=stalls\. .*: name another folder with --out, or go on with the version that began this one\.$/,
    ));

  test.each([
    // A version that did not have the parameter yet says nothing of it; another net is another plan.
    ['neural', { qoe: 'lin', weights: 'another' }],
    ['neural:guard=outside', { qoe: 'lin', guard: 'outside' }],
    ['pensieve:weights=mine.json', { weights: 'mine' }],
    ['dashjs-lolp', { liveCatchupMode: 'liveCatchupModeLoLP' }],
  ])('are gone on with where nothing else decides: %s, %j', (rule, recorded) =>
    expect(refused(rule, recorded)).not.toThrow(),
  );

  test('are none in an empty folder', () =>
    expect(() => openRunFolder(outDir, plan, { simulates: false })).not.toThrow());
});

test('of the environment of a session only what a run needs stays in memory', () => {
  write(`${first.id}.json`, logOf(first));
  const { environmentOf } = openRunFolder(outDir, plan, { simulates: false });
  expect(environmentOf(first)).toEqual({ ruleParameters: null, simulator: null });
});

test('a plan that is gone or cut off meanwhile is said in one sentence', () => {
  expect(() => showFolder(outDir, [])).toThrow(/plan\.json: There is no such file or folder\.$/);
  writeFileSync(path.join(outDir, 'plan.json'), '{"schema"');
  expect(() => showFolder(outDir, [])).toThrow(/plan\.json: The plan is not valid JSON, or it is cut off\.$/);
});

test('an empty folder, or none, has everything to do', () => {
  expect(missing(plan)).toEqual(plan.sessions);
  expect(missing(plan, path.join(outDir, 'nowhere'))).toEqual(plan.sessions);
});

test('the plan is written once, found again, and not replaced by another', () => {
  keepPlan(outDir, plan);
  keepPlan(outDir, planOf([1, 2]));
  expect(() => keepPlan(outDir, planOf([1, 3]))).toThrow(
    /plan\.json: This is the plan of another campaign, or of an earlier version of this one\. Name another folder/,
  );
});

test('a folder that was begun with other TLS records goes on with them, unless the campaign names some', () => {
  const before = { ...plan, campaign: { ...plan.campaign, origin: 'instrumented' as const } };
  const now = { ...before, tlsRecords: 'dynamic' as const };
  expect(keepPlan(path.join(outDir, 'new'), now)).toEqual(now);
  expect(keepPlan(path.join(outDir, 'new'), now)).toEqual(now);
  keepPlan(path.join(outDir, 'old'), before);
  expect(keepPlan(path.join(outDir, 'old'), now)).toEqual(before);
  expect(instrumentedOf(before)?.tlsRecords).toBe('16k');
  const named = { ...now, campaign: { ...now.campaign, tlsRecords: 'dynamic' as const } };
  expect(() => keepPlan(path.join(outDir, 'old'), named)).toThrow('This is the plan of another campaign');
});

test('a folder that cannot be made is refused with one sentence', () => {
  write('a-file', '');
  const file = path.join(logDirOf(outDir), 'a-file');
  expect(() => keepPlan(path.join(file, 'below'), plan)).toThrow(
    `${path.join(file, 'below')}: A part of its path is a file, not a folder.`,
  );
});

test('two folders put together give the table of one', () => {
  const shards = [plan.sessions.slice(0, 4), plan.sessions.slice(4)].map((sessions) => {
    const folder = mkdtempSync(path.join(outDir, 'shard-'));
    mkdirSync(logDirOf(folder));
    for (const session of sessions) write(`${session.id}.json`, logOf(session), folder);
    return { folder, sessions };
  });
  const parts = shards.map(({ folder }) => campaignTable(plan, finishedSessions(plan, folder)));
  expect(parts[0]).toMatch(/h3-racing .* 1 of 2 /);
  for (const { sessions } of shards)
    for (const session of sessions) write(`${session.id}.json`, logOf(session));
  const whole = campaignTable(plan, finishedSessions(plan, outDir));
  expect(whole.match(/ 2 of 2 /g)).toHaveLength(4);
  expect(missing(plan)).toEqual([]);
  expect(whole).not.toBe(parts[0]);
});
