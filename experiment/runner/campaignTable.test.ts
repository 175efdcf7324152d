import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { finishedSessions } from './finishedSessions.ts';
import { campaignTable } from './campaignTable.ts';
import { logDirOf } from '../../node/logFiles.ts';
import { networksOf } from '../design/networks.ts';
import type { Network, PlannedSession } from '../design/plan.ts';
import { planCampaign } from '../design/planCampaign.ts';
import { startingFile } from '../design/startingFile.ts';
import { valueOf } from '../../src/shared/result.ts';
import { joinTime } from '../../src/analysis/metrics/stalls.ts';
import { playback } from '../../src/analysis/timeline/example.testing.ts';
import { exampleLog } from '../../src/telemetry/exampleLog.testing.ts';
import type { SessionEvent } from '../../src/telemetry/schema/sessionLog.ts';

const [{ profile: STEADY }] = networksOf({ ...startingFile, profiles: ['3g'] }) as [Network];
const planOver = (networks: readonly Network[]) =>
  valueOf(
    planCampaign(
      { ...startingFile, rules: ['bola'], transports: ['h1', 'h2'], repeats: 3, seeds: [1] },
      networks,
    ),
  );
const plan = planOver([{ name: 'n0', profile: STEADY }]);
const BUSY = 'All 2 cores were at least 95 % busy for 60 s of 60 s, at most 60 s in a row.';
const FLAGGED = plan.sessions.find(({ design, transport }) => design.repeat === 1 && transport === 'h2')!;

let outDir = '';
beforeEach(() => {
  outDir = mkdtempSync(path.join(tmpdir(), 'pitwall-campaign-'));
  mkdirSync(logDirOf(outDir));
});
afterEach(() => rmSync(outDir, { recursive: true, force: true }));

/** `segments` and `extra` are what the metrics of a session hang on. */
function write(
  { id, design }: PlannedSession,
  flags: readonly string[] | null,
  segments = 3,
  extra: readonly SessionEvent[] = [],
): void {
  const log = exampleLog({ segments, extra });
  const machine = flags && {
    cores: 2,
    meanBusyPercent: 60,
    worstBusyPercent: 80,
    windowMs: 2000,
    latestTimerMs: 9,
    flags,
  };
  const environment = { ...log.environment, ...(machine && { machine }) };
  writeFileSync(
    path.join(logDirOf(outDir), `${id}.json`),
    JSON.stringify({ ...log, id, design, environment }),
  );
}

it('has the number of ranges in a column of its own', () => {
  const planned = planCampaign(
    { ...startingFile, rules: ['bola'], transports: ['h1'], split: [1, 6], repeats: 1, seeds: [1] },
    [],
  );
  if (!planned.ok) throw new Error(planned.error);
  const table = campaignTable(planned.value, finishedSessions(planned.value, outDir));
  expect(table).toMatch(/^ranges +sessions .*\n(.*\n)?1 +0 of 1 .*\n6 +0 of 1 /m);
});

it('leaves no pair out where the machine kept up, or nobody watched it', () => {
  for (const session of plan.sessions) write(session, session.transport === 'h1' ? null : []);
  const table = campaignTable(plan, finishedSessions(plan, outDir));
  expect(table.match(/ 3 of 3 /g)).toHaveLength(2);
  expect(table).not.toContain('left out');
});

it('leaves a pair with a flagged arm out as a whole, and says which and why', () => {
  for (const session of plan.sessions) {
    const isOut = session.design.pair === FLAGGED.design.pair;
    write(session, session === FLAGGED ? [BUSY] : [], isOut ? 30 : 3);
  }
  const table = campaignTable(plan, finishedSessions(plan, outDir));
  expect(table.match(/ 2 of 3 /g)).toHaveLength(2);
  expect(table).toContain('1 of 3 pairs left out: invalidated by host overload in');
  expect(table).toContain(
    '\nrun again with --again to repeat the pairs with a session that was invalidated by host overload',
  );
  expect(table).toContain(`${FLAGGED.design.pair}: bola/h2: ${BUSY}`);
  // The figures are those of a folder in which the pair never was.
  for (const { id, design } of plan.sessions)
    if (design.pair === FLAGGED.design.pair) rmSync(path.join(logDirOf(outDir), `${id}.json`));
  expect(table.split('\n').slice(0, 4)).toEqual(
    campaignTable(plan, finishedSessions(plan, outDir)).split('\n').slice(0, 4),
  );
});

it('keeps sessions without an emulated link in, and says how many of each arm the machine was busy in', () => {
  const unlinked = planOver([]);
  const busy = unlinked.sessions.filter(({ design, transport }) => design.repeat === 1 || transport === 'h2');
  for (const session of unlinked.sessions) write(session, busy.includes(session) ? [BUSY] : []);
  const table = campaignTable(unlinked, finishedSessions(unlinked, outDir));
  expect(table.match(/ 3 of 3 (?!of)/g)).toHaveLength(2);
  expect(table).not.toContain('left out');
  expect(table).toContain(
    `The machine was busy in 4 sessions (1 of 3 of bola/h1, 3 of 3 of bola/h2); they count, so a difference may be the machine's. The first of them: ${BUSY}`,
  );
});

it('has a line for each arm where there are more cells than anybody reads', () => {
  const networks = Array.from({ length: 101 }, (_, place) => ({
    name: `n${place}`,
    profile: STEADY,
  }));
  const planned = planCampaign(
    { ...startingFile, rules: ['bola'], transports: ['h1', 'h2'], repeats: 2, seeds: [1] },
    networks,
  );
  if (!planned.ok) throw new Error(planned.error);
  const { sessions } = planned.value;
  for (const session of [sessions[0]!, sessions[1]!]) write(session, []);
  const lines = campaignTable(planned.value, finishedSessions(planned.value, outDir)).trim().split('\n');
  expect(lines).toContain('  network: 101 networks');
  expect(lines.filter((line) => / 1 of 202 /.test(line))).toHaveLength(2);
  // Networks that have two rules in turn: the line is of both.
  const inTurn = planCampaign({ ...planned.value.campaign, rules: ['bola|throughput'] }, networks);
  if (!inTurn.ok) throw new Error(inTurn.error);
  expect(campaignTable(inTurn.value, new Map())).toContain('bola|throughput');
  // One cell less than that, and each has its line.
  const fewer = planCampaign(planned.value.campaign, networks.slice(0, 100));
  if (!fewer.ok) throw new Error(fewer.error);
  expect(campaignTable(fewer.value, new Map()).match(/ 0 of 2 /g)).toHaveLength(200);
});

it('a mean with a wait that was cut off is at least so large', () => {
  for (const session of plan.sessions) {
    const joins = session.transport === 'h1' || session.design.repeat > 1;
    const states = [playback(100, 'play-requested'), playback(1100, joins ? 'playing' : 'stopped')];
    write(
      session,
      [],
      3,
      states.map((state, index) => ({ ...state, id: `p${index}` })),
    );
  }
  const table = campaignTable(plan, finishedSessions(plan, outDir), [joinTime]);
  expect(table).toMatch(/^.*h1 .* 3 of 3 +1000$/m);
  expect(table).toMatch(/^.*h2 .* 3 of 3 +≥ 1000$/m);
});
