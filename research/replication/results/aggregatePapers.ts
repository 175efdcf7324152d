import { print } from '../../../node/print.ts';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { resultsFile, runName } from '../campaignFiles.ts';
import { writePages } from '../pages/writePages.ts';
import { claimsOf, paperCampaigns } from '../papers.ts';
import { byNetwork } from './byNetwork.ts';
import { resultsFault, AGGREGATE_SCHEMA, type Aggregate, type ArmMeans } from './aggregate.ts';
import { makeFolder, writeAtomically } from '../../../node/files.ts';
import { loadSource } from '../../../experiment/report/read/loadSource.ts';
import { reportModel, type ReportModel } from '../../../experiment/report/model/reportModel.ts';
import { sessionsCsv } from '../../../experiment/report/text/reportData.ts';
import { losslessNetworks } from '../../../experiment/verdict/resolution.ts';
import { meanOf } from '../../../src/analysis/statistics/summaries.ts';
import { DEFINITIONS_VERSION } from '../../../src/analysis/metrics/definitionChanges.ts';
import { metrics } from '../../../src/analysis/metrics/registry.ts';
import type { ReportSource } from '../../../experiment/report/reportSource.ts';
import type { SessionSummary } from '../../../experiment/report/sessionSummary.ts';

/**
 * Writes what is kept of runs into campaigns/results, and from all that is there the pages of the papers. Without folders: of all
 * runs of the papers' campaigns that are in `out`. @throws Error in one sentence
 */
export async function aggregatePapers({
  folders,
  out,
  root,
}: Record<'out' | 'root', string> & { readonly folders: readonly string[] }): Promise<void> {
  for (const folder of folders.length > 0 ? folders : foldersIn(out)) await aggregateFolder(folder, root);
  for (const page of await writePages(root)) print(`${path.relative('.', page)}: written`);
}

const foldersIn = (out: string): string[] =>
  paperCampaigns
    .flatMap(({ id }) => [runName(id, false), runName(id, true)])
    .map((name) => path.join(out, name))
    .filter((folder) => existsSync(path.join(folder, 'plan.json')));

async function aggregateFolder(folder: string, root: string): Promise<void> {
  const source = await loadSource(folder, claimsOf);
  const { name } = source.plan.campaign;
  const fault = await resultsFault(source, root);
  if (fault !== null) throw new Error(`${folder}: ${fault}`);
  const model = reportModel(source);
  const file = resultsFile(root, name, 'json');
  makeFolder(path.dirname(file));
  writeAtomically(file, formatAggregate(aggregateOf(source, model)));
  writeAtomically(resultsFile(root, name, 'csv'), sessionsCsv(model));
  const { finished, planned } = model.counts;
  print(`${path.relative('.', file)}: ${finished} of ${planned} sessions`);
}

/** Returns what is kept of a report. It keeps only figures of few numbers: all figures can be made again from logs. */
export function aggregateOf(source: ReportSource, model: ReportModel): Aggregate {
  const { campaign, primary, question, counts, warnings, ran, fairness, notes } = model;
  const { verdicts, exploratory, thesis, figures, tries, aa, blocks, registration } = model;
  return {
    schema: AGGREGATE_SCHEMA,
    definitions: DEFINITIONS_VERSION,
    campaign,
    primary,
    question,
    counts,
    warnings,
    ran,
    fairness,
    notes,
    ...(tries && { tries }),
    ...(aa && { aa, losslessNetworks: [...losslessNetworks(source.plan)] }),
    ...(blocks && { blocks }),
    ...(registration && { registration }),
    verdicts,
    exploratory,
    thesis,
    byNetwork: byNetwork(source),
    arms: armMeans(source),
    figures: figures
      .filter(({ rows }) => rows.length <= MAX_ROWS)
      .map(({ id, title, caption, columns, rows }) => ({ id, title, caption, columns, rows })),
  };
}

const MAX_ROWS = 120;

function armMeans({ plan, sessions }: ReportSource): ArmMeans[] {
  const isSplit = plan.campaign.per === 'network';
  const groups = new Map<string, SessionSummary[]>();
  for (const session of sessions) {
    const place = JSON.stringify([session.design.arm, isSplit ? session.network : null]);
    if (!groups.get(place)?.push(session)) groups.set(place, [session]);
  }
  return [...groups.keys()].sort().map((place) => {
    const [arm, network] = JSON.parse(place) as [string, string | null];
    const of = groups.get(place)!;
    const means = metrics.map(({ id }) => [id, meanOf(of.flatMap(({ values }) => values[id] ?? []))]);
    return { arm, network, sessions: of.length, means: Object.fromEntries(means) as ArmMeans['means'] };
  });
}

/** Formats an aggregate as it is committed: seven significant digits, a row of a table on one line. */
export function formatAggregate(aggregate: Aggregate): string {
  const text = JSON.stringify(
    aggregate,
    (_, value: unknown) => (typeof value === 'number' ? rounded(value) : value),
    1,
  );
  // A line ends only between values, never inside a string, so that what is matched is a list of plain ones.
  return `${text.replace(/\[\n[^[\]{}]*\]/g, (list) => (endsOnOwnLine(list) ? list.replace(/\n\s*/g, ' ') : list))}\n`;
}

/** False for a bracket inside a string: JSON.stringify puts the one that ends a list on a line of its own. */
const endsOnOwnLine = (list: string): boolean => {
  const inside = list.slice(0, -1);
  return inside.slice(inside.trimEnd().length).includes('\n');
};

const DIGITS = 7;

/** Rounds to `DIGITS` significant digits. Before the point all digits stay: times since 1970 have more of them. */
const rounded = (value: number): number =>
  Math.abs(value) >= 10 ** DIGITS ? Math.round(value) : Number(value.toPrecision(DIGITS));
