import type { Aggregate } from './aggregate.ts';
import { claimCounts } from './claimCounts.ts';
import type { Paper, PaperCampaign } from './paperCampaign.ts';
import type { Reproduction } from './paperPage.ts';
import { formatDuration } from '../plan/formatDuration.ts';

/** Every campaign of every paper in a line: what of it has been played, and how many of the paper's claims came out. */
export const formatOverview = (found: readonly (readonly [Paper, readonly Reproduction[]])[]): string =>
  [HEAD, RULE, ...found.flatMap(([paper, all]) => all.map((each) => lineOf(paper, each)))]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');

const HEAD = ['campaign', 'of the paper', 'scaled down', 'claims', 'at full length', 'claims'];
const RULE = HEAD.map(() => '---');

const lineOf = (paper: Paper, { campaign, results }: Reproduction): string[] => [
  `[${campaign.id}](${paper.id}.md)`,
  campaign.label,
  ...cellsOf(campaign, results.scaled),
  ...cellsOf(campaign, results.full),
];

function cellsOf(campaign: PaperCampaign, aggregate: Aggregate | null): [string, string] {
  if (aggregate === null) return ['not run', ''];
  const { finished, planned, recordedMs } = aggregate.counts;
  return [
    `${finished} of ${planned} sessions, ${formatDuration(recordedMs)}`,
    claimCounts(campaign, aggregate),
  ];
}
