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
      /^h3 against tcp, rebuffer rate: −3\.[67]\d? percentage points \(95 % −.* to −.*, at any look; 100 and 100 sessions in 200 clusters\): lower \(better\), beyond the margin of 0\.2 percentage points; first shown on day 2\.\n/,
    ));

  it('waits for enough clusters', () =>
    expect(linesOf(dataOf(sessions.slice(0, 30)), 'verdict')).toMatch(
      /^h3 against tcp, rebuffer rate: no verdict\. Fewer than 40 viewers have a value/,
    ));

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

describe('what does not count', () => {
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
