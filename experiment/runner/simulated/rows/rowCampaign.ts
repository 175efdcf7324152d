import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { makeFolder, writeAtomically } from '../../../../node/files.ts';
import { logDirOf } from '../../../../node/logFiles.ts';
import type { PlanHead } from '../../../design/plan.ts';
import { plannedPairs, sameIds, type PlannedPairs } from '../../../design/planCampaign.ts';
import {
  chunkAt,
  countChunks,
  isRowPlan,
  ROW_PLAN_SCHEMA,
  sampledPairs,
  type Chunk,
  type RowPlan,
} from '../../../design/rowPlan.ts';
import { sessionsInPair } from '../../../factors/arms.ts';
import { usageError } from '../../../../node/exitCodes.ts';
import { DEFINITIONS_VERSION } from '../../../../src/analysis/metrics/definitionChanges.ts';
import type { Content } from '../../../../src/sim/content.ts';

/** A simulated campaign whose sessions become rows. Its sessions are made from its pairs when they are needed. */
export interface RowCampaign {
  readonly head: PlanHead;
  readonly pairs: PlannedPairs;
  readonly plan: RowPlan;
}

/** Pairs of a chunk where nothing else is asked for: some 10 to 60 s of work for one core. */
const CHUNK_PAIRS = 500;

/** `chunkPairs` absent: as the folder was begun, or the usual number. */
export function rowCampaign(
  head: PlanHead,
  { outDir, chunkPairs }: { readonly outDir: string; readonly chunkPairs?: number | undefined },
): RowCampaign {
  const { campaign, networks } = head;
  const pairs = plannedPairs(campaign, networks);
  return {
    head,
    pairs,
    plan: {
      schema: ROW_PLAN_SCHEMA,
      campaign,
      planSha256: hashOf(head, pairs),
      definitions: DEFINITIONS_VERSION,
      sessions: pairs.count * sessionsInPair(campaign),
      pairs: pairs.count,
      chunkPairs: chunkPairs ?? rowPlanIn(outDir)?.chunkPairs ?? CHUNK_PAIRS,
    },
  };
}

/** The networks one by one: the text of all would be hundreds of MB. */
function hashOf({ networks, ...head }: PlanHead, pairs: PlannedPairs): string {
  const hash = createHash('sha256').update(JSON.stringify(head));
  for (const network of networks) hash.update(JSON.stringify(network));
  for (const place of sampledPairs(pairs)) hash.update(JSON.stringify(pairs.sessions(place, place + 1)));
  return hash.digest('hex');
}

const planFile = (outDir: string): string => path.join(outDir, 'plan.json');

/** Whether a folder is one of rows. */
export const isRowFolder = (outDir: string): boolean => rowPlanIn(outDir) !== null;

/** The plan of a folder of rows; null where there is no folder, or one of logs. */
function rowPlanIn(outDir: string): RowPlan | null {
  const file = planFile(outDir);
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  if (!isRowPlan(text)) return null;
  try {
    return JSON.parse(text) as RowPlan;
  } catch {
    throw new Error(`${file}: The plan is not valid JSON, or it is cut off.`);
  }
}

/** A hash of what the segments of a campaign weigh: another machine may have encoded the demo otherwise. */
export const contentsHash = (contents: Readonly<Record<string, Content>>): string =>
  createHash('sha256').update(JSON.stringify(contents)).digest('hex');

/**
 * Writes the plan into a folder, or finds it there from before. @throws Error in one sentence, as `refuseOtherRows`, and where
 * the rows that are there cannot stand beside new ones
 */
export function keepRowPlan(outDir: string, plan: RowPlan): void {
  refuseOtherRows(outDir, plan);
  const before = rowPlanIn(outDir);
  if (before !== null) {
    if (isOther(before.contentsSha256, plan.contentsSha256))
      throw new Error(
        `${planFile(outDir)}: The streams of this machine have segments of other sizes than those that the rows were played with: name another folder with --out.`,
      );
    return;
  }
  makeFolder(outDir);
  writeAtomically(planFile(outDir), `${JSON.stringify(plan, null, 1)}\n`);
}

/** @throws Error in one sentence where a folder has logs, the rows of another plan or version, or chunks of another size */
export function refuseOtherRows(outDir: string, plan: RowPlan): void {
  const logDir = logDirOf(outDir);
  const before = rowPlanIn(outDir);
  if (before === null && (existsSync(planFile(outDir)) || hasFiles(logDir)))
    throw new Error(
      `${outDir}: This folder is one of session logs, and rows need a folder of their own: name another one with --out.`,
    );
  if (before === null) return;
  if (before.planSha256 !== plan.planSha256)
    throw new Error(
      `${planFile(outDir)}: This is the plan of another campaign, or of an earlier version of this one. Name another folder with --out.`,
    );
  if (isOther(before.definitions, plan.definitions))
    throw new Error(
      `${planFile(outDir)}: The rows were computed with definitions ${before.definitions} of the metrics, and this version has ${plan.definitions}: name another folder with --out.`,
    );
  if (before.chunkPairs !== plan.chunkPairs)
    throw new Error(
      `--chunk-pairs ${plan.chunkPairs}: ${outDir} was begun with chunks of ${before.chunkPairs} pairs and goes on with them.`,
    );
}

/** Older folders do not say. */
const isOther = <Value>(before: Value | undefined, now: Value | undefined): boolean =>
  before !== undefined && now !== undefined && before !== now;

const hasFiles = (folder: string): boolean => existsSync(folder) && readdirSync(folder).length > 0;

/** All chunks of a plan, in their order. */
export const chunksOf = (plan: RowPlan): Chunk[] =>
  Array.from({ length: countChunks(plan) }, (_, index) => chunkAt(index + 1, plan));

/** @throws Error in one sentence where there is no such chunk */
export function chunkNamed(place: number, plan: RowPlan, file: string): Chunk {
  const count = countChunks(plan);
  if (place > count)
    throw usageError(`--chunk ${place}: ${file} has chunks 1 to ${count}; --list-chunks names them.`);
  return chunkAt(place, plan);
}

/** @throws Error in one sentence where two sessions have one id. It makes all of them: some seconds for a million. */
export function refuseSameIds({ pairs }: RowCampaign, file: string): void {
  const same = sameIds(idsOf(pairs));
  if (same !== null) throw new Error(`${file}: ${same}`);
}

function* idsOf(pairs: PlannedPairs): Generator<string> {
  for (let place = 0; place < pairs.count; place++)
    for (const { id } of pairs.sessions(place, place + 1)) yield id;
}
