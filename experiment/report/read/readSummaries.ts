import { availableParallelism } from 'node:os';
import { readSummary, type SummaryPlace } from './readSummary.ts';
import {
  type PlannedSession,
  type PlannedVariant,
  PLAN_SCHEMA,
  type CampaignPlan,
} from '../../design/plan.ts';
import { variants } from '../../design/variants.ts';
import type { ReadSession } from '../reportSource.ts';
import { progressOf } from '../../simulate/playAll.ts';
import { runWorkers } from '../../simulate/runWorkers.ts';
import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { readFile } from 'node:fs/promises';
import { formatFileError } from '../../../node/files.ts';
import { CampaignFile } from '../../design/campaignFile.ts';
import { isRowPlan } from '../../design/rowPlan.ts';
import { checkOf } from '../../../src/telemetry/schema/checkOf.ts';

/** The input of every thread. */
export interface SummaryTask extends SummaryPlace {
  readonly sessions: readonly PlannedSession[];
}

/** Some of the sessions; `to` is not included. */
export interface SummaryJob {
  readonly from: number;
  readonly to: number;
}

export interface SummaryDone extends SummaryJob {
  readonly read: readonly ReadSession[];
}

const SESSIONS = 16;
/** Below this a thread takes longer to start than the logs take. */
const WORTH_THREADS = 100;
/** Each holds a log and what it parses it into; more than these read faster than one thread takes their summaries. */
const MAX_THREADS = 6;

/** Reads all sessions of a plan, on several cores where there are many; the answers are in the plan's order. */
export async function readSummaries(task: SummaryTask): Promise<readonly ReadSession[]> {
  const count = task.sessions.length;
  if (count < WORTH_THREADS) return task.sessions.map((session) => readSummary(task, session));
  const jobs = Array.from({ length: Math.ceil(count / SESSIONS) }, (_, part) => ({
    from: part * SESSIONS,
    to: Math.min((part + 1) * SESSIONS, count),
  }));
  const found = new Array<ReadSession>(count);
  const progress = progressOf(count, 'sessions');
  try {
    await runWorkers<SummaryTask, SummaryJob, SummaryDone>(task, jobs, {
      entry: 'summaryWorker',
      workers: Math.min(MAX_THREADS, availableParallelism()),
      onDone: ({ from, to, read }) => {
        for (const [index, each] of read.entries()) found[from + index] = each;
        progress.done(to - from);
      },
    });
  } finally {
    progress.end();
  }
  return found;
}

const checkCampaign = checkOf(CampaignFile);

/** The plan that lies in a campaign's folder. @throws Error in one sentence */
export async function readPlan(folder: string): Promise<CampaignPlan> {
  if (!existsSync(folder)) throw new Error(`${folder}: There is no such folder.`);
  if (!statSync(folder).isDirectory())
    throw new Error(`${folder}: This is a file; name a campaign folder that "pitwall compare" wrote.`);
  const file = path.join(folder, 'plan.json');
  if (!existsSync(file))
    throw new Error(
      `${folder}: This is not a campaign folder: it has no plan.json, which "pitwall compare CAMPAIGN.json" writes.`,
    );
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new Error(formatFileError(file, error));
  });
  if (isRowPlan(text))
    throw new Error(
      `${folder}: This folder has rows of metrics without session logs, and this command needs logs. Table and verdicts: pitwall compare CAMPAIGN.json --simulate --table --out ${folder}`,
    );
  const plan = parsed(file, text);
  const fault = faultOf(plan);
  if (fault !== null) throw new Error(`${file}: ${fault}`);
  return plan as CampaignPlan;
}

function parsed(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`${file}: The plan is not valid JSON, or it is cut off.`);
  }
}

/** What is wrong with a plan, in one sentence; the sessions themselves are held to their logs. */
function faultOf(value: unknown): string | null {
  const plan = value as Partial<CampaignPlan> | null;
  if (plan?.schema !== PLAN_SCHEMA)
    return `The plan has another version: /schema should be "${PLAN_SCHEMA}".`;
  const fault = checkCampaign(plan.campaign);
  if (fault) return `/campaign${fault.path} is not valid in a campaign.`;
  if (!Array.isArray(plan.networks)) return '/networks should be a list.';
  if (!Array.isArray(plan.sessions) || plan.sessions.length === 0)
    return '/sessions should be a list that is not empty.';
  const wrong = wrongSession(plan.sessions);
  if (wrong >= 0) return `/sessions/${wrong} is not a planned session.`;
  const place = (plan.variants ?? []).findIndex(
    (each: Partial<PlannedVariant> | null) =>
      !variants.some(({ id }) => id === each?.variant) ||
      ![each?.pairs, each?.networks, each?.sessions].every(Array.isArray) ||
      wrongSession(each!.sessions!) >= 0,
  );
  return place < 0 ? null : `/variants/${place} is not a variant of this version.`;
}

/** The place of the first session whose id could be no file, or that has no design; -1: there is none. */
const wrongSession = (sessions: readonly Partial<PlannedSession>[]): number =>
  sessions.findIndex(
    ({ id, design } = {} as never) => typeof id !== 'string' || !isDesign(design) || !/^[\w.-]+$/.test(id),
  );

const isDesign = (design: unknown): boolean => {
  const { arm, pair, cell } = (design ?? {}) as Record<string, unknown>;
  return [arm, pair, cell].every((name) => typeof name === 'string');
};
