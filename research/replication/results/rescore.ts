import { print } from '../../../node/print.ts';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { type Aggregate, type AggregateVerdict, type FigureNumbers } from './aggregate.ts';
import { formatAggregate } from './aggregatePapers.ts';
import { byNetwork } from './byNetwork.ts';
import { resultsFile, runName } from '../campaignFiles.ts';
import { paperCampaigns } from '../papers.ts';
import { writePages } from '../pages/writePages.ts';
import { readText, writeAtomically } from '../../../node/files.ts';
import type { CampaignFile } from '../../../experiment/design/campaignFile.ts';
import type { CampaignPlan } from '../../../experiment/design/plan.ts';
import { isAaSession } from '../../../experiment/factors/arms.ts';
import { isFromFile, networksOf } from '../../../experiment/design/networks.ts';
import { planCampaign } from '../../../experiment/design/planCampaign.ts';
import { metrics } from '../../../src/analysis/metrics/registry.ts';
import type { Metric } from '../../../src/analysis/metrics/metric.ts';
import { networkProfiles } from '../../../src/network/profiles/registry.ts';
import { exploratoryTable } from '../../../experiment/report/model/exploratoryTable.ts';
import { metricColumn } from '../../../experiment/report/model/metricTables.ts';
import { verdictLines, type VerdictLine } from '../../../experiment/report/model/verdictLines.ts';
import type { ScoredSession, ScoredSource } from '../../../experiment/report/reportSource.ts';
import type { ReportTable } from '../../../experiment/report/reportTable.ts';
import { parseCsv } from '../../../src/shared/csv.ts';
import { pick } from '../../../src/shared/registry.ts';
import { valueOf } from '../../../src/shared/result.ts';

/**
 * Scores the committed results anew, each from the CSV file of its sessions, and writes the pages of the papers.
 * @throws Error in one sentence that names the file
 */
export async function rescorePapers(root: string): Promise<void> {
  const names = paperCampaigns.flatMap(({ id }) => [runName(id, false), runName(id, true)]);
  for (const name of names) {
    const file = resultsFile(root, name, 'json');
    if (!existsSync(file)) continue;
    const aggregate = JSON.parse(await readText(file)) as Aggregate;
    const sessions = await readText(resultsFile(root, name, 'csv'));
    writeAtomically(file, formatAggregate(rescored(aggregate, sessions, path.relative('.', file))));
    print(`${path.relative('.', file)}: ${aggregate.verdicts.length} verdicts`);
  }
  for (const page of await writePages(root)) print(`${path.relative('.', page)}: written`);
}

/**
 * Results with verdicts, exploratory rows and differences by network computed anew from the sessions' metrics (`csv`, as
 * `sessionsCsv` writes it). Figures, tables of the thesis, fairness and counts need logs: they stay as they are.
 * @throws Error in one sentence that begins with `file` where the sessions are not those of the results
 */
export function rescored(aggregate: Aggregate, csv: string, file: string): Aggregate {
  const { campaign } = aggregate;
  try {
    const source = scoredSource(campaign, csv);
    const metric = pick<Metric>(metrics, campaign.primary);
    const { better } = metric;
    const lines = better === null ? [] : verdictLines(source, { ...metric, better });
    return {
      ...aggregate,
      verdicts: withEarlier(lines, aggregate.verdicts),
      exploratory: withPublished(exploratoryTable(source, campaign.primary), aggregate),
      byNetwork: byNetwork(source),
      figures: aggregate.figures.map((figure) => withVerdicts(figure, lines)),
    };
  } catch (error) {
    throw new Error(`${file}: ${(error as Error).message}`, { cause: error });
  }
}

/** What verdicts are computed from, as the CSV file has it. */
function scoredSource(campaign: CampaignFile, csv: string): ScoredSource {
  const [names = [], ...rows] = parseCsv(csv);
  const cellsOf = rows.map((row) => new Map(names.map((name, place) => [name, row[place] ?? ''])));
  const networks = new Set(cellsOf.map((cells) => cells.get('network') ?? '').filter((name) => name !== ''));
  const plan = planOf(campaign, [...networks]);
  const known = new Map(cellsOf.map((cells) => [cells.get('session') ?? '', cells]));
  const lacking = plan.sessions.filter(({ id }) => !known.has(id));
  if (lacking.length > 0 || known.size !== plan.sessions.length)
    throw new Error(
      `The CSV file beside it has ${known.size} sessions, and the campaign plans ${plan.sessions.length}, ${lacking.length} of which are not in it.`,
    );
  const read = plan.sessions.map(({ id, design }) => sessionOf({ id, design }, known.get(id)!));
  const finished = read.filter(({ isFinished }) => isFinished).map(({ session }) => session);
  // A session that is not finished has a log only where the machine was overloaded.
  const flagged = read
    .filter(({ isFinished, session }) => !isFinished && hasValue(session))
    .map(({ session }) => session);
  return {
    plan,
    sessions: finished.filter((each) => !isAaSession(each)),
    aaSessions: finished.filter(isAaSession),
    flagged,
  };
}

const hasValue = ({ values }: ScoredSession): boolean =>
  Object.values(values).some((value) => value !== null);

/** Names of networks are in the file, in the plan's order. */
function planOf(campaign: CampaignFile, names: readonly string[]): CampaignPlan {
  const known = networksOf({
    ...campaign,
    profiles: campaign.profiles.filter((entry) => typeof entry !== 'string' || !isFromFile(entry)),
  });
  // What a trace carries changes no id and no pair, and it loses no packet at random: it stands still here.
  const profile = pick(networkProfiles, 'constant-10mbps');
  return valueOf(
    planCampaign(
      campaign,
      names.map((name) => known.find((network) => network.name === name) ?? { name, profile }),
    ),
  );
}

function sessionOf(
  { id, design }: Pick<ScoredSession, 'id' | 'design'>,
  cells: ReadonlyMap<string, string>,
): { session: ScoredSession; isFinished: boolean } {
  const values = metrics.map((metric) => [metric.id, numberIn(cells.get(metricColumn(metric).label))]);
  return {
    session: {
      id,
      design,
      values: Object.fromEntries(values) as ScoredSession['values'],
      playbackHash: null,
    },
    isFinished: cells.get('state') === 'finished',
  };
}

const numberIn = (cell: string | undefined): number | null =>
  cell === undefined || cell === '' ? null : Number(cell);

/** Verdicts as first published stay beside the new ones, which have to stand on the same differences. */
function withEarlier(lines: readonly VerdictLine[], before: readonly AggregateVerdict[]): AggregateVerdict[] {
  if (lines.length !== before.length)
    throw new Error(`It has ${before.length} verdicts, and its campaign declares ${lines.length}.`);
  return lines.map((line, place) => {
    const { earlier, differences } = before[place]!;
    if (!areSame(line.differences, differences))
      throw new Error(
        `/verdicts/${place}: The differences of its pairs are not those of the CSV file beside it.`,
      );
    return earlier === undefined ? line : { ...line, earlier };
  });
}

/** To the seven digits of a results file. */
const areSame = (one: readonly number[], other: readonly number[]): boolean =>
  one.length === other.length &&
  one.every((value, place) => Math.abs(value - other[place]!) <= 1e-6 * Math.abs(value) + 1e-9);

/** How many columns name an exploratory row: metric, unit, first, second, within, network. */
const NAMES = 6;
const PUBLISHED = ['from, first published', 'to, first published'];

/** Intervals as first published (BCa) stay in two columns of their own. Results of this version were never published with others. */
function withPublished(
  table: ReportTable,
  { exploratory: before }: Pick<Aggregate, 'exploratory'>,
): ReportTable {
  const keyOf = (row: ReportTable['rows'][number]): string => row.slice(0, NAMES).join('\n');
  const places = PUBLISHED.map((label) => before.columns.findIndex((column) => column.label === label));
  if (!places.every((place) => place >= 0)) return table;
  const [from, to] = places;
  const published = new Map(before.rows.map((row) => [keyOf(row), [row[from!]!, row[to!]!]]));
  return {
    ...table,
    columns: [...table.columns, ...PUBLISHED.map((label) => ({ label }))],
    rows: table.rows.map((row) => [...row, ...(published.get(keyOf(row)) ?? [null, null])]),
  };
}

/** The figure of the verdict has their numbers: interval, margin and word. Others have none. */
function withVerdicts(figure: FigureNumbers, lines: readonly VerdictLine[]): FigureNumbers {
  if (!figure.id.startsWith('paired-')) return figure;
  const rows = figure.rows.map((row) => {
    const line = lines.find(({ comparison: { first, second, within, network } }) =>
      [first, second, within, network ?? 'all'].every((name, place) => row[place] === name),
    );
    if (!line) return row;
    const changed = new Map<string | undefined, string | number | null>([
      ['from', line.interval?.[0] ?? null],
      ['to', line.interval?.[1] ?? null],
      ['margin', line.margin],
      ['verdict', line.verdict ?? 'none'],
    ]);
    return row.map((cell, place) => {
      const column = figure.columns[place];
      return changed.has(column) ? (changed.get(column) ?? null) : cell;
    });
  });
  return { ...figure, rows };
}
