import { availableParallelism } from 'node:os';
import { isWhole, sessionsIn, type ChunkDone, type RowTask } from './chunkFiles.ts';
import { readRows } from './readRows.ts';
import {
  chunkNamed,
  chunksOf,
  contentsHash,
  keepRowPlan,
  refuseOtherRows,
  refuseSameIds,
  rowCampaign,
  type RowCampaign,
} from './rowCampaign.ts';
import { formatSimulated } from '../formatNotSimulated.ts';
import { refuseSimulated } from '../refuseSimulated.ts';
import { simulatedContents } from '../simulatedSession.ts';
import { instrumentedOf, labPlan } from '../../instrumentedPlan.ts';
import type { RunOptions } from '../../runOptions.ts';
import { partOf } from '../../../session/lock/part.ts';
import { whileHolding } from '../../../session/lock/whileHolding.ts';
import { runWorkers } from '../../../simulate/runWorkers.ts';
import { formatDuration } from '../../../design/campaignDuration.ts';
import type { PlanHead } from '../../../design/plan.ts';
import type { Resolved } from '../../../resolve/resolve.ts';
import type { Chunk, RowPlan } from '../../../design/rowPlan.ts';
import { EXIT } from '../../../../node/exitCodes.ts';
import { rowDirOf } from '../../../../node/logFiles.ts';
import { formatCount, formatInteger, formatNumber } from '../../../../src/shared/format.ts';

/** What is asked of a simulated campaign whose sessions become rows of metrics instead of logs. */
export interface RowOptions extends Pick<RunOptions, 'metrics' | 'shard' | 'trust'> {
  /** The campaign file. */
  readonly file: string;
  /** Whether only the table of the rows in `out` is printed. */
  readonly table?: boolean;
  readonly rows?: boolean;
  readonly listChunks?: boolean;
  /** The chunk that is played alone, by its place from 1. */
  readonly chunk?: number;
  readonly chunkPairs?: number;
  /** Threads; absent: one for each core. */
  readonly threads?: number;
}

/**
 * Plays the chunks that have no rows yet, or one of them, and prints table and verdicts; or only lists them. Resolves to the
 * exit code. @throws Error in one sentence
 */
export async function runRows(
  options: RowOptions,
  { resolved, outDir }: { readonly resolved: Resolved<PlanHead>; readonly outDir: string },
): Promise<number> {
  const { file, chunkPairs } = options;
  const campaign = rowCampaign(resolved.plan, { outDir, chunkPairs });
  const { plan } = campaign;
  if (options.listChunks) {
    refuseSameIds(campaign, file);
    return print(formatChunks(plan));
  }
  if (options.table) {
    refuseOtherRows(outDir, plan);
    return printResult(campaign, outDir, options);
  }
  refuseSimulated(resolved.plan, file);
  const chunk = options.chunk === undefined ? null : chunkNamed(options.chunk, plan, file);
  if (chunk === null) refuseSameIds(campaign, file);
  const task = await taskOf(campaign, resolved, { ...options, outDir });
  const { shard } = options;
  const code = await whileHolding(outDir, partOf({ shard, chunk: chunk?.place }), async () => {
    keepRowPlan(outDir, task.plan);
    return chunk === null ? playAll(task, options) : playOne(task, chunk);
  });
  return chunk === null && code === EXIT.done ? printResult(campaign, outDir, options) : code;
}

async function taskOf(
  { head, plan }: RowCampaign,
  resolved: Resolved<PlanHead>,
  { outDir, trust }: { readonly outDir: string; readonly trust?: string | undefined },
): Promise<RowTask> {
  const contents = await simulatedContents(resolved, { print, trust });
  const instrumented = instrumentedOf(labPlan(head));
  const { weights } = resolved;
  const ofStreams = { ...plan, contentsSha256: contentsHash(contents) };
  return { head, plan: ofStreams, contents, weights, outDir, ...(instrumented && { instrumented }) };
}

/** A line for each chunk: its place, its pairs by their places in `--list-pairs`, its sessions. */
const formatChunks = (plan: RowPlan): string =>
  chunksOf(plan)
    .map((chunk) => `${chunk.place}\t${chunk.from + 1}-${chunk.to}\t${sessionsIn(chunk, plan)}`)
    .join('\n');

async function playOne(task: RowTask, chunk: Chunk): Promise<number> {
  const { outDir, plan } = task;
  const name = `chunk ${chunk.place}`;
  if (await isWhole(outDir, chunk, plan)) return print(`${name}: it has its rows already`);
  const startMs = performance.now();
  const sessions = sessionsIn(chunk, plan);
  await playChunks(task, [chunk], { threads: 1, count: sessions });
  return print(`${name}: ${formatPlayed(sessions, performance.now() - startMs)}`);
}

async function playAll(
  task: RowTask,
  { shard, threads = availableParallelism() }: RowOptions,
): Promise<number> {
  const { outDir, plan } = task;
  const asked = chunksOf(plan).filter(({ place }) => isOfShard(place, shard));
  const toDo: Chunk[] = [];
  for (const chunk of asked) if (!(await isWhole(outDir, chunk, plan))) toDo.push(chunk);
  const count = toDo.reduce((sum, chunk) => sum + sessionsIn(chunk, plan), 0);
  print(
    `to simulate: ${formatInteger(toDo.length)} of ${formatCount(asked.length, 'chunk')}, ${formatCount(count, 'session')}; rows: ${rowDirOf(outDir)}`,
  );
  if (toDo.length === 0) return EXIT.done;
  const startMs = performance.now();
  await playChunks(task, toDo, { threads, count });
  return print(formatPlayed(count, performance.now() - startMs));
}

/** On threads also where there is one chunk: this one keeps the heartbeat of the folder's lock and listens for Ctrl-C. */
async function playChunks(
  task: RowTask,
  chunks: readonly Chunk[],
  { threads, count }: { readonly threads: number; readonly count: number },
): Promise<void> {
  const progress = rowProgress(count);
  try {
    await runWorkers<RowTask, Chunk, ChunkDone>(task, chunks, {
      entry: 'rowWorker',
      workers: threads,
      onDone: ({ sessions }) => progress.done(sessions),
    });
  } finally {
    progress.end();
  }
}

/** Shard i of n has every n-th chunk. */
function isOfShard(place: number, shard: string | undefined): boolean {
  if (shard === undefined) return true;
  const [part, parts] = shard.split('/').map(Number) as [number, number];
  return (place - part) % parts === 0;
}

const formatPlayed = (sessions: number, tookMs: number): string =>
  `${formatCount(sessions, 'session')} simulated in ${formatDuration(tookMs)}, ${formatRate(sessions, tookMs)}`;

async function printResult(
  campaign: RowCampaign,
  outDir: string,
  { metrics }: Pick<RowOptions, 'metrics'>,
): Promise<number> {
  const { plan, finished, versions } = await readRows(campaign, outDir, metrics);
  return print([formatSimulated(plan, finished, { metrics }), ...formatVersions(versions)].join('\n'));
}

/** Rules and player model may differ between versions, also where the plan and the definitions of metrics do not. */
export const formatVersions = (versions: readonly string[]): string[] =>
  versions.length < 2
    ? []
    : [
        `The rows were simulated by ${versions.length} versions of Pitwall (${versions.join(', ')}): rules or the player model may differ.`,
      ];

function print(text: string): 0 {
  process.stdout.write(`${text}\n`);
  return EXIT.done;
}

/** Where progress goes: standard error, or a test. */
interface Screen {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/** Sessions are counted while they are simulated. */
interface RowProgress {
  done(sessions: number): void;
  /** Takes the line away, where there is a terminal. */
  end(): void;
}

/** Where nobody watches, a line so often at most. */
const EVERY_MS = 60_000;

/** Shows how many sessions are simulated, how many a second, and how long the others take. `nowMs` is a clock. */
export function rowProgress(
  total: number,
  screen: Screen = process.stderr,
  nowMs: () => number = () => performance.now(),
): RowProgress {
  const startMs = nowMs();
  let [count, shownMs] = [0, startMs];
  return {
    done(sessions) {
      count += sessions;
      const atMs = nowMs();
      const line = formatProgress({ count, total, tookMs: atMs - startMs });
      if (screen.isTTY) screen.write(`\r${line}\x1b[K`);
      else if (atMs - shownMs >= EVERY_MS) {
        screen.write(`${line}\n`);
        shownMs = atMs;
      }
    },
    end: () => void (screen.isTTY && screen.write('\r\x1b[K')),
  };
}

interface Counted {
  readonly count: number;
  readonly total: number;
  readonly tookMs: number;
}

/** `12,000 of 1,000,000 sessions, 310 a second, 53 min 7 s left`. */
export function formatProgress({ count, total, tookMs }: Counted): string {
  const leftMs = count > 0 ? (tookMs / count) * (total - count) : 0;
  return `${formatInteger(count)} of ${formatInteger(total)} sessions, ${formatRate(count, tookMs)}, ${formatDuration(leftMs)} left`;
}

/** `310 a second`, `0.5 a second`. */
function formatRate(count: number, tookMs: number): string {
  const rate = (1000 * count) / Math.max(1, tookMs);
  return `${rate < 10 ? formatNumber(rate, 1) : formatInteger(Math.round(rate))} a second`;
}
