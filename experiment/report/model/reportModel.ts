import { cellTable, sessionTable, steeringTable } from './metricTables.ts';
import { designFacts, questionOf, type Fact } from './design.ts';
import { exploratoryTable } from './exploratoryTable.ts';
import { fairnessOf, type Fairness } from './fairnessOf.ts';
import { ranTable } from './ranTable.ts';
import { aaTable } from './aaTable.ts';
import { blockTable } from './blockEffects.ts';
import { triesTable } from './triesTable.ts';
import { thesisTables } from './thesisTables.ts';
import { verdictLines, type VerdictLine } from './verdictLines.ts';
import { variantTables, type VariantTables } from './variantTables.ts';
import { warningsOf } from './warningsOf.ts';
import type { ReportFigure } from '../figures/figure.ts';
import { figureMakers } from '../figures/registry.ts';
import type { RegistrationReport } from '../registered.ts';
import { allSessions, type ReportSource } from '../reportSource.ts';
import type { ReportTable } from '../reportTable.ts';
import type { Metric } from '../../../src/analysis/metrics/metric.ts';
import { metrics } from '../../../src/analysis/metrics/registry.ts';
import type { CampaignFile } from '../../design/campaignFile.ts';
import { pick } from '../../../src/shared/registry.ts';
import { formatScope } from '../../verdict/scope.ts';
import { formatDuration } from '../../design/campaignDuration.ts';
import { formatCount } from '../../../src/shared/format.ts';
import { isSimulated } from '../../../src/telemetry/isSimulated.ts';

/** A whole report, before it is written as HTML, Markdown, JSON or CSV. */
export interface ReportModel {
  readonly schema: 'pitwall-report/1';
  readonly campaign: CampaignFile;
  readonly primary: Pick<Metric, 'id' | 'label' | 'unit' | 'better' | 'meaning' | 'paper'>;
  readonly question: string;
  readonly design: readonly Fact[];
  /** Registration of the campaign; absent where all sessions are simulated. */
  readonly registration?: RegistrationReport;
  readonly counts: Counts;
  /** What a reader must know before any number. */
  readonly warnings: readonly string[];
  readonly ran: ReportTable;
  /** Table of how far two sessions of the same arm differ; absent without A/A sessions or labels. */
  readonly aa?: ReportTable;
  /** Table of blocks; absent in a campaign without blocks. */
  readonly blocks?: ReportTable;
  /** Table of pathways; absent where nothing chose between them. */
  readonly steering?: ReportTable;
  /** Table of tries; absent where no try failed. */
  readonly tries?: ReportTable;
  readonly fairness: Fairness;
  /** Sentences of whoever ran the campaign. */
  readonly notes: readonly string[];
  /** Phrase on what was sampled, and so what all verdicts are about. */
  readonly scope: string;
  readonly verdicts: readonly VerdictLine[];
  readonly exploratory: ReportTable;
  readonly cells: ReportTable;
  readonly figures: readonly ReportFigure[];
  /** Labels of figures for which these sessions have nothing. */
  readonly undrawn: readonly string[];
  readonly thesis: readonly ReportTable[];
  readonly sessions: ReportTable;
  /** Tables of variants, apart from all others; absent where the campaign names none. */
  readonly variants?: readonly VariantTables[];
  /** Ids of the sessions that have a log. */
  readonly finished: readonly string[];
}

interface Counts {
  readonly planned: number;
  readonly finished: number;
  /** Number of sessions that are finished and in no invalidated pair: the data of figures and verdicts. */
  readonly used: number;
  readonly pairs: number;
  readonly comparisons: number;
  /** Time from the beginning of each log to its end, summed over all finished sessions, ms. */
  readonly recordedMs: number;
  /** First and last beginning of a played session; null where all are simulated. */
  readonly firstUnixMs: number | null;
  readonly lastUnixMs: number | null;
}

/** Makes the report of a source. An equal source gives an equal report, byte for byte. */
export function reportModel(source: ReportSource): ReportModel {
  const { campaign } = source.plan;
  const metric = pick<Metric>(metrics, campaign.primary);
  const { id, label, unit, better, meaning, paper } = metric;
  const tries = triesTable(source);
  const blocks = blockTable(source, metric);
  const aa = aaTable(source, metric);
  const steering = steeringTable(source);
  const lines = better === null ? [] : verdictLines(source, { ...metric, better });
  return {
    schema: 'pitwall-report/1',
    campaign,
    primary: { id, label, unit, better, meaning, paper },
    question: questionOf(campaign, metric),
    design: designFacts(source.plan, metric),
    ...(source.registration && { registration: source.registration }),
    counts: countsOf(source, lines.length),
    warnings: warningsOf(source),
    ran: ranTable(source),
    ...(tries && { tries }),
    ...(aa && { aa }),
    ...(blocks && { blocks }),
    ...(steering && { steering }),
    fairness: fairnessOf(source),
    notes: source.notes,
    scope: formatScope(source.plan, allSessions(source)),
    verdicts: lines,
    exploratory: exploratoryTable(source, id),
    cells: cellTable(source, id),
    ...drawn(source),
    thesis: thesisTables(source),
    sessions: sessionTable(source),
    ...(source.variants && {
      variants: source.variants.map((variant) => variantTables(variant, metric)),
    }),
    finished: allSessions(source).map((session) => session.id),
  };
}

function drawn(source: ReportSource): Pick<ReportModel, 'figures' | 'undrawn'> {
  const makers = figureMakers.filter((maker) => maker.applies?.(source) !== false);
  const made = makers.map((maker) => {
    const found = source.sessions.length === 0 ? null : maker.draw(source);
    return { label: maker.label, figures: found === null ? [] : [found].flat() };
  });
  return {
    figures: made.flatMap(({ figures }) => figures),
    undrawn: made.flatMap(({ label, figures }) => (figures.length === 0 ? [label] : [])),
  };
}

function countsOf(source: ReportSource, comparisons: number): Counts {
  const { plan, sessions, aaSessions } = source;
  const finished = allSessions(source);
  const begun = finished
    .filter((session) => !isSimulated(session))
    .map(({ startedAtUnixMs }) => startedAtUnixMs)
    .sort((a, b) => a - b);
  return {
    planned: plan.sessions.length,
    finished: finished.length,
    used: sessions.length + aaSessions.length,
    pairs: new Set(sessions.map(({ design }) => design.pair)).size,
    comparisons,
    recordedMs: finished.reduce((sum, { lengthMs }) => sum + lengthMs, 0),
    firstUnixMs: begun[0] ?? null,
    lastUnixMs: begun.at(-1) ?? null,
  };
}

/** Formats how much a report stands on, in one line. */
export function formatCounts({ counts }: Pick<ReportModel, 'counts'>): string {
  const { planned, finished, used, pairs, comparisons, recordedMs, firstUnixMs, lastUnixMs } = counts;
  const part = used === finished ? '' : `, ${used} of them used`;
  return [
    `${formatCount(finished, 'session')} of ${planned} finished${part}`,
    formatCount(pairs, 'pair'),
    formatCount(comparisons, 'comparison'),
    `${formatDuration(recordedMs)} recorded`,
    ...(firstUnixMs === null || lastUnixMs === null ? [] : [`played ${days(firstUnixMs, lastUnixMs)}`]),
  ].join(' · ');
}

/** Formats the days of a campaign in UTC: the same wherever the report is made. */
function days(firstUnixMs: number, lastUnixMs: number): string {
  const [first, last] = [firstUnixMs, lastUnixMs].map((ms) => new Date(ms).toISOString().slice(0, 10));
  return first === last ? `on ${first}` : `${first} to ${last}`;
}

/** What a campaign found, for the first lines of its report. */
interface Answer {
  /** A claim for each comparison, in the order in which they were declared: none is picked for what it says. */
  readonly claims: readonly string[];
  /** How many claims were left out. */
  readonly more: number;
  /** What the claims are about, as in "10 repeats of one network on one machine". */
  readonly scope: string;
}

const MAX_CLAIMS = 4;

export function answerOf({ verdicts, scope }: Pick<ReportModel, 'verdicts' | 'scope'>): Answer {
  const claims = verdicts.map(({ sentence }) => splitSentence(sentence)[0]!);
  if (claims.length === 0) claims.push('No comparison is declared, so there is no verdict.');
  return { claims: claims.slice(0, MAX_CLAIMS), more: Math.max(0, claims.length - MAX_CLAIMS), scope };
}

/** The claim of a verdict's sentence, and the numbers behind it. */
export function splitSentence(sentence: string): readonly string[] {
  const place = sentence.search(/, (?:difference|95 %)|\. /);
  if (place < 0) return [sentence];
  const rest = sentence.slice(place + 2);
  return [`${sentence.slice(0, place)}.`, `${rest.charAt(0).toUpperCase()}${rest.slice(1)}`];
}
