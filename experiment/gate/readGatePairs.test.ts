import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { comparedArms } from './gateArms.ts';
import { contradictedSession, formatNotShown, readGatePairs, whyNotShown } from './readGatePairs.ts';
import { usualGate, type Gate } from '../design/gateFile.ts';
import { planCampaign } from '../design/planCampaign.ts';
import type { PlannedSession } from '../design/plan.ts';
import { gateCampaign } from '../design/readGate.ts';
import { logDirOf } from '../../node/logFiles.ts';
import { valueOf } from '../../src/shared/result.ts';
import { exampleSession, playback } from '../../src/analysis/timeline/example.testing.ts';
import type { SessionEvent, SessionLog } from '../../src/telemetry/schema/sessionLog.ts';

const gate: Gate = { ...usualGate, profiles: [], transports: ['h2'] };
const compared = await comparedArms({ base: 'bola', next: 'throughput' }, gate, '.');
const planned = valueOf(planCampaign(gateCampaign(gate, compared.arms, 4), []));
const link = { network: 'n', seed: 1, phaseMs: 0, leadInMs: 0 };
/** Over a link: there the guard leaves pairs out. */
const plan = { ...planned, sessions: planned.sessions.map((each) => ({ ...each, link })) };
const pairs = [...new Set(plan.sessions.map(({ design }) => design.pair))];
const next = plan.sessions.filter((session) => !compared.isBase(session));
const nextOf = (pair: string): PlannedSession => next.find(({ design }) => design.pair === pair)!;

let outDir = '';
beforeEach(() => {
  outDir = mkdtempSync(path.join(tmpdir(), 'pitwall-gate-pairs-'));
  mkdirSync(logDirOf(outDir));
  for (const session of plan.sessions) write(session);
});
afterEach(() => rmSync(outDir, { recursive: true, force: true }));

const fileOf = ({ id }: PlannedSession, rest = 'json'): string =>
  path.join(logDirOf(outDir), `${id}.${rest}`);

function write(session: PlannedSession, ...more: SessionEvent[]): void {
  const { id, design } = session;
  const log = exampleSession([playback(100, 'playing'), ...more]);
  writeFileSync(fileOf(session), JSON.stringify({ ...log, id, design }));
}

/** A log of a session in which the machine was the bottleneck. */
function flag(session: PlannedSession): void {
  write(session);
  const log = JSON.parse(readFileSync(fileOf(session), 'utf8')) as SessionLog;
  const busy = { cores: 2, meanBusyPercent: 99, worstBusyPercent: 100, windowMs: 1000, latestTimerMs: 5 };
  const environment = { ...log.environment, machine: { ...busy, flags: ['Too busy.'] } };
  writeFileSync(fileOf(session), JSON.stringify({ ...log, environment }));
}

/** Instead of a log: a session that failed in this way. */
function fail(session: PlannedSession, failure: string): void {
  rmSync(fileOf(session));
  failTry(session, failure);
}

/** A try before that of the log, if there is one. */
function failTry(session: PlannedSession, failure: string): void {
  writeFileSync(
    fileOf(session, 'failures.jsonl'),
    `${JSON.stringify({ atUnixMs: 1, failure, message: 'no' })}\n`,
  );
}

const read = () => readGatePairs({ plan, outDir, gate, compared });
const playedOf = (place: number): readonly boolean[] =>
  (read().pairs[place]![0] ?? []).map(({ played }) => played);

test('whole pairs have values of both arms', () => {
  const { pairs: found, begun, notPlayed } = read();
  expect([found.length, begun, notPlayed]).toEqual([4, 4, 0]);
  expect(playedOf(0)).toEqual([true, true]);
});

test('a session that an error ends after its first frame did not play', () => {
  write(nextOf(pairs[1]!), {
    kind: 'error',
    id: 'x',
    atMs: 5000,
    source: 'player',
    code: 'ended',
    message: 'It ended.',
    fatal: true,
    requestId: null,
    missing: { requestId: 'not-applicable' },
  });
  expect(playedOf(1)).toEqual([true, false]);
});

test('a session of NEW whose page crashed did not play, and its pair counts', () => {
  fail(nextOf(pairs[2]!), 'browser-ended');
  expect(playedOf(2)).toEqual([true, false]);
  expect(read().pairs[2]![0]![1].values.size).toBe(0);
  expect(read().notPlayed).toBe(0);
});

test('a session that the lab alone can have failed says nothing, and the number of such pairs is known', () => {
  fail(nextOf(pairs[3]!), 'link-did-not-answer');
  expect(read().pairs[3]).toEqual([]);
  expect(read().notPlayed).toBe(1);
});

test('a crash that the next try did not repeat is known, and one of the lab alone is not', () => {
  failTry(nextOf(pairs[0]!), 'browser-ended');
  failTry(nextOf(pairs[1]!), 'link-did-not-answer');
  const crashed = read().pairs.map(([both]) => both?.map(({ crashed: is }) => is));
  expect(crashed).toEqual([[undefined, true], ...Array.from({ length: 3 }, () => [undefined, undefined])]);
  expect(playedOf(0)).toEqual([true, true]);
});

test('sessions that overloaded the machine or began late are counted for each arm, with those of pairs that do not count', () => {
  failTry(nextOf(pairs[0]!), 'guard-tripped');
  failTry(nextOf(pairs[1]!), 'link-did-not-answer');
  fail(nextOf(pairs[2]!), 'play-not-on-time');
  flag(plan.sessions.find((session) => compared.isBase(session) && session.design.pair === pairs[3])!);
  const { heavy, pairs: found } = read();
  expect(heavy).toEqual([
    [0, 1],
    [0, 0],
    [0, 1],
    [1, 0],
  ]);
  expect(found.map(({ length }) => length)).toEqual([1, 1, 0, 0]);
});

test('a side that crashes in every try has played badly; one that the lab could not play has not played', () => {
  const why = () => whyNotShown({ plan, outDir }, { isOfSide: (session) => !compared.isBase(session) });
  expect(why()).toBeNull();
  for (const session of next) fail(session, 'browser-ended');
  expect(why()).toEqual({ sentence: 'no', isFailure: false });
  expect(formatNotShown('NEW (bola)', why()!)).toBe('NEW (bola) does not play: no');
  for (const session of next) failTry(session, 'link-did-not-answer');
  expect(why()).toEqual({ sentence: 'no', isFailure: true });
  expect(formatNotShown('NEW (bola)', why()!)).toBe('The lab could not play NEW (bola): no');
});

test('a session whose log was contradicted to the end is named; one that was played again is not', () => {
  const [first, second] = next;
  expect(contradictedSession({ plan, outDir, compared })).toBeNull();
  failTry(second!, 'log-contradicted');
  expect(contradictedSession({ plan, outDir, compared })).toBeNull();
  fail(first!, 'log-contradicted');
  expect(contradictedSession({ plan, outDir, compared })).toBe(
    `NEW: the log of ${first!.id} is contradicted by the origin's log: no.`,
  );
});
