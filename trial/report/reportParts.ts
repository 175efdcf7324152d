import { formatStatements } from '../../experiment/verdict/formatVerdict.ts';
import { formatMargin } from '../../experiment/verdict/margin.ts';
import {
  decimalsOf,
  formatConfidence,
  formatCount,
  formatInteger,
  formatNumber,
  formatP,
  formatPercent,
  formatSigned,
  formatUnit,
} from '../../src/shared/format.ts';
import type { Interval } from '../../src/analysis/statistics/intervals.ts';
import { pick } from '../../src/shared/registry.ts';
import { trialMetrics, type TrialMetric } from '../design/trialMetrics.ts';
import { limitsOf } from '../tell/designPage.ts';
import type { Effect, JudgedEffect } from '../tell/effects.ts';
import type { NaiveComparison } from '../tell/naive.ts';
import { comparisonAlpha } from '../tell/plannedError.ts';
import { MISMATCH_P, type Ratios } from '../tell/ratios.ts';
import type { TrialReport } from '../tell/trialReport.ts';

/** A part of a report: sentences, then a table whose first line is its head. Text, Markdown and HTML write the same parts. */
export interface ReportPart {
  readonly id: string;
  readonly heading: string;
  readonly lines: readonly string[];
  readonly table: readonly (readonly string[])[] | null;
}

/** Makes the parts of a report, the answer first. */
export function reportParts(report: TrialReport): ReportPart[] {
  return [
    {
      id: 'verdict',
      heading: 'Verdict',
      lines: [...report.primary.map((effect) => formatEffect(effect, report)), ...warningsOf(report)],
      table: null,
    },
    {
      id: 'naive',
      heading: 'What the naive comparison would have said',
      lines: formatNaive(report),
      table: null,
    },
    { id: 'looks', heading: 'Looks', lines: [LOOKS], table: looksTable(report) },
    { id: 'metrics', heading: 'All metrics, as assigned', lines: [DESCRIPTION], table: metricTable(report) },
    { id: 'quantiles', heading: 'Quantiles', lines: [QUANTILE_NOTE], table: quantileTable(report) },
    { id: 'adherence', heading: 'What the arms really rode', lines: [], table: adherenceTable(report) },
    {
      id: 'ratios',
      heading: 'Sample ratio',
      lines: formatRatios(report.ratios),
      table: ratioTable(report.ratios),
    },
    ...classPart(report),
    { id: 'limits', heading: 'What this does not say', lines: limitLines(report), table: null },
  ];
}

const LOOKS =
  'The interval holds at all looks together (asymptotic confidence sequence), so looking every day raises no more false alarms.';
const DESCRIPTION =
  'Only the primary metric gives a verdict. 95 % intervals, as if nobody had looked before, clusters as in the verdict.';
const QUANTILE_NOTE = 'Of sessions with a value; 95 % intervals as if nobody had looked before.';

/** Formats a number of a metric with as many decimals as an interval calls for. */
const valueText = (value: number, interval: Interval | null): string =>
  formatNumber(value, decimalsOf(interval, value));

const rangeText = ([min, max]: Interval): string => {
  const decimals = decimalsOf([min, max], min);
  return `${formatSigned(min, decimals)} to ${formatSigned(max, decimals)}`;
};

const signedText = (value: number, interval: Interval | null): string =>
  formatSigned(value, decimalsOf(interval, value));

/** Says both statements of the verdict: direction, and relevance against the margin. */
export function formatEffect(
  effect: JudgedEffect,
  { trial, ratios }: Pick<TrialReport, 'trial' | 'ratios'>,
): string {
  const { metric, arm, against, judgement, verdict, why, looks, foundOnDay } = effect;
  const names = `${arm} against ${against}, ${metric.label}`;
  const last = looks.at(-1);
  if (judgement === null || verdict === null || !last) return `${names}: no verdict. ${why ?? ''}`.trim();
  const found = `${signedText(last.difference, last.interval)}${formatUnit(metric.unit)}`;
  const { rows, clusters } = last;
  const evidence = `${formatConfidence(comparisonAlpha(trial))} ${rangeText(last.interval)}, at any look; ${formatInteger(rows.treated)} and ${formatInteger(rows.control)} sessions in ${formatInteger(clusters)} clusters`;
  if (ratios.isMismatch)
    return `${names}: ${found} (${evidence}): no verdict. The arms do not have the sessions that they should have, so a difference may come from who is missing.`;
  const margin = `margin of ${formatMargin({ value: trial.primary.margin, isPercent: false }, metric.unit)}`;
  const when = foundOnDay === null ? '' : `; first shown on day ${Math.ceil(foundOnDay)}`;
  return `${names}: ${found} (${evidence}): ${formatStatements(judgement, { verdict, margin })}${when}.`;
}

/** Share of sessions beyond which disturbance among arms is worth a warning. */
const MANY_SHARED = 0.1;
/** Share of sessions beyond which those that nobody steered are worth one. */
const MANY_UNSTEERED = 0.05;

function warningsOf(report: TrialReport): string[] {
  const { sharedNetworks, primary, trial, days } = report;
  const lost = primary.filter(({ missing }) => missing.p !== null && missing.p < MISMATCH_P);
  const unjudged = Math.max(0, ...primary.map((effect) => (effect.looks.length === 0 ? 0 : effect.unjudged)));
  return [
    ...unsteeredWarning(report),
    ...(unjudged > 0
      ? [
          `${formatCount(unjudged, 'session')} that began after day ${formatNumber(trial.stopping.days, 0)} are not judged: there the trial was to end. The other parts describe them, too.`,
        ]
      : []),
    ...lost.map(
      ({ arm, against, missing, metric }) =>
        `Warning: ${formatInteger(missing.treated)} sessions of ${arm} and ${formatInteger(missing.control)} of ${against} have no value of ${metric.label} (p ${formatP(missing.p!)}): who has one is not alike in both arms.`,
    ),
    ...(sharedNetworks !== null && sharedNetworks > MANY_SHARED
      ? [
          `Warning: ${formatPercent(sharedNetworks)} of the sessions had a session of another arm on the same network within 15 minutes. Where they share the bottleneck, arms disturb each other, and the difference is not what a change for all would bring. A switchback measures that.`,
        ]
      : []),
    ...(days < trial.stopping.days - 1
      ? [
          `The trial has run for ${formatNumber(days, 1)} of ${formatCount(trial.stopping.days, 'day')}. The interval holds today, too.`,
        ]
      : []),
  ];
}

function unsteeredWarning({ sessions, leftOut: { unsteered } }: TrialReport): string[] {
  const share = unsteered / Math.max(1, sessions + unsteered);
  if (share <= MANY_UNSTEERED) return [];
  return [
    `Warning: ${formatInteger(unsteered)} sessions (${formatPercent(share)}) reported an id that the steering server never assigned. They rode what the manifest names, and do not count. Does the steering address have the id of the beacon?`,
  ];
}

function formatNaive({ naive, trial, primary }: TrialReport): string[] {
  const metric = pick(trialMetrics, trial.primary.metric);
  const { estimate, interval } = naive;
  if (estimate === null || interval === null)
    return ['All sessions rode one kind of transport, or none reported bytes: there is nothing to compare.'];
  const { rows, difference } = estimate;
  const side = interval[0] > 0 ? 'higher' : interval[1] < 0 ? 'lower' : null;
  const word =
    side === null ? 'no clear difference' : `${side} (${side === metric.better ? 'better' : 'worse'})`;
  const [ours] = primary;
  return [
    `Rows over h3 against rows over TCP, ${metric.label}: ${signedText(difference, interval)}${formatUnit(metric.unit)} (95 % ${rangeText(interval)}; ${formatInteger(rows.treated)} and ${formatInteger(rows.control)} sessions): ${word}.`,
    ...(ours?.estimate
      ? [
          `As assigned the difference is ${signedText(ours.estimate.difference, ours.plain)}${formatUnit(metric.unit)}: the naive one is off by ${signedText(difference - ours.estimate.difference, interval)}${formatUnit(metric.unit)}.`,
        ]
      : []),
    ...reasonsOf(naive, metric),
  ];
}

function reasonsOf({ fallback, assignedTcpMean }: NaiveComparison, metric: TrialMetric): string[] {
  if (fallback === null)
    return ['Reason: no session that was assigned h3 rode TCP, so both comparisons have the same rows.'];
  const other =
    assignedTcpMean === null
      ? ''
      : `, against ${valueText(assignedTcpMean, null)}${metric.unit === '%' ? ' %' : formatUnit(metric.unit)} for those that were assigned TCP`;
  return [
    `Reason: ${formatCount(fallback.sessions, 'session')} (${formatPercent(fallback.shareOfTcpRows)} of the rows over TCP) were assigned h3 and could not use it. Their mean is ${valueText(fallback.mean, null)}${metric.unit === '%' ? ' %' : formatUnit(metric.unit)}${other}. Who falls back is not drawn: it depends on the network.`,
  ];
}

function looksTable({ primary }: TrialReport): string[][] | null {
  const rows = primary.flatMap(({ arm, looks }) =>
    looks.map(({ day, difference, interval }) => [
      arm,
      formatNumber(day, 1),
      signedText(difference, interval),
      rangeText(interval),
    ]),
  );
  return rows.length === 0 ? null : [['arm', 'day', 'difference', 'interval'], ...rows];
}

function metricTable({ primary, further }: TrialReport): string[][] {
  return [
    ['metric', 'arm', 'mean', 'default', 'difference', '95 %', 'error: viewers and networks', 'no value'],
    ...[...primary, ...further].map(metricRow),
  ];
}

function metricRow({ metric, arm, estimate, plain, twoWayError, missing }: Effect): string[] {
  const name = metric.unit === '' ? metric.label : `${metric.label}, ${metric.unit}`;
  const counts = `${missing.treated}, ${missing.control}`;
  if (estimate === null || plain === null) return [name, arm, '–', '–', '–', '–', '–', counts];
  return [
    name,
    arm,
    valueText(estimate.means.treated, plain),
    valueText(estimate.means.control, plain),
    signedText(estimate.difference, plain),
    rangeText(plain),
    twoWayError === null ? '–' : valueText(twoWayError, null),
    counts,
  ];
}

/** Metrics of two values have no quantiles worth a line. */
function quantileTable({ primary, further }: TrialReport): string[][] | null {
  const rows = [...primary, ...further]
    .filter(({ metric }) => !['early-leave', 'errors'].includes(metric.id))
    .flatMap(({ metric, arm, quantiles }) =>
      quantiles.map(({ share, treated, control, interval }) => [
        metric.unit === '' ? metric.label : `${metric.label}, ${metric.unit}`,
        arm,
        formatPercent(share),
        valueText(treated, interval),
        valueText(control, interval),
        signedText(treated - control, interval),
        rangeText(interval),
      ]),
    );
  return rows.length === 0
    ? null
    : [['metric', 'arm', 'quantile', 'arm', 'default', 'difference', '95 %'], ...rows];
}

const shareText = (share: number | null): string =>
  share === null ? '–' : formatPercent(share, { decimals: 1 });

const adherenceTable = ({ adherence, trial }: TrialReport): string[][] => [
  ['arm', 'assigned', 'sessions', 'bytes over h3', 'sessions mostly over h3', 'on its pathway'],
  ...adherence.map(({ arm, sessions, h3ByteShare, h3SessionShare, onPathwayShare }, index) => [
    arm,
    trial.arms[index]!.transport,
    formatInteger(sessions),
    shareText(h3ByteShare),
    shareText(h3SessionShare),
    shareText(onPathwayShare),
  ]),
];

function formatRatios({ assignedP, reportedP, reportingP, isMismatch }: Ratios): string[] {
  const tests = [
    ['assigned as the shares say', assignedP],
    ['reported as the shares say', reportedP],
    ['equally likely to report', reportingP],
  ] as const;
  const known = tests.flatMap(([what, p]) => (p === null ? [] : [`${what}: p ${formatP(p)}`]));
  return [
    isMismatch
      ? `Mismatch: a test is below ${MISMATCH_P}. Find out why before anything else is read.`
      : `No mismatch (alarm below ${MISMATCH_P}).`,
    ...(known.length === 0 ? [] : [`${known.join('; ')}.`]),
  ];
}

const ratioTable = ({ arms, reportingShares }: Ratios): string[][] => [
  ['arm', 'share', 'assigned', 'reported', 'of assigned sessions reported'],
  ...arms.map(({ arm, assigned, reported, expectedShare }) => [
    arm,
    formatPercent(expectedShare),
    formatInteger(assigned),
    formatInteger(reported),
    shareText(reportingShares?.get(arm) ?? null),
  ]),
];

function classPart({ byClass }: TrialReport): ReportPart[] {
  if (byClass.length === 0) return [];
  const rows = byClass.map(({ networkClass, effect }) => [networkClass, ...metricRow(effect).slice(1, 6)]);
  return [
    {
      id: 'classes',
      heading: 'By class of network',
      lines: ['Description only: many rows, no correction.'],
      table: [['class', 'arm', 'mean', 'default', 'difference', '95 %'], ...rows],
    },
  ];
}

function limitLines({ trial, leftOut, sessions }: TrialReport): string[] {
  const reasons = [
    [leftOut.repeated, 'repeated beacons'],
    [leftOut.unassigned, 'without a known arm'],
    [leftOut.unsteered, 'that the server never assigned'],
    [leftOut.killed, 'begun while the kill switch was on'],
    [leftOut.washout, 'begun soon after a switch of periods'],
  ] as const;
  const counted = reasons
    .filter(([count]) => count > 0)
    .map(([count, why]) => `${formatInteger(count)} ${why}`);
  return [
    `${formatCount(sessions, 'session')} counted${counted.length === 0 ? '' : `; left out: ${counted.join(', ')}`}.`,
    ...limitsOf(trial).map((line) => `Not: ${line}.`),
  ];
}
