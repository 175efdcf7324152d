import path from 'node:path';
import { campaignTable } from './campaignTable.ts';
import { dryRunText, reachText } from './dryRunText.ts';
import { failuresText } from './failuresText.ts';
import { keepPlan } from './keepPlan.ts';
import { loadCampaign } from './loadCampaign.ts';
import { logDirOf, sessionsToDo } from './sessionsToDo.ts';
import { durationWords } from '../../../src/campaign/durationWords.ts';
import type { CampaignPlan, PlannedSession } from '../../../src/campaign/plan.ts';
import { wallTime, WEEK_MS } from '../../../src/campaign/wallTime.ts';
import type { CompareGroup } from '../../../e2e/compare/plan.ts';
import type { CampaignOptions } from '../compareOptions.ts';
import { playAll } from '../playAll.ts';

/** Plays what of a campaign is not played yet and prints its table. Resolves to the exit code. */
export async function runCampaign(options: CampaignOptions): Promise<number> {
  const plan = await loadCampaign(options.file);
  const machines = Number(options.shard?.split('/')[1] ?? 1);
  const outDir = path.resolve(options.out ?? path.join('runs', plan.campaign.name));
  if (options.dryRun) return print(dryRunText(plan, options.workers * machines));
  if (options.table) return print(resultText(plan, outDir));
  refuse(plan, { ...options, machines });
  keepPlan(outDir, plan);
  const toDo = sessionsToDo(plan, outDir).length;
  print(`${toDo} of ${plan.sessions.length} sessions are to be played; logs go to ${logDirOf(outDir)}`);
  const code = toDo === 0 ? 0 : await playPlan(options, plan, outDir);
  print(resultText(plan, outDir));
  return code;
}

const resultText = (plan: CampaignPlan, outDir: string): string =>
  [campaignTable(plan, outDir), failuresText(outDir), reachText(plan)].join('\n');

/** @throws Error in one sentence about a campaign that should not begin. */
function refuse(
  plan: CampaignPlan,
  { workers, machines, long, file }: CampaignOptions & { machines: number },
) {
  if (plan.networks.length > 0)
    throw new Error(
      `${file}: /profiles: Sessions over emulated links are not there yet; with "profiles": [] the campaign can be played now, and --dry-run plans it as it is.`,
    );
  const { wallMs } = wallTime(plan, workers * machines);
  if (wallMs >= WEEK_MS && !long)
    throw new Error(
      `${file}: The campaign would take ${durationWords(wallMs)}: make it smaller, share it out (--shard, --workers), or say --long.`,
    );
}

const playPlan = (options: CampaignOptions, plan: CampaignPlan, outDir: string): Promise<number> =>
  playAll(options, {
    outDir,
    logDir: logDirOf(outDir),
    seconds: plan.campaign.seconds,
    presetId: plan.campaign.preset,
    groups: (demoUrl) => groupsOf(plan.sessions, demoUrl),
  });

function groupsOf(sessions: readonly PlannedSession[], demoUrl: (id: string) => string): CompareGroup[] {
  const groups = new Map<string, CompareGroup['cells'][number][]>();
  for (const { id, rule, transport, content, design } of sessions) {
    const isOwn = content === 'demo';
    const cell = { id, rule, transport, design, isOwn, mpdUrl: isOwn ? demoUrl(id) : content };
    groups.set(design.pair, [...(groups.get(design.pair) ?? []), cell]);
  }
  return [...groups].map(([name, cells]) => ({ name, isPair: true, cells }));
}

function print(text: string): 0 {
  process.stdout.write(`${text}\n`);
  return 0;
}
