import path from 'node:path';
import { rowColumns } from './rowTable.ts';
import { rowDirOf } from '../../../../node/logFiles.ts';
import { parquetBytes, readParquetFooter } from '../../../../node/parquetTable.ts';
import type { Chunk, RowPlan } from '../../../design/rowPlan.ts';
import type { Cell } from '../../../../src/export/table.ts';

/** The file of a chunk's rows in the folder of its campaign. */
export const chunkFile = (outDir: string, { place }: Pick<Chunk, 'place'>): string =>
  path.join(rowDirOf(outDir), `chunk-${String(place).padStart(6, '0')}.parquet`);

/** How many sessions a chunk has. */
export const sessionsIn = (
  { from, to }: Chunk,
  { sessions, pairs }: Pick<RowPlan, 'sessions' | 'pairs'>,
): number => (to - from) * (sessions / pairs);

/** In the metadata of a file: of which plan and of which of its pairs the rows are. */
const marksOf = ({ from, to }: Chunk, { planSha256 }: Pick<RowPlan, 'planSha256'>) => ({
  'pitwall.plan': planSha256,
  'pitwall.pairs': `${from + 1}-${to}`,
});

const COMPUTED = 'pitwall.computed';

/** The rows of a chunk as the bytes of its file. */
export const chunkBytes = (rows: readonly (readonly Cell[])[], chunk: Chunk, plan: RowPlan): Uint8Array =>
  parquetBytes(rowColumns, rows, {
    ...marksOf(chunk, plan),
    [COMPUTED]: `definitions ${plan.definitions ?? 'unknown'}, segments ${plan.contentsSha256 ?? 'unknown'}`,
  });

/**
 * What rows of one table have in common besides their plan: the version of the metrics' definitions, and the sizes of the
 * segments. null for a file of an older version.
 */
export async function computationOf(outDir: string, chunk: Chunk): Promise<string | null> {
  return (await readParquetFooter(chunkFile(outDir, chunk)))?.metadata.get(COMPUTED) ?? null;
}

/** Whether the file of a chunk is there and whole, with the rows of this plan. Reads only its end. */
export async function isWhole(outDir: string, chunk: Chunk, plan: RowPlan): Promise<boolean> {
  const footer = await readParquetFooter(chunkFile(outDir, chunk));
  if (footer?.rows !== sessionsIn(chunk, plan)) return false;
  return Object.entries(marksOf(chunk, plan)).every(([key, value]) => footer.metadata.get(key) === value);
}
