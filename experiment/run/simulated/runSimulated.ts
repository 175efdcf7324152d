import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { formatCopies } from './formatCopies.ts';
import { formatNotSimulated } from './formatNotSimulated.ts';
import { playSimulated } from './playSimulated.ts';
import { refuseSimulated } from './refuseSimulated.ts';
import { simulatedContents } from './simulatedContents.ts';
import { campaignTable } from '../campaign/campaignTable.ts';
import { formatDryRun } from '../campaign/formatDryRun.ts';
import { finishedSessions } from '../campaign/finishedSessions.ts';
import { keepPlan } from '../campaign/keepPlan.ts';
import { loadCampaign } from '../campaign/loadCampaign.ts';
import { logDirOf } from '../../../node/logDirOf.ts';
import { EXIT } from '../../../node/exitCodes.ts';
import { whileHolding } from '../lock/whileHolding.ts';
import { formatVerdicts } from '../campaign/formatVerdicts.ts';
import type { CampaignOptions } from '../compareOptions.ts';
import type { CampaignPlan } from '../../plan/plan.ts';

/**
 * Plays a campaign's plan in the player model instead of the lab, all of it anew, and prints its table and its verdicts.
 * Resolves to the exit code. @throws Error in one sentence
 */
export async function runSimulated(
  options: Pick<CampaignOptions, 'file' | 'out' | 'dryRun' | 'table' | 'metrics'>,
): Promise<number> {
  const plan = await loadCampaign(options.file);
  const outDir = path.resolve(options.out ?? path.join('runs', `${plan.campaign.name}-simulated`));
  const copies = formatCopies(plan);
  if (options.dryRun) {
    // Its time is the lab's: in the simulator it is a matter of seconds.
    print(formatDryRun(plan, 1));
    if (copies !== null) print(copies);
    return 0;
  }
  if (!options.table) await play(plan, outDir, options.file);
  print(formatNotSimulated(plan));
  const finished = finishedSessions(plan, outDir, options.metrics);
  print(campaignTable(plan, finished, options.metrics));
  print(formatVerdicts(plan, finished));
  return 0;
}

async function play(plan: CampaignPlan, outDir: string, file: string): Promise<void> {
  refuseSimulated(plan, file);
  const { campaign, networks, sessions } = plan;
  const contents = await simulatedContents(campaign, { file, print });
  const logDir = logDirOf(outDir);
  const { seconds, preset } = campaign;
  const folder = path.dirname(path.resolve(file));
  await whileHolding(outDir, undefined, async () => {
    keepPlan(outDir, plan);
    mkdirSync(logDir, { recursive: true });
    print(`${sessions.length} sessions are simulated; logs: ${logDir}`);
    await playSimulated({ sessions, networks, contents, seconds, preset, logDir, folder });
    return EXIT.done;
  });
}

const print = (text: string): void => void process.stdout.write(`${text}\n`);
