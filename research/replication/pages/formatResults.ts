import type { Aggregate } from '../results/aggregate.ts';
import {
  claimResults,
  exploratoryClaims,
  type ClaimOutcome,
  type ClaimResult,
} from '../results/claimResult.ts';
import { formatVerdicts } from './formatVerdicts.ts';
import { formatWithdrawn } from '../results/withdrawn.ts';
import type { Claim, PaperCampaign } from '../paperCampaign.ts';
import { formatOlderDefinitions } from '../../../src/analysis/metrics/definitionChanges.ts';
import { metrics } from '../../../src/analysis/metrics/registry.ts';
import { formatDuration } from '../../../experiment/design/campaignDuration.ts';
import { pick } from '../../../src/shared/registry.ts';
import { ARM_SENDER } from '../../../experiment/report/model/fairnessOf.ts';
import { formatCounts } from '../../../experiment/report/model/reportModel.ts';
import { formatCount, formatInteger, formatUnit } from '../../../src/shared/format.ts';
import { metricColumn } from '../../../experiment/report/model/metricTables.ts';
import type { Cell, ReportTable, TableColumn } from '../../../experiment/report/reportTable.ts';
import { formatGrid, plain } from '../../../experiment/report/text/markdown.ts';

/** Ours beside a paper's, from a committed aggregate alone: nobody writes a number by hand. */
export function formatResults(campaign: PaperCampaign, aggregate: Aggregate): string {
  const { fairness, warnings, notes } = aggregate;
  return [
    `**Ran**: ${formatCounts(aggregate)}. ${formatEnvironment(aggregate)}`,
    ...(aggregate.registration ? [plain(aggregate.registration.sentence)] : []),
    ...[...warnings, ...olderDefinitions(campaign, aggregate)].map((text) => `> **Note:** ${plain(text)}`),
    formatVerdicts(aggregate),
    ...formatClaims(campaign, aggregate),
    formatGrid(armTable(campaign, aggregate)),
    ...thesisTable(campaign, aggregate),
    [fairness.sentence, ...notes.map(formatSentence)].map(plain).join(' '),
  ].join('\n\n');
}

/** What the metrics of these results meant when they were computed, where it is not what they mean today. */
const olderDefinitions = ({ metrics: ids, claims }: PaperCampaign, aggregate: Aggregate): string[] => {
  const shown = [...ids, ...claims.map(({ metric }) => metric)];
  return [
    ...formatWithdrawn(aggregate, [...shown, aggregate.primary.id]),
    ...formatOlderDefinitions(aggregate.definitions ?? 1, shown),
  ];
};

/** Lines of a table's foot, one after the other. */
const formatSentence = (line: string): string => `${line.charAt(0).toUpperCase()}${line.slice(1)}.`;

/** The facts that are the same in all arms. */
function formatEnvironment({ fairness, campaign }: Aggregate): string {
  const facts = fairness.table.rows.flatMap(([label, ...values]) => {
    const [found] = [...new Set(values.slice(0, -1))];
    const isOne = new Set(values.slice(0, -1)).size === 1 && typeof found === 'string';
    return isOne && label !== ARM_SENDER ? [`${String(label)}: ${found}`] : [];
  });
  return plain(`Sessions of ${formatDuration(campaign.seconds * 1000)}. ${facts.join('; ')}.`);
}

function formatClaims(campaign: PaperCampaign, aggregate: Aggregate): string[] {
  const { claims } = campaign;
  if (claims.length === 0) return [];
  const family = exploratoryClaims(claims, aggregate);
  const corrected =
    family === 0
      ? ''
      : ` Of exploratory rows, p_Holm is corrected over the ${formatCount(family, 'exploratory claim')} of this table; their intervals are not corrected.`;
  return [
    plain(`Claims of the paper: ${claimCounts(campaign, aggregate)}.${corrected}`),
    claimTable(campaign, aggregate),
  ];
}

function claimTable({ claims }: PaperCampaign, aggregate: Aggregate): string {
  const results = claimResults(claims, aggregate);
  const rows = claims.flatMap((claim, place): Cell[][] => {
    const result = results[place] ?? null;
    if (result === null) return [];
    const { label } = pick(metrics, claim.metric);
    const where = claim.network === null ? '' : `, ${claim.network}`;
    const compared = `${label}: ${claim.first} against ${claim.second} (${claim.within}${where})`;
    return [[compared, formatClaim(claim), result.ours, formatOutcome(claim, result)]];
  });
  return formatGrid({
    columns: ['comparison', 'the paper', 'ours', 'result'].map((label) => ({ label, isText: true })),
    rows,
  });
}

/** `higher, +40 kbit/s: 0.32 against 0.28 Mbit/s (Table 10)`. */
function formatClaim({ metric, expects, says, size, sizePercent }: Claim): string {
  const { unit } = pick(metrics, metric);
  if (sizePercent !== undefined) return `${expects}, ${signed(sizePercent)} %: ${says}`;
  return size === undefined
    ? `${expects}: ${says}`
    : `${expects}, ${signed(size)}${formatUnit(unit)}: ${says}`;
}

/** As the paper gives it. */
const signed = (value: number): string => `${value > 0 ? '+' : '−'}${formatInteger(Math.abs(value))}`;

const formatOutcome = (
  { setAfterData, cannotFail }: Claim,
  { outcome, outcomeBefore }: ClaimResult,
): string =>
  setAfterData === undefined
    ? `${outcome}${outcome === 'cannot fail' ? `: ${cannotFail!}` : ''}`
    : `${outcome} (expectation set after the data; before it was “${setAfterData.before}”: ${outcomeBefore ?? 'not known'})`;

function armTable(
  { metrics: ids }: PaperCampaign,
  { arms }: Aggregate,
): Pick<ReportTable, 'columns' | 'rows'> {
  const shown = ids
    .map((id) => pick(metrics, id))
    .filter(({ id }) => arms.some(({ means }) => (means[id] ?? null) !== null));
  const networks: TableColumn[] = arms.some(({ network }) => network !== null)
    ? [{ label: 'network', isText: true }]
    : [];
  return {
    columns: [
      ...networks,
      { label: 'arm', isText: true },
      { label: 'sessions' },
      ...shown.map((metric) => metricColumn(metric)),
    ],
    rows: arms.map(({ arm, network, sessions, means }) => [
      ...(networks.length > 0 ? [network] : []),
      ...[arm, sessions],
      ...shown.map(({ id }) => means[id] ?? null),
    ]),
  };
}

/** Only under the thesis' own tables. */
const thesisTable = ({ id }: PaperCampaign, { thesis }: Aggregate): string[] => {
  const wanted = id.includes('tables-8-9') ? 'thesis-8-9' : id.includes('table-10') ? 'thesis-10' : null;
  return wanted === null
    ? []
    : thesis
        .filter((table) => table.id.startsWith(wanted))
        .map((table) => `${plain(table.title)}:\n\n${formatGrid(table)}`);
};

const OUTCOMES: readonly ClaimOutcome[] = [
  'same',
  'smaller',
  'larger',
  'opposite',
  'size excluded',
  'a difference',
  'a difference, inside the margin',
  'not contradicted',
  'cannot tell',
  'cannot fail',
  'not known',
  'withdrawn',
];

/** `5 same · 1 cannot tell`: what became of a paper's claims. */
export function claimCounts({ claims }: PaperCampaign, aggregate: Aggregate): string {
  const found = claimResults(claims, aggregate).flatMap((result) => result?.outcome ?? []);
  return OUTCOMES.map((outcome) => [found.filter((each) => each === outcome).length, outcome] as const)
    .filter(([count]) => count > 0)
    .map(([count, outcome]) => `${count} ${outcome}`)
    .join(' · ');
}
