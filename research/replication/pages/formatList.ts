import { formatState, formatStates, readPartTables, stateOf, type PartTables } from './partState.ts';
import { papers } from '../papers.ts';
import { WORKERS } from './paperPage.ts';
import { sizeOf } from '../readPaperCampaign.ts';
import { reproductionOf } from './writePages.ts';
import { columnsNow, fittedTable, wrapText } from '../../../node/fittedTable.ts';
import type { CampaignFile } from '../../../experiment/design/campaignFile.ts';
import { formatDuration } from '../../../experiment/design/campaignDuration.ts';
import type { Aggregate } from '../results/aggregate.ts';
import type { Paper, PaperPart } from '../paperCampaign.ts';
import { pick } from '../../../src/shared/registry.ts';

/**
 * What of which paper can be played, how much it is, and what is there of it; without ids, of all papers.
 * @throws Error in one sentence for an id that no paper has
 */
export async function formatList(root: string, ids: readonly string[] = []): Promise<string> {
  const parts: string[] = [];
  for (const paper of chosen(ids)) {
    const found = await Promise.all(paper.campaigns.map((campaign) => reproductionOf(root, campaign)));
    const rows = found.map(({ campaign, scaled, full, results }) => [
      campaign.id,
      campaign.label,
      campaign.place === null ? '' : String(campaign.place),
      ...[formatSize(scaled), formatPlayed(results.scaled), formatSize(full), formatPlayed(results.full)],
    ]);
    parts.push(
      `${paper.label}\n${fittedTable({ head: HEAD, rows, names: 2 }, columnsNow())}`,
      formatParts(paper, await readPartTables(root, paper.parts), columnsNow()),
    );
  }
  return [...parts, CLOSING].join('\n\n');
}

const chosen = (ids: readonly string[]): readonly Paper[] =>
  ids.length === 0 ? papers : ids.map((id) => pick(papers, id));

const HEAD = [
  'campaign',
  'tables and figures',
  'run order',
  'scaled',
  'scaled: played',
  '--full',
  '--full: played',
];

const CLOSING = `Durations are for ${WORKERS} pairs at once. "pitwall papers run" plays the campaigns with a run order, one after the other.`;

function formatSize(campaign: CampaignFile): string {
  const { sessions, totalMs } = sizeOf(campaign, WORKERS);
  return `${sessions} sessions, ${formatDuration(totalMs)}`;
}

const formatPlayed = (results: Aggregate | null): string =>
  results === null ? 'not run' : `${results.counts.finished} played`;

/** Formats every table and figure of a paper: what it shows, what is known of it, and the command that plays it. */
export function formatParts({ parts }: Pick<Paper, 'parts'>, tables: PartTables, columns: number): string {
  const indent = ' '.repeat(2 + Math.max(...parts.map(({ part }) => part.length)));
  const lines = parts.flatMap((part) => {
    const [first = '', ...more] = linesOf(part, tables).flatMap((line) =>
      wrapText(line, columns - indent.length),
    );
    return [`${part.part.padEnd(indent.length)}${first}`, ...more.map((line) => `${indent}${line}`)];
  });
  const summary = `Tables and figures, some of them together: ${formatStates(parts, tables)}.`;
  return [...wrapText(summary, columns), ...lines].join('\n');
}

function linesOf(part: PaperPart, tables: PartTables): string[] {
  const { shows, by, note } = part;
  return [
    shows,
    formatState(stateOf(part, tables)),
    ...commandsOf(by, tables),
    ...(note === undefined ? [] : [`(${note})`]),
  ];
}

function commandsOf(by: PaperPart['by'], tables: PartTables): string[] {
  if ('campaigns' in by)
    return by.campaigns.map((id) => `pitwall papers run ${id}: ${tables.has(id) ? 'played' : 'not played'}`);
  if (!('command' in by)) return [];
  return [by.results === undefined ? by.command : `${by.command}: ${by.results}`];
}
