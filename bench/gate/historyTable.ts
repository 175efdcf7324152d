import type { Change } from './changes.ts';
import type { PlayedChange, PlayedJudgement } from './playedChange.ts';
import type { Figure } from '../figure.ts';
import { markdownTable, textTable } from '../../node/textTable.ts';
import { metrics } from '../../src/analysis/metrics/registry.ts';
import { formatCount } from '../../src/shared/format.ts';
import { pick } from '../../src/shared/registry.ts';

/** A change with what its gate said. */
export interface HistoryRow {
  readonly change: Change;
  /** The result of the gate, or the sentence that says why it could not be played. */
  readonly result: PlayedChange | string;
}

type PlayedRow = HistoryRow & { readonly result: PlayedChange };

const KINDS: Readonly<Record<Change['kind'], string>> = {
  release: 'release',
  fault: 'fault',
  harmless: 'harmless',
  aa: 'A/A',
};

const VERDICTS: Readonly<Record<PlayedChange['verdict'], string>> = {
  regression: 'regression',
  'no-regression': 'no regression',
  'cannot-tell': 'cannot tell',
};

const HEAD = [
  ...['change', 'kind', 'expected', 'verdict', '', 'min', 'looks', 'pairs', 'decided by'],
  'changes (ratio)',
];

/** Count of the columns that have words; the columns after them have numbers. */
const TEXT_COLUMNS = 5;

/** Says whether a verdict is the expected one; empty where none was expected. */
export function assess({ expected }: Pick<Change, 'expected'>, verdict: PlayedChange['verdict']): string {
  if (expected === 'unknown') return '';
  if (expected === 'regression') return verdict === 'regression' ? 'found' : 'missed';
  return verdict === 'regression' ? 'false alarm' : 'right';
}

function formatExpected({ expected, metric }: Change): string {
  if (expected === 'unknown') return 'unknown';
  if (expected === 'no-regression') return 'no regression';
  return metric === null ? 'regression' : `regression (${pick(metrics, metric).label})`;
}

/** Names the metrics that decide the verdict: those that are worse, or those that are open; none where all are within. */
function decidedBy({ verdict, judgements }: PlayedChange): string {
  const state = { regression: 'regression', 'cannot-tell': 'open', 'no-regression': null } as const;
  const labels = judgements.filter((each) => each.state === state[verdict]).map(({ label }) => label);
  return labels.length === 0 ? '–' : labels.join(', ');
}

/** Formats the count of pairs that count, and the count of those left out because the machine was overloaded. */
const formatPairs = ({ pairs, leftOut }: PlayedChange): string =>
  leftOut === 0 ? String(pairs) : `${pairs} (${leftOut} left out)`;

function formatJudged({ label, change, ratio }: PlayedJudgement): string {
  return ratio === null ? `${label} ${change}` : `${label} ${change} (${ratio.toFixed(3)})`;
}

function rowOf({ change, result }: HistoryRow): string[] {
  const names = [change.id, KINDS[change.kind], formatExpected(change)];
  if (typeof result === 'string') return [...names, 'not played', '', '–', '–', '–', '–', result];
  const judged = result.judgements.filter(({ metric }) => metric !== 'plays' && metric !== 'load');
  return [
    ...[...names, VERDICTS[result.verdict], assess(change, result.verdict)],
    ...[result.minutes.toFixed(1), String(result.looks), formatPairs(result)],
    ...[decidedBy(result), judged.map(formatJudged).join('; ')],
  ];
}

/** Formats all changes and their gates' verdicts as a table of text. */
export const formatHistory = (rows: readonly HistoryRow[]): string =>
  textTable([HEAD, ...rows.map(rowOf)], { left: TEXT_COLUMNS, gap: '  ', indent: '' });

/** Formats all changes and their gates' verdicts as a Markdown page, which says what each change is. */
export function formatHistoryMarkdown(rows: readonly HistoryRow[], about: readonly string[]): string {
  return [
    '# Gates over history',
    '',
    ...about.flatMap((line) => [line, '']),
    markdownTable([HEAD, ...rows.map(rowOf)]),
    '',
    ...summarize(rows).map((line) => `- ${line}`),
    '',
    ...rows.map(({ change }) => `- \`${change.id}\`: ${change.label}`),
    '',
  ].join('\n');
}

const isPlayed = (row: HistoryRow): row is PlayedRow => typeof row.result !== 'string';

interface Counts {
  readonly played: number;
  readonly regressions: number;
  readonly open: number;
}

function countOf(rows: readonly HistoryRow[], expected: Change['expected']): Counts {
  const verdicts = rows
    .filter(isPlayed)
    .filter(({ change }) => change.expected === expected)
    .map(({ result }) => result.verdict);
  const count = (verdict: PlayedChange['verdict']): number =>
    verdicts.filter((each) => each === verdict).length;
  return { played: verdicts.length, regressions: count('regression'), open: count('cannot-tell') };
}

/** Summarizes the verdicts of the gates in one sentence for each kind of expectation. */
export function summarize(rows: readonly HistoryRow[]): string[] {
  const [faults, equal, unknown] = (['regression', 'no-regression', 'unknown'] as const).map((expected) =>
    countOf(rows, expected),
  ) as [Counts, Counts, Counts];
  const notPlayed = rows.filter((row) => !isPlayed(row)).length;
  return [
    `Seeded faults: ${faults.regressions} of ${faults.played} found; of ${faults.open} the gate could not tell.`,
    `Harmless changes and A/A gates: ${formatCount(equal.regressions, 'false alarm')} in ${formatCount(equal.played, 'gate')}; of ${equal.open} the gate could not tell.`,
    `Releases: ${unknown.regressions} of ${unknown.played} called a regression; of ${unknown.open} the gate could not tell.`,
    ...(notPlayed > 0 ? [`${formatCount(notPlayed, 'gate')} could not be played.`] : []),
  ];
}

/** Share of faults that a test of this power finds (research/gate.md: some 90 % at the margin; faults may be smaller). */
const MIN_FOUND_PERCENT = 80;

/** Returns the judged shares of regressions; a share is left out where no gate of its kind was played. */
export function historyFigures(rows: readonly HistoryRow[], alpha: number): Figure[] {
  const percentOf = ({ regressions, played }: Counts): number => (100 * regressions) / played;
  const [faults, equal] = [countOf(rows, 'regression'), countOf(rows, 'no-regression')];
  const found: Figure = {
    id: 'gate-history-found',
    label: `seeded faults found, of ${faults.played}`,
    unit: '%',
    value: percentOf(faults),
    interval: null,
    goalMax: null,
    goalMin: MIN_FOUND_PERCENT,
  };
  const alarms: Figure = {
    id: 'gate-history-alarms',
    label: `false alarms, of ${formatCount(equal.played, 'gate')}`,
    unit: '%',
    value: percentOf(equal),
    interval: null,
    goalMax: 100 * alpha,
  };
  return [...(faults.played > 0 ? [found] : []), ...(equal.played > 0 ? [alarms] : [])];
}
