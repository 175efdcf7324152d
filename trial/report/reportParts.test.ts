import { describe, expect, it } from 'vitest';
import type { AssignmentRow, FieldSession, TrialData } from '../design/fieldSession.ts';
import { startingTrial } from '../design/startingTrial.ts';
import type { Trial } from '../design/trialFile.ts';
import { columnsOf, type TrialColumns } from '../tell/trialColumns.ts';
import { trialReport } from '../tell/trialReport.ts';
import { formatHtml, formatMarkdown } from './formatReport.ts';
import { reportParts } from './reportParts.ts';

const trial = startingTrial('salt of the report test');
const START_MS = Date.UTC(2026, 0, 5, 0, 30);
const HOUR_MS = 3_600_000;

const session = (index: number, more: Partial<FieldSession> = {}): FieldSession => ({
  session: `s${index}`,
  viewer: null,
  network: `n${index}`,
  arm: index % 2 === 0 ? 'h3' : 'tcp',
  startedMs: START_MS + index * HOUR_MS,
  receivedMs: START_MS + index * HOUR_MS,
  joinMs: 500,
  playedMs: 100_000,
  // h3 stalls 1 to 3 %, TCP 5 to 7 %.
  stalledMs: 1000 * ((index % 2 === 0 ? 1 : 5) + (index % 3)),
  stalls: 1,
  bitrateKbps: 3000,
  errors: 0,
  h3Bytes: index % 2 === 0 ? 100 : 0,
  tcpBytes: index % 2 === 0 ? 0 : 100,
  pathway: null,
  networkClass: null,
  ...more,
});

const dataOf = (sessions: readonly FieldSession[], more: Partial<TrialData> = {}): TrialColumns =>
  columnsOf({ sessions, assignments: [], switches: [], ...more });
const sessions = Array.from({ length: 200 }, (_, index) => session(index));
const assigned = (row: FieldSession): AssignmentRow => ({
  atMs: row.receivedMs,
  session: row.session,
  viewer: null,
  arm: row.arm!,
  period: null,
});
const linesOf = (data: TrialColumns, id: string, of: Trial = trial): string =>
  reportParts(trialReport(of, data))
    .find((part) => part.id === id)!
    .lines.join('\n');

describe('the verdict', () => {
  it('says direction and relevance, in the words of all verdicts', () =>
    expect(linesOf(dataOf(sessions), 'verdict')).toMatch(
      /^h3 against tcp, rebuffer rate: −3\.[67]\d? percentage points \(95 % −.* to −.*, at any look; 100 and 100 sessions in 200 clusters\): lower \(better\), beyond the margin of 0\.2 percentage points; first shown on day 4\.\n/,
    ));

  it.each([
    ['30 sessions', sessions.slice(0, 30), 'An arm has fewer than 40 viewers with a value'],
    [
      'one session of h3',
      sessions.filter(({ arm }, index) => arm === 'tcp' || index === 0),
      'An arm has fewer than 40 viewers with a value',
    ],
    [
      'sessions that are all alike',
      sessions.map((row) => ({ ...row, stalledMs: 0 })),
      'All sessions of an arm have one value',
    ],
    [
      'one session that stalls',
      sessions.map((row, index) => ({ ...row, stalledMs: index === 0 ? 50_000 : 0 })),
      'A few viewers make nearly all of the spread',
    ],
  ])('waits for more than %s', (_, rows, why) => {
    const text = linesOf(dataOf(rows), 'verdict');
    expect(text).toContain(`h3 against tcp, rebuffer rate: no verdict. ${why}`);
  });

  it('is of the sessions up to the last look, and says how many began later', () => {
    const late = Array.from({ length: 100 }, (__, index) =>
      session(index + 1000, { receivedMs: START_MS + (20 * 24 + index) * HOUR_MS }),
    );
    const text = linesOf(dataOf([...sessions, ...late]), 'verdict');
    expect(text).toMatch(/100 and 100 sessions in 200 clusters/);
    expect(text).toMatch(/\n100 sessions that began after day 14 are not judged/);
    expect(linesOf(dataOf(sessions), 'verdict')).not.toMatch(/not judged/);
  });

  it('is withheld where one arm loses its beacons', () => {
    const lossy = sessions.filter(({ arm }, index) => arm === 'tcp' || index % 4 === 0);
    const data = dataOf(lossy, { assignments: sessions.map(assigned) });
    expect(linesOf(data, 'verdict')).toMatch(
      /: no verdict\. The arms do not have the sessions that they should have/,
    );
    expect(linesOf(data, 'ratios')).toMatch(
      /^Mismatch: .*\nassigned as the shares say: p = 1; .*equally likely to report: p < 0\.0001\.$/,
    );
  });

  it('is not withheld because one viewer in many never reports', () => {
    // A hundred viewers of ten sessions; of each arm some report nothing, as one whole.
    const rows = Array.from({ length: 1000 }, (_, index) => {
      const viewer = Math.floor(index / 10);
      return session(index, {
        viewer: `v${viewer}`,
        network: `n${viewer}`,
        arm: viewer % 2 === 0 ? 'h3' : 'tcp',
        receivedMs: START_MS + (index * HOUR_MS) / 5,
      });
    });
    const assignments = rows.map((row) => ({ ...assigned(row), viewer: row.viewer }));
    const silent = ['v0', 'v2', 'v4', 'v6', 'v8'];
    const reported = rows.filter(({ viewer }) => !silent.includes(viewer!));
    const of: Trial = { ...trial, unit: { kind: 'viewer' } };
    const { ratios } = trialReport(of, dataOf(reported, { assignments }));
    expect(ratios.reportingShares).toEqual(
      new Map([
        ['tcp', 1],
        ['h3', 0.9],
      ]),
    );
    // Of independent sessions p would be 4 · 10⁻¹³.
    expect(ratios.reportingP).toBeGreaterThan(0.01);
    expect(ratios.isMismatch).toBe(false);
  });

  it('has a warning where an arm has fewer values, and where arms share networks', () => {
    const some = sessions.map((row, index) =>
      index % 8 === 0
        ? { ...row, joinMs: null, playedMs: 0, stalledMs: 0 }
        : { ...row, network: 'one', receivedMs: START_MS + index * 60_000 },
    );
    const text = linesOf(dataOf(some), 'verdict');
    expect(text).toMatch(/Warning: 25 sessions of h3 and 0 of tcp have no value of rebuffer rate/);
    expect(text).toMatch(/Warning: 88 % of the sessions had a session of another arm on the same network/);
  });
});

it.each([
  [0.05, '95 %'],
  [0.025, '97.5 %'],
  [0.001, '99.9 %'],
  [0.0005, '99.95 %'],
])('an alpha of %d has a confidence of %s', (alpha, words) =>
  expect(
    linesOf(dataOf(sessions), 'verdict', { ...trial, stopping: { ...trial.stopping, alpha } }),
  ).toContain(`(${words} −`),
);

describe('what does not count', () => {
  it('is a session that the server never assigned, where it has assigned others', () => {
    const data = dataOf(sessions, { assignments: sessions.slice(0, 180).map(assigned) });
    expect(linesOf(data, 'limits')).toMatch(
      /^180 sessions counted; left out: 20 that the server never assigned\.\n/,
    );
    expect(linesOf(data, 'verdict')).toMatch(/Warning: 20 sessions \(10 %\) reported an id that/);
    const none = dataOf(sessions, { assignments: [assigned(session(9000))] });
    expect(linesOf(none, 'verdict')).toMatch(/no verdict[^]*Warning: 200 sessions \(100 %\) reported an id/);
  });

  it('is counted by its reason, and repeated beacons replace each other', () => {
    const data = dataOf(
      [...sessions, session(0, { stalledMs: 0 }), session(500, { arm: null, receivedMs: START_MS })],
      {
        switches: [
          { atMs: START_MS + 150.5 * HOUR_MS, killed: true },
          { atMs: START_MS + 160.5 * HOUR_MS, killed: false },
        ],
      },
    );
    expect(linesOf(data, 'limits')).toMatch(
      /^190 sessions counted; left out: 1 repeated beacons, 1 without a known arm, 10 begun while the kill switch was on\.\n/,
    );
  });

  it('is what begins soon after a switch of periods; pairs of periods are the clusters', () => {
    const unit = { kind: 'switchback', periodMinutes: 60, washoutMinutes: 20 } as const;
    const more = Array.from({ length: 200 }, (_, index) =>
      session(index + 1000, { receivedMs: START_MS + index * HOUR_MS - 15 * 60_000 }),
    );
    const text = linesOf(dataOf([...sessions, ...more]), 'verdict', { ...trial, unit });
    expect(text).toMatch(/100 and 100 sessions in 100 clusters/);
    expect(linesOf(dataOf([...sessions, ...more]), 'limits', { ...trial, unit })).toMatch(
      /200 begun soon after a switch of periods/,
    );
  });

  it('counts as assigned and not as ridden, and says who fell back', () => {
    const blocked = sessions.map((row, index) =>
      index % 10 === 0 ? { ...row, h3Bytes: 0, tcpBytes: 100, stalledMs: 20_000 } : row,
    );
    const report = trialReport(trial, dataOf(blocked));
    expect(report.adherence).toMatchObject([
      { arm: 'tcp', h3SessionShare: 0 },
      { arm: 'h3', h3SessionShare: 0.8, h3ByteShare: 0.8 },
    ]);
    expect(report.primary[0]!.estimate!.rows).toEqual({ treated: 100, control: 100 });
    expect(report.naive.estimate!.rows).toEqual({ treated: 80, control: 120 });
    expect(linesOf(dataOf(blocked), 'naive')).toMatch(
      /Reason: 20 sessions \(17 % of the rows over TCP\) were assigned h3 and could not use it\. Their mean is 17 %, against 5\.7 %/,
    );
  });
});

it('writes no name as markup', () => {
  const arms = trial.arms.map((arm) => (arm.pathway === 'h3' ? { ...arm, pathway: '<b>*x*' } : arm));
  const report = trialReport(
    { ...trial, arms },
    dataOf(sessions.map((row) => ({ ...row, arm: row.arm === 'h3' ? '<b>*x*' : 'tcp' }))),
  );
  expect(formatHtml(report, '')).not.toContain('<b>');
  expect(formatMarkdown(report)).toContain('\\<b\\>\\*x\\*');
});
