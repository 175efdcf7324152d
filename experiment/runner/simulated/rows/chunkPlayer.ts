import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { chunkBytes, chunkFile, rowOf } from './chunkFiles.ts';
import { simulatedRule, simulatedSession, type SimulatedCampaign } from '../simulatedSession.ts';
import { rulesWith, type GivenWeights } from '../../../resolve/weights.ts';
import { writeAtomically } from '../../../../node/files.ts';
import { rowDirOf } from '../../../../node/logFiles.ts';
import type { PlanHead } from '../../../design/plan.ts';
import { plannedPairs } from '../../../design/planCampaign.ts';
import type { Chunk, RowPlan } from '../../../design/rowPlan.ts';
import type { Cell } from '../../../../src/export/table.ts';

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
