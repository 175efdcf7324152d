import path from 'node:path';
import { print, warn } from '../../node/print.ts';
import { formatPairs } from './askedSessions.ts';
import { formatTables } from './campaignTable.ts';
import { finishedSessions } from './finishedSessions.ts';
import {
  formatFailures,
  formatNotShown,
  formatPair,
  formatUnchanged,
  formatVerdicts,
  type PairOutcome,
} from './formatOutcome.ts';
import { formatDryRun, formatFairness, formatReach } from './formatPlan.ts';
import { planOfFolder, readPlan } from './keepPlan.ts';
import { planToShow, resolveForLab } from './refusals.ts';
import { pairsAtOnce, type LabFile, type RunOptions } from './runOptions.ts';
import type { CampaignPlan } from '../design/plan.ts';
import { sessionsToPlay } from '../design/variants.ts';
import type { Metric } from '../../src/analysis/metrics/metric.ts';

/** What is asked about a campaign before it is played. */
export interface PlanOptions extends LabFile, Pick<RunOptions, 'workers' | 'shard'> {
  readonly listPairs?: boolean;
  readonly dryRun?: boolean;
  /** For `dryRun`: the stated standard deviation of a pair's difference, in the unit of the margin. */
  readonly spread?: number;
}

/** Prints the pairs of a campaign, or what would be played, and which traces are missing. Resolves to the exit code. */
export async function showPlan({ listPairs, spread, ...options }: PlanOptions): Promise<number> {
  const { plan, lacking } = await planToShow(options);
  print(listPairs ? formatPairs(plan) : formatDryRun(plan, pairsAtOnce(options), spread ?? null));
  lacking.forEach(warn);
  return 0;
}

/** Prints the table of what the folder of a campaign has. Resolves to the exit code. */
export async function showTable({
  metrics,
  out,
  ...given
}: LabFile & Pick<RunOptions, 'out' | 'metrics'>): Promise<number> {
  const { plan } = await resolveForLab(given);
  const outDir = path.resolve(out ?? path.join('runs', plan.campaign.name));
  print(formatResult(planOfFolder(outDir, plan), outDir, metrics));
  return 0;
}

/** Prints the table of a folder that has a plan, by that plan and its logs alone. */
export function showFolder(outDir: string, metrics: readonly Metric[]): void {
  print(formatResult(readPlan(outDir), outDir, metrics));
}

/** Prints what came of a pair that was played alone, and returns it. */
export function showPair(outDir: string, pair: { readonly id: string; readonly name: string }): PairOutcome {
  const plan = readPlan(outDir);
  const { campaign } = plan;
  const sessions = sessionsToPlay(plan).filter(({ design }) => design.pair === pair.id);
  const outcome = formatPair(sessions, finishedSessions({ campaign, sessions }, outDir, []), pair.name);
  print(outcome.lines.join('\n'));
  return outcome;
}

function formatResult(plan: CampaignPlan, outDir: string, metrics: readonly Metric[]): string {
  const finished = finishedSessions(plan, outDir, metrics);
  return [
    ...formatTables(plan, finished, metrics),
    ...formatNotShown(plan, finished),
    ...formatUnchanged(plan, finished),
    formatFailures(outDir),
    formatReach(plan),
    formatVerdicts(plan, finished),
    ...formatFairness(plan),
  ].join('\n');
}
