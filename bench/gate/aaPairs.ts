import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { armColumns } from '../../experiment/factors/columns.ts';
import type { Gate } from '../../experiment/design/gateFile.ts';
import type { GateSession } from '../../experiment/verdict/gateVerdict.ts';
import { readText } from '../../node/files.ts';
import { metrics } from '../../src/analysis/metrics/registry.ts';
import { metricColumn } from '../../experiment/report/model/metricTables.ts';
import { parseCsv } from '../../src/shared/csv.ts';
import { pick } from '../../src/shared/registry.ts';

/** Two sessions of one arm in one pair: whatever they differ by is chance. */
export type AaPair = readonly [GateSession, GateSession];

/** A table of sessions and the A/A pairs in it. */
interface AaTable {
  readonly file: string;
  readonly pairs: readonly AaPair[];
}

/** Folders of committed tables. */
const FOLDERS = ['docs/examples/results', 'campaigns/results'];

/** The A/A pairs of all committed tables, and of another table. @throws Error in one sentence */
export async function recordedPairs(
  root: string,
  judged: Gate['metrics'],
  another?: string,
): Promise<AaTable[]> {
  const committed = FOLDERS.filter((folder) => existsSync(path.join(root, folder))).flatMap((folder) =>
    readdirSync(path.join(root, folder))
      .filter((name) => name.endsWith('.csv'))
      .sort()
      .map((name) => path.join(folder, name)),
  );
  const files = [
    ...committed.map((file) => ({ file, place: path.join(root, file) })),
    ...(another === undefined ? [] : [{ file: another, place: another }]),
  ];
  const tables: AaTable[] = [];
  for (const { file, place } of files)
    tables.push({ file, pairs: pairsIn(file, await readText(place), judged) });
  if (another !== undefined && tables.at(-1)!.pairs.length === 0)
    throw new Error(
      `${another}: It has no A/A pair: no two finished sessions of one arm and pair that differ in a column "A/A".`,
    );
  return tables.filter(({ pairs }) => pairs.length > 0);
}

function pairsIn(file: string, text: string, judged: Gate['metrics']): AaPair[] {
  try {
    return aaPairsIn(text, judged);
  } catch (error) {
    throw new Error(`${file}, ${(error as Error).message}`, { cause: error });
  }
}

const LABEL = 'A/A';
/** What sessions have in common that differ by chance alone: the pair, and all that an arm is made of. */
const COMMON = ['pair', ...armColumns];

/**
 * The A/A pairs of a table of sessions as `pitwall report --format csv` writes it: two finished sessions of one arm and pair
 * with different A/A labels, or an A/A session and the session that it repeats. Pairs that lack a judged metric are left out.
 *
 * @throws Error if it is no CSV
 */
export function aaPairsIn(text: string, judged: Gate['metrics']): AaPair[] {
  const [names = [], ...rows] = parseCsv(text);
  if (!names.includes(LABEL)) return [];
  const groups = new Map<string, Map<string, GateSession>>();
  for (const row of rows) {
    const cells = new Map(names.map((name, column) => [name, row[column] ?? '']));
    const session = sessionOf(cells, judged);
    if (session === null) continue;
    const common = JSON.stringify(COMMON.map((name) => cells.get(name) ?? ''));
    const labelled = groups.get(common) ?? new Map<string, GateSession>();
    groups.set(common, labelled.set(cells.get(LABEL) ?? '', session));
  }
  return [...groups.values()].flatMap((labelled) => {
    const [first, second] = labelled.values();
    return first && second ? [[first, second] as const] : [];
  });
}

/** null where it has not played to its end, or a judged metric is unknown or has no ratio. */
function sessionOf(cells: ReadonlyMap<string, string>, judged: Gate['metrics']): GateSession | null {
  if (cells.get('state') !== 'finished') return null;
  const values = judged.map(({ metric, marginPercent }) => {
    const cell = cells.get(metricColumn(pick(metrics, metric)).label) ?? '';
    const value = cell === '' ? NaN : Number(cell);
    const isKnown = Number.isFinite(value) && (marginPercent === undefined || value > 0);
    return [metric, isKnown ? value : null] as const;
  });
  return values.every(([, value]) => value !== null) ? { played: true, values: new Map(values) } : null;
}
