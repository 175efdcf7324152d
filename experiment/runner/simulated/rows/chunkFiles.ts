import path from 'node:path';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { rowDirOf } from '../../../../node/logFiles.ts';
import { parquetBytes, readParquetFooter } from '../../../../node/parquetTable.ts';
import type { Chunk, RowPlan } from '../../../design/rowPlan.ts';
import type { Cell, TableColumn } from '../../../../src/export/table.ts';
import { playbackHashOf } from '../../finishedSessions.ts';
import { metrics } from '../../../../src/analysis/metrics/registry.ts';
import { whyNotPlayed } from '../../../../src/analysis/timeline/played.ts';
import { sessions } from '../../../../src/export/tables/sessions.ts';
import type { SessionLog } from '../../../../src/telemetry/schema/sessionLog.ts';
import { simulatedRule, simulatedSession, type SimulatedCampaign } from '../simulatedSession.ts';
import { rulesWith, type GivenWeights } from '../../../resolve/weights.ts';
import { writeAtomically } from '../../../../node/files.ts';
import type { PlanHead } from '../../../design/plan.ts';
import { plannedPairs } from '../../../design/planCampaign.ts';

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
const chunkBytes = (rows: readonly (readonly Cell[])[], chunk: Chunk, plan: RowPlan): Uint8Array =>
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

const text = (name: string, meaning: string): TableColumn => ({ name, type: 'text', unit: '', meaning });

/** What table and verdicts need of a session besides the columns of the table `sessions`. */
export const PLAYBACK_HASH = text(
  'playbackHash',
  'hash of all that the simulator played; equal hashes are copies of one session',
);
export const WHY_NOT_PLAYED = text('whyNotPlayed', 'why no frame was shown; empty where one was');
export const PARTS = text('parts', 'parts of metrics that have some, JSON: {metric: {part: value}}');

/** The columns of `pitwall export --format parquet --tables sessions`, and three more. */
export const rowColumns: readonly TableColumn[] = [...sessions.columns, PLAYBACK_HASH, WHY_NOT_PLAYED, PARTS];

/** A simulated session as a row, in the order of `rowColumns`. */
const rowOf = (log: SessionLog): readonly Cell[] => [
  ...sessions.rows(log, null)[0]!,
  playbackHashOf(log),
  whyNotPlayed(log),
  formatParts(log),
];

const WITH_PARTS = metrics.filter(({ parts }) => parts !== undefined);

function formatParts(log: SessionLog): string | null {
  const found = WITH_PARTS.flatMap((metric) => {
    const { by } = metric.of(log);
    return by === undefined ? [] : [[metric.id, by] as const];
  });
  return found.length > 0 ? JSON.stringify(Object.fromEntries(found)) : null;
}

/** What plays all chunks of a campaign, on one thread or on several. */
export interface RowTask extends Pick<SimulatedCampaign, 'contents' | 'instrumented'> {
  readonly head: PlanHead;
  readonly plan: RowPlan;
  /** Weights of the rules that decide with weights. */
  readonly weights: readonly GivenWeights[];
  readonly outDir: string;
}

export interface ChunkDone {
  readonly place: number;
  readonly sessions: number;
}

/**
 * Returns a function that plays one chunk and writes its rows: the file is there whole or not at all. One session's log is in
 * memory at a time, and the rows of one chunk. The function rejects with one sentence.
 */
export function chunkPlayer(task: RowTask): (chunk: Chunk) => Promise<ChunkDone> {
  const { head, plan, outDir } = task;
  const { networks, campaign } = head;
  const pairs = plannedPairs(campaign, networks);
  const { seconds, preset } = campaign;
  const { contents, instrumented } = task;
  const about = { networks, contents, seconds, preset, ...(instrumented && { instrumented }) };
  const ruleOf = rulesWith(task.weights, simulatedRule);
  return async (chunk) => {
    mkdirSync(rowDirOf(outDir), { recursive: true });
    const rows: (readonly Cell[])[] = [];
    for (const session of pairs.sessions(chunk.from, chunk.to))
      rows.push(rowOf(simulatedSession(about, session, await ruleOf(session.rule))));
    removeLeftovers(outDir, chunk);
    writeAtomically(chunkFile(outDir, chunk), chunkBytes(rows, chunk, plan));
    return { place: chunk.place, sessions: rows.length };
  };
}

/** Removes what a process that was killed while it wrote this chunk has left. */
function removeLeftovers(outDir: string, chunk: Chunk): void {
  const folder = rowDirOf(outDir);
  const begin = `${path.basename(chunkFile(outDir, chunk))}.`;
  for (const name of readdirSync(folder))
    if (name.startsWith(begin)) rmSync(path.join(folder, name), { force: true });
}
