import { formatCount } from '../../src/shared/format.ts';
import type { FinishedSessions, JudgedSessions } from './finishedSessions.ts';
import type { Metric } from '../../src/analysis/metrics/metric.ts';
import { metrics } from '../../src/analysis/metrics/registry.ts';
import { flaggedPairs, formatBusy } from '../verdict/flagged.ts';
import type { CampaignPlan, PlannedSession } from '../design/plan.ts';
import { sessionsToPlay } from '../design/variants.ts';
import { unitOf } from '../verdict/pairs.ts';
import { formatScope } from '../verdict/scope.ts';
import { rowPower } from '../verdict/rowPower.ts';
import { formatSurvivalLine, survivalsOf } from '../verdict/survival.ts';
import { verdicts, type VerdictRow } from '../verdict/verdicts.ts';
import { formatRobustness, formatVerdict } from '../verdict/formatVerdict.ts';
import { pick } from '../../src/shared/registry.ts';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { CodedError, EXIT } from '../../node/exitCodes.ts';
import { logDirOf } from '../../node/logFiles.ts';
import { failures } from '../design/failure.ts';
import { MachineFailure } from '../session/machineFailure.ts';
import { readFailures } from '../session/failureFile.ts';

/** A line for each declared comparison on the primary metric, from a campaign's finished sessions. */
export function formatVerdicts(plan: CampaignPlan, sessionsRead: JudgedSessions): string {
  const { campaign, sessions } = plan;
  const metric = pick<Metric>(metrics, campaign.primary);
  const { better } = metric;
  if (better === null)
    throw new Error(`${metric.id} has no better direction and cannot be the primary metric of a campaign`);
  const finished = [...sessionsRead];
  if (finished.length === 0) return 'no session is finished, so nothing is compared';
  const values = new Map(finished.map(([id, { figures }]) => [id, figures.get(metric.id)!.value]));
  const { flagged } = flaggedPairs(
    sessionsToPlay(plan),
    new Map(finished.map(([id, { flags }]) => [id, flags])),
  );
  const playbackHashes = new Map(
    finished.flatMap(([id, { playbackHash }]) =>
      playbackHash === null ? [] : [[id, playbackHash] as const],
    ),
  );
  const errors = new Map(
    finished.flatMap(([id, { figures }]) => {
      const { error } = figures.get(metric.id)!;
      return error === undefined ? [] : [[id, error] as const];
    }),
  );
  const censored = new Set(
    finished.flatMap(([id, { figures }]) => (figures.get(metric.id)!.lowerBound === true ? [id] : [])),
  );
  const judgedOf = (judged: CampaignPlan): VerdictRow[] =>
    verdicts(judged, values, {
      better,
      isPositive: metric.isPositive === true,
      flagged,
      playbackHashes,
      censored,
      clockErrors: { unit: metric.unit, bySession: errors },
    });
  const rows = judgedOf(plan);
  const survivals = survivalsOf(plan, rows, judgedOf);
  const own = sessions.flatMap(({ id }) => sessionsRead.get(id) ?? []);
  return [
    ...preliminary(sessions.length - own.length, sessions.length),
    `${metric.label} by ${unitOf(campaign)}s: Wilcoxon signed-rank (zeros as Pratt), Holm over ${rows.length}, bootstrap-t 95 % of the mean difference`,
    `about ${formatScope(plan, own)}`,
    ...(formatBusy(sessions, sessionsRead) === null
      ? []
      : ["the machine was busy in some of these sessions: a difference may be the machine's"]),
    ...rows.flatMap((row, index) => [
      ...formatRow(row, metric, campaign),
      ...survivals[index]!.map((each) => `      ${formatSurvivalLine(each, metric)}`),
    ]),
    'all other numbers in these tables are exploratory and give no verdict',
  ].join('\n');
}

/** The verdict, and below it what it hangs on. */
function formatRow(row: VerdictRow, metric: Metric, campaign: CampaignPlan['campaign']): string[] {
  const power = rowPower(campaign, row);
  const robustness = formatRobustness(
    {
      sensitivity: row.sensitivity,
      pairs: row.pairs,
      units: row.pairs.values.length,
      detectable: power.detectable,
      leaveOneOut: row.statistics?.leaveOneOut ?? null,
      resolution: row.statistics?.resolution ?? null,
    },
    metric.unit,
  );
  return [
    `  ${formatVerdict(row, metric, campaign, power)}`,
    ...(row.judgement === null || robustness === null ? [] : [`      ${robustness}`]),
  ];
}

/** Whoever stops when the numbers please finds differences that are not there. */
const preliminary = (missing: number, all: number): string[] =>
  missing > 0
    ? [
        `preliminary: ${missing} of ${all} sessions are not finished; do not decide by this verdict when to stop`,
      ]
    : [];

/** How many tries failed in a campaign's folder, and in which ways. */
export function formatFailures(outDir: string): string {
  const folder = logDirOf(outDir);
  const files = existsSync(folder)
    ? readdirSync(folder).filter((name) => name.endsWith('.failures.jsonl'))
    : [];
  const found = files.flatMap((name) => readFailures(path.join(folder, name)));
  const counts = failures
    .map(({ id, label }) => ({ label, count: found.filter(({ failure }) => failure === id).length }))
    .filter(({ count }) => count > 0);
  const sum = counts.reduce((total, { count }) => total + count, 0);
  if (sum === 0) return 'no try failed';
  const ways = counts.map(({ label, count }) => `${count} × ${label}`).join(', ');
  return `${formatCount(sum, 'try', 'tries')} failed: ${ways}`;
}

/** How many sessions of which cell showed no frame, and why: a line for each reason. None where all showed one. */
export function formatNotShown(
  { sessions, campaign }: Pick<CampaignPlan, 'sessions' | 'campaign'>,
  finished: FinishedSessions,
): readonly string[] {
  const counts = new Map<string, number>();
  for (const { id, design } of sessions) {
    const why = finished.get(id)?.whyNotPlayed ?? null;
    const line = `${design.cell}: ${why}`;
    if (why !== null) counts.set(line, (counts.get(line) ?? 0) + 1);
  }
  const sum = [...counts.values()].reduce((total, each) => total + each, 0);
  if (sum === 0) return [];
  return [
    campaign.transfers
      ? `${formatCount(sum, 'session')} downloaded nothing:`
      : `${formatCount(sum, 'session')} showed no frame:`,
    ...[...counts].sort().map(([line, count]) => `  ${count} × ${line}`),
  ];
}

/** Rules that keep one level by design. */
const KEEPS_ITS_LEVEL = /^(fixed|lowest)(:|$)/;
/** One session may be too short for a change. */
const MIN_SESSIONS = 4;

/**
 * A line for each rule that never changed its level: it may not fit the stream (thresholds beyond the buffer of a live
 * stream), and then no comparison of its arms says anything about bitrates.
 */
export function formatUnchanged(
  { sessions, campaign }: Pick<CampaignPlan, 'sessions' | 'campaign'>,
  finished: FinishedSessions,
): readonly string[] {
  if (campaign.transfers) return [];
  const switches = new Map<string, (number | null)[]>();
  for (const { id, rule } of sessions) {
    const found = finished.get(id)?.figures.get('switches');
    if (found) switches.set(rule, [...(switches.get(rule) ?? []), found.value]);
  }
  return [...switches]
    .filter(([rule]) => !KEEPS_ITS_LEVEL.test(rule))
    .filter(([, counts]) => counts.length >= MIN_SESSIONS && counts.every((count) => count === 0))
    .map(
      ([rule, { length }]) =>
        `note: ${rule} never changed its level in ${length} sessions, so its bitrates say nothing about the networks; its reasons in one session tell why`,
    );
}

/** What came of a pair that was played alone. */
export interface PairOutcome {
  readonly lines: readonly string[];
  /** Whether the machine was the bottleneck in one of its sessions: the pair is then left out. */
  readonly isInvalidated: boolean;
}

/** A line for the pair, and one for each of its sessions that is not as it should be. */
export function formatPair(
  sessions: readonly PlannedSession[],
  finished: FinishedSessions,
  name: string,
): PairOutcome {
  const played = sessions.flatMap(({ id, design }) => {
    const found = finished.get(id);
    return found ? [{ arm: design.arm, ...found }] : [];
  });
  const invalidated = played.filter(({ flags }) => flags.length > 0);
  const isTransfer = sessions.some(({ transfer }) => transfer !== undefined);
  return {
    lines: [
      `${name}: ${played.length} of ${formatCount(sessions.length, 'session')} played`,
      ...invalidated.map(({ arm, flags }) => `  ${arm}: invalidated: ${flags.join(' ')}`),
      ...played.flatMap(({ arm, whyNotPlayed }) =>
        whyNotPlayed === null
          ? []
          : [`  ${arm}: ${isTransfer ? 'downloaded nothing' : 'showed no frame'}: ${whyNotPlayed}`],
      ),
    ],
    isInvalidated: invalidated.length > 0,
  };
}

/**
 * The exit code for a pair that was played with `code`: whether another try may do better, here or on another machine, is
 * more to a scheduler than that a session showed no frame. A campaign that is refused does not come this far.
 */
export function codeOfPair(code: number, { isInvalidated }: Pick<PairOutcome, 'isInvalidated'>): number {
  if (code === EXIT.failed) return EXIT.notPlayed;
  return isInvalidated && (code === EXIT.done || code === EXIT.notShown) ? EXIT.invalidated : code;
}

/** An error that ended the run of a pair: what this machine could not do now says nothing against the campaign. */
export const errorOfPair = (error: unknown): unknown =>
  error instanceof MachineFailure ? new CodedError(EXIT.notPlayed, error.message) : error;
