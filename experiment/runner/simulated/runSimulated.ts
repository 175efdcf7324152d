import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { print } from '../../../node/print.ts';
import { playSimulated } from './playSimulated.ts';
import { simulatedContents } from './simulatedSession.ts';
import { formatDryRun } from '../formatPlan.ts';
import { finishedSessions, readOwnLog } from '../finishedSessions.ts';
import { isWithoutLosses, formatSimulated } from './formatNotSimulated.ts';
import { refuseSimulated } from './refuseSimulated.ts';
import { isRowFolder } from './rows/rowCampaign.ts';
import { runRows, type RowOptions } from './rows/runRows.ts';
import { refuseOtherKind } from '../refusals.ts';
import { planOfFolder } from '../keepPlan.ts';
import { openRunFolder } from '../runFolder.ts';
import { instrumentedOf, labPlan } from '../instrumentedPlan.ts';
import { resolveHead, withSessions, type Resolved } from '../../resolve/resolve.ts';
import { logDirOf } from '../../../node/logFiles.ts';
import { EXIT } from '../../../node/exitCodes.ts';
import { whileHolding } from '../../session/lock/whileHolding.ts';
import type { RunOptions } from '../runOptions.ts';
import type { PlanOptions } from '../showCampaign.ts';
import type { CampaignPlan, PlanHead } from '../../design/plan.ts';
import { faultOfSize } from '../../design/campaignFaults.ts';
import { hasLoss } from '../../design/networks.ts';
import { networksToPlay, sessionsToPlay } from '../../design/variants.ts';
import { verdictReach } from '../../verdict/verdictReach.ts';

/**
 * Plays a campaign's plan in the player model instead of the lab and prints its table and its verdicts: all of it anew with
 * session logs, or the chunks that are missing where each session becomes a row of metrics. Resolves to the exit code.
 * @throws Error in one sentence
 */
export async function runSimulated(
  options: Pick<RunOptions, 'out'> & Pick<PlanOptions, 'dryRun' | 'spread'> & RowOptions,
): Promise<number> {
  const { file, metrics } = options;
  const head = await resolveHead(file);
  const { campaign } = head.plan;
  refuseOtherKind(campaign, { file });
  const outDir = path.resolve(options.out ?? path.join('runs', `${campaign.name}-simulated`));
  if (options.dryRun) return printDryRun(withSessions(head).plan, file, options.spread);
  if (isOfRows(options, outDir)) {
    if (campaign.robustTo) throw new Error(`${file}: /robustTo: ${NO_ROWS}`);
    return runRows(options, { resolved: head, outDir });
  }
  const asked = ofLogs(head);
  const plan = options.table ? planOfFolder(outDir, asked.plan) : asked.plan;
  if (!options.table) await play(asked, outDir, options);
  const withoutLosses = isWithoutLosses(
    plan,
    (session) => readOwnLog(outDir, session)?.environment.settings ?? null,
  );
  print(formatSimulated(plan, finishedSessions(plan, outDir, metrics), { metrics, withoutLosses }));
  return EXIT.done;
}

function printDryRun(plan: CampaignPlan, file: string, spread: number | undefined): number {
  refuseSimulated(plan, file);
  print([formatDryRun(plan, 'simulated', spread ?? null), formatCopies(plan) ?? []].flat().join('\n'));
  return EXIT.done;
}

/** Whether rows are asked for, or a table of the rows that a folder has. */
const isOfRows = ({ rows, listChunks, chunk, table }: RowOptions, outDir: string): boolean =>
  rows === true || listChunks === true || chunk !== undefined || (table === true && isRowFolder(outDir));

const NO_ROWS = 'Variants need session logs: leave out "robustTo", or --rows.';

/** A campaign that is not too large for session logs, with its sessions. @throws Error in one sentence */
function ofLogs(head: Resolved<PlanHead>): Resolved {
  const tooLarge = faultOfSize(head.plan.campaign);
  if (tooLarge !== null) throw new Error(`${head.file}: /repeats: ${tooLarge}`);
  return withSessions(head);
}

async function play(resolved: Resolved, outDir: string, { trust }: Pick<RunOptions, 'trust'>): Promise<void> {
  const { plan, weights } = resolved;
  refuseSimulated(plan, resolved.file);
  const { campaign } = plan;
  const sessions = sessionsToPlay(plan);
  const contents = await simulatedContents(resolved, { print, trust });
  const logDir = logDirOf(outDir);
  const { seconds, preset } = campaign;
  await whileHolding(outDir, undefined, async () => {
    openRunFolder(outDir, plan, { simulates: true });
    mkdirSync(logDir, { recursive: true });
    print(`${sessions.length} sessions are simulated; logs: ${logDir}`);
    // The folder keeps the plan that older versions made; its origin is as the lab would start it.
    const instrumented = instrumentedOf(labPlan(plan));
    await playSimulated({
      sessions,
      networks: networksToPlay(plan),
      contents,
      seconds,
      preset,
      logDir,
      weights,
      ...(instrumented && { instrumented }),
    });
    return EXIT.done;
  });
}

/**
 * How many pairs of a plan can differ in the simulator, where that is fewer than there are: only random losses and rules
 * with random draws differ by a seed, so what meets the same moment of another network again is played the same again.
 * null where all can.
 */
export function formatCopies({ campaign, networks, sessions }: CampaignPlan): string | null {
  const pairs = new Set(sessions.map(({ design }) => design.pair)).size;
  const lossy = new Set(networks.filter(({ profile }) => hasLoss(profile)).map(({ name }) => name));
  const met = sessions.map(({ link, content, design }) =>
    JSON.stringify([
      ...[link?.network, link?.phaseMs, content, design.seed],
      link && lossy.has(link.network) ? link.seed : null,
    ]),
  );
  const different = new Set(met).size;
  if (different === pairs) return null;
  const { pairsNeeded, comparisons, unit } = verdictReach(campaign);
  const tests = comparisons === 1 ? 'a verdict needs' : 'verdicts need';
  return `simulated: at most ${different} of ${pairs} pairs can differ, the others are copies that do not count; ${tests} ${pairsNeeded}${unit === 'pair' ? '' : ` ${unit}s`} (with phase "drawn" more pairs differ)`;
}
