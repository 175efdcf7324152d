import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { logDirOf } from '../../node/logFiles.ts';
import { finishedSessions } from './finishedSessions.ts';
import { codeOfPair, errorOfPair, formatPair, formatUnchanged, formatVerdicts } from './formatOutcome.ts';
import { EXIT, exitCodeOf } from '../../node/exitCodes.ts';
import { ofMachine } from '../session/machineFailure.ts';
import type { CampaignPlan, PlannedSession } from '../design/plan.ts';
import { planCampaign } from '../design/planCampaign.ts';
import { startingFile } from '../design/startingFile.ts';
import { playback } from '../../src/analysis/timeline/example.testing.ts';
import { exampleLog } from '../../src/telemetry/exampleLog.testing.ts';

const made = planCampaign(
  {
    ...startingFile,
    transports: ['h2', 'h3-racing'],
    repeats: 8,
    seeds: [1],
    primary: 'join-time',
    margin: 50,
  },
  [],
);
if (!made.ok) throw new Error(made.error);
const plan: CampaignPlan = made.value;
const link = { network: 'n', seed: 1, phaseMs: 0, leadInMs: 0 };
/** Over a link the guard leaves pairs out. */
const linked: CampaignPlan = { ...plan, sessions: plan.sessions.map((each) => ({ ...each, link })) };

let outDir = '';
beforeEach(() => {
  outDir = mkdtempSync(path.join(tmpdir(), 'pitwall-verdict-'));
  mkdirSync(logDirOf(outDir));
});
afterEach(() => rmSync(outDir, { recursive: true, force: true }));

/** A session that joins so late; null: nobody asked it to play, so that it has no join time. */
function write({ id, design }: PlannedSession, joinMs: number | null, flags: string[] = []): void {
  const states = joinMs === null ? [] : [playback(100, 'play-requested'), playback(100 + joinMs, 'playing')];
  const log = exampleLog({ extra: states.map((state, index) => ({ ...state, id: `play${index}` })) });
  const machine = {
    cores: 2,
    meanBusyPercent: 50,
    worstBusyPercent: 90,
    windowMs: 1000,
    latestTimerMs: 5,
    flags,
  };
  const environment = { ...log.environment, machine };
  writeFileSync(
    path.join(logDirOf(outDir), `${id}.json`),
    JSON.stringify({ ...log, environment, id, design }),
  );
}

test('before anything is played there is nothing to compare', () =>
  expect(formatVerdicts(plan, finishedSessions(plan, outDir))).toBe(
    'no session is finished, so nothing is compared',
  ));

test('finished logs give a sentence for each comparison; invalidated and unfinished pairs are left out', () => {
  const [, ...others] = plan.sessions;
  const invalidated = plan.sessions.at(-1)!;
  for (const session of others)
    write(
      session,
      session.transport === 'h3-racing' ? 700 + session.design.repeat : 900,
      session === invalidated ? ['busy for 3 s'] : [],
    );
  const lines = formatVerdicts(linked, finishedSessions(linked, outDir)).split('\n');
  expect(lines.slice(0, 2)).toEqual([
    'preliminary: 1 of 16 sessions are not finished; do not decide by this verdict when to stop',
    'join time by pairs: Wilcoxon signed-rank (zeros as Pratt), Holm over 1, bootstrap-t 95 % of the mean difference',
  ]);
  expect(lines[2]).toMatch(
    /^about 8 pairs without an emulated link, on at least 1 machine \(2 cores.*\), \d{4}-/,
  );
  expect(lines[3]).toMatch(
    /^ {2}h3-racing against h2, join time: −19\d\.\d ms, −2\d\.\d+ % \(95 % −19\d\.\d to −19\d\.\d, won 6 of 6 pairs, p_Holm = 0\.031\): lower \(better\), beyond the margin of 50 ms; of 8 pairs left out: 1 with a missing log, 1 invalidated by host overload$/,
  );
  expect(lines.at(-1)).toContain('exploratory');
});

test('without a link a busy session counts, and the verdict says so', () => {
  const [busy] = plan.sessions;
  for (const session of plan.sessions) write(session, 500, session === busy ? ['busy for 3 s'] : []);
  const text = formatVerdicts(plan, finishedSessions(plan, outDir));
  expect(text).toContain('tied 8 of 8 pairs');
  expect(text).toContain("the machine was busy in some of these sessions: a difference may be the machine's");
  expect(formatVerdicts(linked, finishedSessions(linked, outDir))).not.toContain('the machine was busy');
});

test('logs of equal arms are equivalent, and a whole campaign is not preliminary', () => {
  for (const session of plan.sessions) write(session, 500);
  const text = formatVerdicts(plan, finishedSessions(plan, outDir));
  expect(text).toContain('won 0, tied 8 of 8 pairs, p_Holm = 1): equivalent: inside the margin of 50 ms');
  expect(text).not.toContain('preliminary');
});

test('sessions without a value are named by their arm, also where no pair is left', () => {
  for (const session of plan.sessions) write(session, session.transport === 'h2' ? null : 500);
  expect(formatVerdicts(plan, finishedSessions(plan, outDir))).toContain(
    'h3-racing against h2, join time: no verdict. Only 0 of the 6 pairs that a verdict needs are available; of 8 pairs left out: 8 without a value for h2',
  );
});

test('a pair: how many were played, and which of them not as they should be', () => {
  const pair = linked.sessions.slice(0, 2);
  const outcome = () => formatPair(pair, finishedSessions({ ...plan, sessions: pair }, outDir), 'pair 1');
  expect(outcome()).toEqual({
    lines: ['pair 1: 0 of 2 sessions played'],
    isInvalidated: false,
  });
  write(pair[0]!, 300);
  write(pair[1]!, null);
  expect(outcome()).toEqual({
    lines: ['pair 1: 2 of 2 sessions played', expect.stringMatching(/^ {2}\S+: showed no frame: /)],
    isInvalidated: false,
  });
  expect(
    formatPair(
      pair.map((each) => ({ ...each, transfer: 'objects' })),
      finishedSessions({ ...plan, sessions: pair }, outDir),
      'pair 1',
    ).lines[1],
  ).toContain(': downloaded nothing: ');
  write(pair[1]!, 300, ['Timers came late.']);
  expect(outcome()).toEqual({
    lines: ['pair 1: 2 of 2 sessions played', `  ${pair[1]!.design.arm}: invalidated: Timers came late.`],
    isInvalidated: true,
  });
});

test('a rule that never changed its level is named, unless that is its way', () => {
  const asked = plan.sessions.slice(0, 4);
  const of = (rule: string, count: number): readonly string[] =>
    formatUnchanged(
      { campaign: plan.campaign, sessions: asked.map((each) => ({ ...each, rule })) },
      new Map(
        asked.map(({ id }, place) => [
          id,
          {
            environment: { browser: null, userAgent: null },
            startedAtUnixMs: 0,
            flags: [],
            playbackHash: null,
            whyNotPlayed: null,
            gaveUp: false,
            figures: new Map([['switches', { value: place === 0 ? count : 0 }]]),
          },
        ]),
      ),
    );
  expect(of('sara', 0)[0]).toMatch(/^note: sara never changed its level in 4 sessions, so /);
  expect([of('sara', 1), of('fixed:level=4', 0), of('lowest', 0)]).toEqual([[], [], []]);
});

test.each([
  ['done', EXIT.done, { isInvalidated: false }, EXIT.done],
  ['no frame', EXIT.notShown, { isInvalidated: false }, EXIT.notShown],
  ['no frame, and overloaded', EXIT.notShown, { isInvalidated: true }, EXIT.invalidated],
  ['overloaded', EXIT.done, { isInvalidated: true }, EXIT.invalidated],
  ['a session without a log', EXIT.failed, { isInvalidated: true }, EXIT.notPlayed],
  ['all logs, but the run failed', EXIT.failed, { isInvalidated: false }, EXIT.notPlayed],
  ['a full disk', EXIT.noSpace, { isInvalidated: false }, EXIT.noSpace],
  ['Ctrl-C', EXIT.interrupted, { isInvalidated: false }, EXIT.interrupted],
])('exit code of a pair: %s', (_name, code, outcome, expected) => {
  expect(codeOfPair(code, outcome)).toBe(expected);
});

test('an error of the machine ends a pair as one to play elsewhere, any other as a refusal of the campaign', async () => {
  const late = await ofMachine(Promise.reject(new Error('Caddy did not start.'))).catch(errorOfPair);
  expect(late).toMatchObject({ message: 'Caddy did not start.' });
  expect(exitCodeOf(late)).toBe(EXIT.notPlayed);
  const refused = new Error('c.json: /rules: Unknown rule.');
  expect(errorOfPair(refused)).toBe(refused);
  expect(exitCodeOf(refused)).toBe(EXIT.failed);
});
