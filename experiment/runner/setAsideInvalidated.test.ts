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
import { logDirOf } from '../../node/logFiles.ts';
import { finishedSessions } from './finishedSessions.ts';
import { findToDo, openRunFolder, setAsideInvalidated, type RunFolder } from './runFolder.ts';
import { planCampaign } from '../design/planCampaign.ts';
import type { CampaignPlan, PlannedSession } from '../design/plan.ts';
import { startingFile } from '../design/startingFile.ts';
import { valueOf } from '../../src/shared/result.ts';
import { exampleLog } from '../../src/telemetry/exampleLog.testing.ts';

const planned = planCampaign({ ...startingFile, repeats: 1, seeds: [1] }, []);
if (!planned.ok) throw new Error(planned.error);
const plan = planned.value;
const [invalidated, good, foreign, ...rest] = plan.sessions as [
  PlannedSession,
  PlannedSession,
  PlannedSession,
];
/** Two pairs of four arms. */
const twoPairs = valueOf(planCampaign({ ...startingFile, repeats: 1, seeds: [1, 2] }, []));

let outDir = '';
beforeEach(() => {
  outDir = mkdtempSync(path.join(tmpdir(), 'pitwall-campaign-'));
  mkdirSync(logDirOf(outDir));
});
afterEach(() => rmSync(outDir, { recursive: true, force: true }));

const fileOf = (id: string, rest = 'json'): string => path.join(logDirOf(outDir), `${id}.${rest}`);

/** The log of one session in the place of another, which may be the same. */
function write(
  { id, design }: PlannedSession,
  place: PlannedSession,
  flags: string[],
  machineId = '0a1b2c3d',
): void {
  const log = exampleLog();
  const machine = {
    id: machineId,
    cores: 2,
    meanBusyPercent: 80,
    worstBusyPercent: 99,
    windowMs: 2000,
    latestTimerMs: 90,
  };
  const environment = { ...log.environment, machine: { ...machine, flags } };
  writeFileSync(fileOf(place.id), JSON.stringify({ ...log, id, design, environment }));
}

const open = (plan: CampaignPlan): RunFolder => openRunFolder(outDir, plan, { simulates: false });

const sessionsToDo = (of: CampaignPlan): PlannedSession[] => {
  const { environmentOf } = open(of);
  return of.sessions.filter((session) => environmentOf(session) === null);
};

async function setAside(of: CampaignPlan): Promise<{ invalidated: number; partners: number }> {
  const { ids, invalidated } = await setAsideInvalidated(open(of), of.sessions);
  return { invalidated, partners: ids.size - invalidated };
}

test('an invalidated session is to be played again with its pair; each try is reported and its log kept', async () => {
  write(invalidated, invalidated, ['All 2 cores were busy.', '40 frames were dropped.']);
  write(good, good, []);
  write(good, foreign, ['All 2 cores were busy.']);
  const before = readFileSync(fileOf(invalidated.id), 'utf8');
  expect(sessionsToDo(plan)).toEqual([foreign, ...rest]);

  expect(await setAside(plan)).toEqual({ invalidated: 1, partners: 1 });

  expect(sessionsToDo(plan)).toEqual(plan.sessions);
  expect(formatFailures(outDir)).toBe(
    '2 tries failed: 1 × the machine was the bottleneck, not the network, 1 × another session of its pair was played again',
  );
  expect(readFileSync(fileOf(invalidated.id, 'failures.jsonl'), 'utf8')).toContain(
    '"message":"All 2 cores were busy. 40 frames were dropped."',
  );
  expect(readFileSync(fileOf(invalidated.id, 'partial.json'), 'utf8')).toBe(before);
  expect(readFileSync(fileOf(good.id, 'failures.jsonl'), 'utf8')).toContain(
    `"message":"its pair was repeated because ${invalidated.design.arm} failed: All 2 cores were busy. 40 frames were dropped."`,
  );
  expect(existsSync(fileOf(good.id, 'partial.json')) && existsSync(fileOf(foreign.id))).toBe(true);
});

test('a pair of which a part was played on another machine counts as invalidated, and is played again', async () => {
  const { sessions } = twoPairs;
  const other = sessions[2]!;
  for (const session of sessions) write(session, session, [], session === other ? 'ffffffff' : undefined);
  const ofPair = sessions.filter(({ design }) => design.pair === other.design.pair);
  const flagged = [...finishedSessions(twoPairs, outDir)].filter(([, { flags }]) => flags.length > 0);
  expect(flagged.map(([id]) => id).sort()).toEqual(ofPair.map(({ id }) => id).sort());
  expect(flagged[0]![1].flags).toEqual(['The sessions of this pair were played on more than one machine.']);
  expect(await setAside(twoPairs)).toEqual({ invalidated: 4, partners: 0 });
  expect(sessionsToDo(twoPairs)).toEqual(ofPair);
});

test('a second time there is nothing left to set aside', async () => {
  write(invalidated, invalidated, ['All 2 cores were busy.']);
  expect(await setAside(plan)).toEqual({ invalidated: 1, partners: 0 });
  const files = readdirSync(logDirOf(outDir));
  expect(await setAside(plan)).toEqual({ invalidated: 0, partners: 0 });
  expect(readdirSync(logDirOf(outDir))).toEqual(files);
});

test('all arms of the pair are set aside, and no other pair', async () => {
  const { sessions } = twoPairs;
  for (const session of sessions) write(session, session, session === sessions[2] ? ['Busy.'] : []);
  expect(await setAside(twoPairs)).toEqual({ invalidated: 1, partners: 3 });
  const pair = sessions[2]!.design.pair;
  expect(sessionsToDo(twoPairs)).toEqual(sessions.filter(({ design }) => design.pair === pair));
});

test('sessions of the pair that it is not compared with keep their logs', async () => {
  const rules = valueOf(
    planCampaign({ ...startingFile, rules: ['bola', 'sara'], repeats: 1, seeds: [1] }, []),
  );
  const first = rules.sessions[0]!;
  for (const session of rules.sessions) write(session, session, session === first ? ['Busy.'] : []);
  expect(await setAside(rules)).toEqual({ invalidated: 1, partners: 3 });
  expect(sessionsToDo(rules)).toEqual(rules.sessions.filter(({ rule }) => rule === first.rule));
});

test('what is set aside is to do at once, and is said with what it is compared with', async () => {
  const { sessions } = twoPairs;
  for (const session of sessions) write(session, session, session === sessions[2] ? ['Busy.'] : []);
  const asked = { again: true, nowUnixMs: Date.now() };
  const folder = open(twoPairs);
  expect(await findToDo(folder, sessions, { ...asked, again: false })).toEqual({ count: 0, notes: [] });
  expect(await findToDo(folder, sessions, asked)).toEqual({
    count: 4,
    notes: [
      '1 session was invalidated by host overload and will be repeated, with 3 other sessions that they are compared with',
    ],
  });
  expect(await findToDo(open(twoPairs), sessions, asked)).toEqual({
    count: 4,
    notes: ['no session was invalidated by host overload'],
  });
});
