import type { Aggregate } from './aggregate.ts';
import { claimResult, type ClaimResult } from './claimResult.ts';
import type { PaperCampaign } from './paperCampaign.ts';
import { metrics } from '../../src/analysis/metrics/registry.ts';
import { formatDuration } from '../plan/campaignDuration.ts';
import { pick } from '../../src/shared/registry.ts';
import { ARM_SENDER } from '../../src/report/model/fairnessOf.ts';
import { formatCounts } from '../../src/report/model/reportModel.ts';
import { metricColumn } from '../../src/report/model/metricTables.ts';
import type { Cell, ReportTable, TableColumn } from '../../src/report/reportTable.ts';
import { formatGrid, plain } from '../../src/report/text/markdown.ts';

/** Ours beside a paper's, from a committed aggregate alone: nobody writes a number by hand. */
export function formatResults(campaign: PaperCampaign, aggregate: Aggregate): string {
  const { verdicts, fairness, warnings, notes } = aggregate;
  return [
    `**Ran**: ${formatCounts(aggregate)}. ${formatEnvironment(aggregate)}`,
    ...(aggregate.registration ? [plain(aggregate.registration.sentence)] : []),
    ...warnings.map((text) => `> **Note:** ${plain(text)}`),
    verdicts
      .map(
        ({ verdict, sentence, leftOut }) =>
          `- **${(verdict ?? 'no verdict').replace('-', ' ')}**: ${plain(sentence)}${leftOut === null ? '' : ` ${plain(leftOut)}`}`,
      )
      .join('\n'),
    ...formatClaims(campaign, aggregate),
    formatGrid(armTable(campaign, aggregate)),
    ...thesisTable(campaign, aggregate),
    [fairness.sentence, ...notes.map(formatSentence)].map(plain).join(' '),
  ].join('\n\n');
}

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

const formatClaims = (campaign: PaperCampaign, aggregate: Aggregate): string[] => [
  `Claims of the paper: ${claimCounts(campaign, aggregate)}.`,
  claimTable(campaign, aggregate),
];

function claimTable({ claims }: PaperCampaign, aggregate: Aggregate): string {
  const rows = claims.flatMap((claim): Cell[][] => {
    const result = claimResult(claim, aggregate);
    if (result === null) return [];
    const { label } = pick(metrics, claim.metric);
    const place = claim.network === null ? '' : `, ${claim.network}`;
    const compared = `${label}: ${claim.first} against ${claim.second} (${claim.within}${place})`;
    return [[compared, `${claim.expects}: ${claim.says}`, result.ours, result.outcome]];
  });
  return formatGrid({
    columns: ['comparison', 'the paper', 'ours', 'result'].map((label) => ({ label, isText: true })),
    rows,
  });
}

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

const OUTCOMES: readonly ClaimResult['outcome'][] = [
  'same',
  'not contradicted',
  'different',
  'cannot tell',
  'not known',
];

/** `5 same, 1 cannot tell`: what became of a paper's claims. */
export function claimCounts({ claims }: PaperCampaign, aggregate: Aggregate): string {
  const found = claims.flatMap((claim) => claimResult(claim, aggregate)?.outcome ?? []);
  return OUTCOMES.map((outcome) => [found.filter((each) => each === outcome).length, outcome] as const)
    .filter(([count]) => count > 0)
    .map(([count, outcome]) => `${count} ${outcome}`)
    .join(', ');
}
