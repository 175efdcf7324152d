import path from 'node:path';
import { chunkFile, isWhole, computationOf, PARTS, PLAYBACK_HASH, WHY_NOT_PLAYED } from './chunkFiles.ts';
import { chunksOf, type RowCampaign } from './rowCampaign.ts';
import type { JudgedSession } from '../../finishedSessions.ts';
import { readParquetColumns } from '../../../../node/parquetTable.ts';
import { sameIds } from '../../../design/planCampaign.ts';
import type { CampaignPlan, PlannedSession } from '../../../design/plan.ts';
import type { Chunk } from '../../../design/rowPlan.ts';
import type { Measured, Metric } from '../../../../src/analysis/metrics/metric.ts';
import { metrics as known } from '../../../../src/analysis/metrics/registry.ts';
import { LOWER_BOUND, metricColumnName } from '../../../../src/export/tables/sessions.ts';

interface ReadRows {
  /** Plan with all of its sessions. */
  readonly plan: CampaignPlan;
  /** Sessions of whole chunks, by id. */
  readonly finished: ReadonlyMap<string, JudgedSession>;
  /** Versions of Pitwall that simulated them, in the order of the chunks. */
  readonly versions: readonly string[];
}

/**
 * Reads the sessions of a folder of rows, as table and verdicts need them. Only the columns of these metrics and of the primary
 * one are read. @throws Error in one sentence about rows that cannot be read, or that do not belong together
 */
export async function readRows(
  { head, pairs, plan }: RowCampaign,
  outDir: string,
  metrics: readonly Metric[],
): Promise<ReadRows> {
  const wanted = [...new Set([...metrics, ...known.filter(({ id }) => id === head.campaign.primary)])];
  const sessions: PlannedSession[] = [];
  const finished = new Map<string, JudgedSession>();
  const texts = new Map<string, string>();
  const versions = new Set<string>();
  const mustBelong = sameComputation(outDir);
  for (const chunk of chunksOf(plan)) {
    const planned = pairs.sessions(chunk.from, chunk.to);
    for (const session of planned) sessions.push(session);
    if (!(await isWhole(outDir, chunk, plan))) continue;
    await mustBelong(chunk);
    const rows = await chunkRows(chunkFile(outDir, chunk), { wanted, texts });
    versions.add(rows.version);
    for (const [row, { id }] of planned.entries()) {
      if (rows.ids[row] !== id)
        throw new Error(
          `${chunkFile(outDir, chunk)}: Row ${row + 1} is of ${String(rows.ids[row])} instead of ${id}: this version plans other sessions.`,
        );
      if (finished.has(id)) throw new Error(`${outDir}: ${sameIds([id, id])}`);
      finished.set(id, rows.at(row));
    }
  }
  const { schema, campaign, networks, ...made } = head;
  return { plan: { schema, campaign, networks, sessions, ...made }, finished, versions: [...versions] };
}

/** Makes a function that refuses rows of another version or of other streams: folders of several machines may be in one. */
function sameComputation(outDir: string): (chunk: Chunk) => Promise<void> {
  let first: { readonly file: string; readonly computed: string } | null = null;
  return async (chunk) => {
    const computed = await computationOf(outDir, chunk);
    const file = path.basename(chunkFile(outDir, chunk));
    if (computed === null) return;
    first ??= { file, computed };
    if (computed !== first.computed)
      throw new Error(
        `${chunkFile(outDir, chunk)}: These rows have other definitions of metrics, or were played with segments of other sizes, than those of ${first.file}: one table needs one version and equal streams.`,
      );
  };
}

interface Wanted {
  readonly wanted: readonly Metric[];
  /** Texts that many sessions share are kept once. */
  readonly texts: Map<string, string>;
}

interface ChunkRows {
  readonly ids: ArrayLike<unknown>;
  /** Version of Pitwall that simulated the chunk: one process plays a whole chunk. */
  readonly version: string;
  at(row: number): JudgedSession;
}

const SESSION = 'session';
const SIMULATOR = 'simulator';
const VERSION = 'pitwallVersion';

async function chunkRows(file: string, { wanted, texts }: Wanted): Promise<ChunkRows> {
  const needed = [
    ...[SESSION, SIMULATOR, VERSION, PLAYBACK_HASH.name, WHY_NOT_PLAYED.name],
    ...wanted.map(metricColumnName),
    ...(wanted.some(({ parts }) => parts) ? [PARTS.name] : []),
  ];
  const columns = await readParquetColumns(file, needed, [LOWER_BOUND]).catch((error: Error) => {
    throw new Error(`${file}: The rows cannot be read: ${error.message}`, { cause: error });
  });
  const kept = (name: string): (string | null)[] =>
    Array.from(columns.get(name) ?? [], (value) => (value == null ? null : once(String(value), texts)));
  const values = new Map(wanted.map(({ id }) => [id, numbers(columns.get(metricColumnName({ id }))!)]));
  const [simulators, reasons, parts] = [kept(SIMULATOR), kept(WHY_NOT_PLAYED.name), kept(PARTS.name)];
  const playbackHashes = columns.get(PLAYBACK_HASH.name)!;
  const bounds = kept(LOWER_BOUND);
  const withParts = new Set(wanted.filter((metric) => metric.parts).map(({ id }) => id));
  return {
    ids: columns.get(SESSION)!,
    version: String(columns.get(VERSION)![0]),
    at: (row) => ({
      environment: environmentOf(simulators[row] ?? null),
      startedAtUnixMs: 0,
      flags: NONE,
      playbackHash: playbackHashes[row] == null ? null : String(playbackHashes[row]),
      whyNotPlayed: reasons[row] ?? null,
      figures: {
        get(id): Measured | undefined {
          const value = values.get(id)?.[row];
          if (value === undefined) return undefined;
          const by = withParts.has(id) ? partsIn(parts[row] ?? null, id) : undefined;
          const lowerBound = isNamed(bounds[row] ?? null, id);
          return {
            value: Number.isNaN(value) ? null : value,
            ...(lowerBound && { lowerBound }),
            ...(by && { by }),
          };
        },
      },
    }),
  };
}

const NONE: readonly string[] = [];

/** Environments by simulator: one object for all sessions of a simulator. */
const environments = new Map<string | null, JudgedSession['environment']>();

function environmentOf(simulator: string | null): JudgedSession['environment'] {
  const before = environments.get(simulator);
  if (before) return before;
  const made = { browser: null, userAgent: null, ...(simulator !== null && { simulator }) };
  environments.set(simulator, made);
  return made;
}

function once(text: string, texts: Map<string, string>): string {
  const before = texts.get(text);
  if (before !== undefined) return before;
  texts.set(text, text);
  return text;
}

/** Reads cells as numbers; NaN where there is no value. */
const numbers = (cells: ArrayLike<unknown>): Float64Array =>
  Float64Array.from(cells, (cell) => (cell == null ? NaN : Number(cell)));

/** Returns whether a list of ids, written as JSON, has an id. */
const isNamed = (text: string | null, id: string): boolean =>
  text !== null && (JSON.parse(text) as readonly string[]).includes(id);

const partsIn = (text: string | null, id: string): Measured['by'] =>
  text === null ? undefined : (JSON.parse(text) as Readonly<Record<string, Measured['by']>>)[id];
