import type { GateOutcome } from './runGate.ts';
import { element } from '../../lab/content/xml.ts';
import { markdownTable, textTable } from '../../node/textTable.ts';
import { formatRareFault, formatRuledOut } from '../verdict/formatRare.ts';
import type { Gate } from '../design/gateFile.ts';
import { formatDuration } from '../design/campaignDuration.ts';
import { metricNumber } from '../runner/metricCells.ts';
import type { GateJudgement, GateVerdict } from '../verdict/gateVerdict.ts';
import type { Metric } from '../../src/analysis/metrics/metric.ts';
import {
  formatCount,
  formatInteger,
  formatNumber,
  formatSigned,
  formatUnit,
} from '../../src/shared/format.ts';

/** What a gate says, in words. */
const VERDICTS: Readonly<Record<Exclude<GateVerdict, 'open'>, string>> = {
  'no-regression': 'no regression beyond the margins',
  regression: 'regression',
  'cannot-tell': 'cannot tell',
};

const STATES = { within: 'within', regression: 'regression', open: 'cannot tell' } as const;

type Shown = Pick<
  GateOutcome,
  | 'verdict'
  | 'judgements'
  | 'base'
  | 'next'
  | 'looks'
  | 'elapsedMs'
  | 'scope'
  | 'countedOn'
  | 'flagged'
  | 'flaggedLines'
  | 'notPlayed'
  | 'begun'
  | 'gate'
>;

/** The verdict in one line: what was found, of what, against what. */
export function formatHeadline(shown: Shown): string {
  const { verdict, judgements, base, next, gate, looks } = shown;
  if (isTooBusy(shown))
    return `cannot tell: this machine is too busy, ${shown.flagged} of ${formatCount(shown.begun, 'pair')} left out (${next} against ${base})`;
  const word = VERDICTS[verdict === 'open' ? 'cannot-tell' : verdict];
  const asked = {
    'no-regression': null,
    regression: 'regression',
    'cannot-tell': 'open',
    open: 'open',
  } as const;
  const which = judgements
    .filter(({ state }) => state === asked[verdict])
    .map((each) => formatFinding(each, gate));
  // A gate that ends early, because a metric has no value, has not used its budget up.
  const isUsedUp = verdict === 'cannot-tell' && looks.at(-1)?.share === 1;
  const budget = isUsedUp ? ` within the budget of ${gate.minutes} min` : '';
  const findings = which.length === 0 ? '' : `: ${which.join('; ')}`;
  return `${word}${budget}${findings} (${next} against ${base})`;
}

/** Where most pairs are left out, that is the reason, and not what the others show. */
export const isTooBusy = ({
  verdict,
  flagged,
  begun,
}: Pick<Shown, 'verdict' | 'flagged' | 'begun'>): boolean =>
  (verdict === 'cannot-tell' || verdict === 'open') && flagged > 0 && 2 * flagged >= begun;

function formatFinding(judgement: GateJudgement, { alpha }: Pick<Gate, 'alpha'>): string {
  const change = formatChange(judgement);
  const { metric, margin, onlyBase, onlyNext, rare, state } = judgement;
  const isRare = state === 'open' && rare !== null && rare.pairs > 0 && !rare.isShown;
  const fault = isRare ? formatRareFault({ metric, rare }, alpha) : '';
  // What did not play is counted in the same sentence.
  if (metric === null) return isRare ? fault : formatCounts(judgement);
  const missing = onlyBase > onlyNext ? `, without a value of NEW in ${formatCount(onlyBase, 'pair')}` : '';
  const [cutBase, cutNext] = judgement.censored;
  const cut =
    cutBase === cutNext
      ? ''
      : `, “at least” in ${formatCount(cutNext, 'session')} of NEW, ${cutBase} of BASE`;
  const clocks = state === 'open' ? formatClocks(judgement) : '';
  const known = change === '–' ? '' : ` ${change}, margin ${margin}`;
  const found = `${metric.label}${known}${missing}${cut}${clocks}`;
  return isRare ? `${found}, ${fault}` : found;
}

function formatClocks({ metric, clockError }: GateJudgement): string {
  if (clockError === 0) return '';
  const unit = formatUnit(metric!.unit);
  return clockError === null
    ? ', by clocks that nobody knows the error of'
    : `, by clocks that may be ${formatNumber(clockError, 0)}${unit} off together`;
}

function formatCounts({ about, base, next, pairs }: GateJudgement): string {
  if (pairs === 0) return 'no pair counts';
  if (about === 'plays' && !base && !next) return 'all sessions of both played';
  const of = `${formatCount(next ?? 0, 'session')} of NEW`;
  return about === 'plays'
    ? `${of} did not play or crashed, ${base ?? 0} of BASE`
    : `${of} overloaded the machine or began late, ${base ?? 0} of BASE: those that are left are the better ones`;
}

/** With its sign and unit: `+3.1 %`, `−120 ms`; percentage points for a metric that is itself in %. */
export function formatChange({ metric, change, isPercent }: GateJudgement): string {
  if (change === null) return '–';
  if (metric === null) return formatSigned(change);
  if (isPercent) return `${formatSigned(change, 1)} %`;
  return `${formatSigned(change, decimalsOf(metric))}${formatUnit(metric.unit)}`;
}

/** Without its unit, which stands at the name of the metric. */
function formatInterval({ metric, interval, isPercent }: GateJudgement): string {
  if (interval === null || metric === null) return '–';
  const [from, to] = interval.map((end) => formatSigned(end, isPercent ? 1 : decimalsOf(metric)));
  return `${from} to ${to}`;
}

/** A change of a share is smaller than the share. */
const decimalsOf = ({ decimals, unit }: Metric): number => decimals ?? (unit === '%' ? 2 : 0);

const HEAD = ['', 'BASE', 'NEW', 'change', '95 %', 'margin', ''];

/** Changes and margins in % have their sign; the others are in the unit of the metric, or in percentage points of one in %. */
function rowOf(judgement: GateJudgement): string[] {
  const { metric, base, next, change, margin, isPercent, state } = judgement;
  if (metric === null) return countRow(judgement);
  const name = metric.unit === '' ? metric.label : `${metric.label}, ${metric.unit}`;
  return [
    ...[name, formatMean(metric, base), formatMean(metric, next)],
    change === null || isPercent ? formatChange(judgement) : formatSigned(change, decimalsOf(metric)),
    ...[formatInterval(judgement), isPercent ? margin! : margin!.split(/\s/)[0]!, STATES[state]],
  ];
}

const COUNTED = {
  plays: 'did not play or crashed',
  load: 'machine too busy',
  metric: '',
} as const satisfies Record<GateJudgement['about'], string>;

/** NEW may have more of them than BASE and still pass if chance explains the difference. */
function countRow(judgement: GateJudgement): string[] {
  const { about, state } = judgement;
  const [base, next] = [judgement.base ?? 0, judgement.next ?? 0];
  const within = next > base ? 'may be chance' : 'no more';
  return [
    ...[COUNTED[about], String(base), String(next)],
    ...[formatChange(judgement), '–', '–', state === 'within' ? within : STATES[state]],
  ];
}

const formatMean = (metric: Metric, value: number | null): string =>
  value === null ? '–' : metricNumber(metric, value);

/** Metrics that some pairs have no value of; none where all have all. */
function formatLacking(judgements: readonly GateJudgement[], pairs: number): string[] {
  const lacking = judgements.flatMap(({ metric, pairs: found }) =>
    metric !== null && found < pairs ? [`${metric.label} ${formatInteger(found)}`] : [],
  );
  const never = judgements.flatMap(({ metric, pairs: found }) =>
    metric !== null && found === 0 && pairs > 0
      ? [`No pair has a value of ${metric.label}: ${metric.unknown}.`]
      : [],
  );
  return lacking.length === 0 ? [] : [`Pairs with a value in both arms: ${lacking.join(', ')}.`, ...never];
}

/** Where the pairs that are left are not spread evenly, the means are of some networks more than of others. */
function formatSpread(countedOn: ReadonlyMap<string, number>): string[] {
  if (new Set(countedOn.values()).size < 2) return [];
  const counts = [...countedOn].map(([place, pairs]) => `${place} ${pairs === 0 ? 'none' : pairs}`);
  return [`Pairs that count: ${counts.join('; ')}.`];
}

/** Pairs that count: for the load of the machine the others do, too. */
export const countedPairs = (judgements: readonly GateJudgement[]): number =>
  Math.max(0, ...judgements.filter(({ about }) => about !== 'load').map(({ pairs }) => pairs));

/** What the verdict is about, and what it does not say. */
function formatLimits(shown: Shown): string[] {
  const { judgements, looks, elapsedMs, scope, countedOn, flagged, begun, notPlayed, gate } = shown;
  const pairs = countedPairs(judgements);
  const left =
    flagged > 0 && !isTooBusy(shown)
      ? `; ${flagged} of ${formatCount(begun, 'pair')} left out, because the machine was overloaded`
      : '';
  const lost =
    notPlayed > 0
      ? [`The lab could not play ${formatCount(notPlayed, 'more pair')}, which count for neither side.`]
      : [];
  const played = `${formatCount(pairs, 'pair')}, ${formatCount(looks.length, 'look')}, ${formatDuration(elapsedMs)}`;
  // Without a pair that counts there is nothing that limits could be of.
  if (pairs === 0) return [`${played}.`, ...lost, ...(isTooBusy(shown) ? [BUSY_ADVICE] : [])];
  return [
    `${played}; alpha ${gate.alpha} for each of the two errors${left}.`,
    ...formatLacking(judgements, pairs),
    ...lost,
    `About ${scope}.`,
    ...formatSpread(countedOn),
    'All pairs were played in one go: nothing here tells how another hour, day or machine would differ.',
    'Margins are for means over these networks and contents together.',
    ...formatRuledOut(judgements, gate),
    'Intervals and bounds of shares are as if nobody had looked before; the verdict allows for every look.',
  ];
}

const BUSY_ADVICE =
  'More minutes do not help: let nothing else run on this machine, or play fewer pairs at once (--workers).';

/** The result as text of at most 80 columns where names allow it; its first line is the verdict. */
export function formatText(outcome: Shown): string {
  return [
    formatHeadline(outcome),
    '',
    textTable([HEAD, ...outcome.judgements.map(rowOf)], { left: 1, gap: '  ', indent: '' }),
    '',
    ...formatLimits(outcome).flatMap((line) => wrap(line)),
    ...(outcome.flaggedLines === '' ? [] : ['', outcome.flaggedLines]),
  ].join('\n');
}

const COLUMNS = 80;

function wrap(text: string): string[] {
  const lines: string[] = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1)!;
    if (line === '') lines[lines.length - 1] = word;
    else if (line.length + 1 + word.length <= COLUMNS) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(`  ${word}`);
  }
  return lines;
}

/** The result for a pull request. */
export function formatMarkdown(outcome: Shown): string {
  return [
    `### Pitwall gate: ${VERDICTS[outcome.verdict === 'open' ? 'cannot-tell' : outcome.verdict]}`,
    '',
    `${escaped(formatHeadline(outcome))}`,
    '',
    markdownTable([HEAD, ...outcome.judgements.map(rowOf)]),
    '',
    ...formatLimits(outcome).map((line) => `- ${escaped(line)}`),
    '',
  ].join('\n');
}

/** Names come from the command line: no part of them is markup. */
const escaped = (text: string): string => text.replace(/[\\`*_<>[\]#|]/g, (character) => `\\${character}`);

const seconds = (ms: number): string => (ms / 1000).toFixed(1);

/**
 * The result as JUnit XML (the schema of Jenkins' xUnit plug-in): a test case for each thing that is judged. A regression is a
 * failure; what cannot be told is an error, as a check that could not be made has not been passed. Sentences stand in `message` and
 * as content, because GitLab shows the content alone (docs.gitlab.com/ci/testing/unit_test_reports). The names of suite and cases are the
 * same in every run: by them a server knows what failed before. All cases come of the same pairs, so that each has a share of the time.
 */
export function formatJunit(outcome: Shown): string {
  const { judgements, elapsedMs, base, next } = outcome;
  // Where a regression ended the gate early, the others are not to blame for what they do not know yet.
  const isCut = outcome.verdict === 'regression';
  const count = (state: GateJudgement['state']): number =>
    judgements.filter((each) => each.state === state).length;
  const counts = {
    tests: judgements.length,
    failures: count('regression'),
    errors: isCut ? 0 : count('open'),
    skipped: isCut ? count('open') : 0,
    time: seconds(elapsedMs),
  };
  const verdict = formatHeadline(outcome);
  const properties = Object.entries({ verdict, base, next }).map(([name, value]) =>
    element('property', { name, value }),
  );
  const suite = element('testsuite', { name: 'pitwall gate', ...counts }, [
    element('properties', {}, properties),
    ...judgements.map((judgement) => junitCase(judgement, outcome, isCut)),
    element('system-out', {}, verdict),
  ]);
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element('testsuites', {}, [suite])}\n`;
}

function junitCase(judgement: GateJudgement, outcome: Shown, isCut: boolean): string {
  const { gate, judgements, elapsedMs } = outcome;
  const { state, metric, about, pairs } = judgement;
  const interval = judgement.interval === null ? [] : [`95 % ${formatInterval(judgement)}`];
  const found = [formatFinding(judgement, gate), ...interval, formatCount(pairs, 'pair')];
  const message = isTooBusy(outcome) ? 'this machine is too busy' : found.join('; ');
  const kind = state === 'regression' ? 'failure' : isCut ? 'skipped' : 'error';
  const attributes = {
    classname: 'pitwall.gate',
    name: metric?.id ?? about,
    time: seconds(elapsedMs / judgements.length),
  };
  return element('testcase', attributes, [
    ...(state === 'within' ? [] : [element(kind, { message }, message)]),
    ...formatRuledOut([judgement], gate).map((line) => element('system-out', {}, line)),
  ]);
}
