import path from 'node:path';
import { campaignTable } from './campaignTable.ts';
import { formatDryRun, formatReach, formatFairness } from './formatPlan.ts';
import {
  codeOfPair,
  errorOfPair,
  formatFailures,
  formatNotShown,
  formatPair,
  formatUnchanged,
  formatVerdicts,
} from './formatOutcome.ts';
import {
  countBroken,
  finishedSessions,
  refuseOtherParameters,
  refuseOtherPlayer,
  sessionsToDo,
  setAsideInvalidated,
  type SetAside,
} from './finishedSessions.ts';
import { continuedPlan, keepPlan, planOfFolder } from './keepPlan.ts';
import { askedSessions, formatPairs, pairNamed } from './askedSessions.ts';
import { keepRegistration, type ClaimsOf } from './registration.ts';
import { labPlan } from './instrumentedPlan.ts';
import { prepare } from './prepare.ts';
import { resolveFile, resolveToShow, type Resolved } from '../resolve/resolve.ts';
import { logDirOf } from '../../node/logFiles.ts';
import { refuseFarStreams, refuseOrigin, refuseOtherKind } from './refusals.ts';
import type { Metric } from '../../src/analysis/metrics/metric.ts';
import { formatDuration, campaignDuration, WEEK_MS } from '../design/campaignDuration.ts';
import type { CampaignPlan, PlannedSession } from '../design/plan.ts';
import { linkMissing } from '../../lab/link/linkMissing.ts';
import { isRealTime, NO_PRIORITY } from '../../lab/link/rattanProcess.ts';
import { sweepLinks } from '../../lab/link/sweepLinks.ts';
import type { RunOptions } from './runOptions.ts';
import { partOf, type Part } from '../session/lock/part.ts';
import { whileHolding } from '../session/lock/whileHolding.ts';
import { playSessions } from './playSessions.ts';
import { formatCount } from '../../src/shared/format.ts';

/** What `pitwall compare CAMPAIGN.json` and `pitwall transfer` were asked for; the campaign itself says the rest. */
export interface CampaignOptions extends RunOptions {
  /** The campaign file. */
  readonly file: string;
  /** Whether the campaign is one of transfers; absent: it plays streams. */
  readonly downloads?: boolean;
  readonly dryRun?: boolean;
  /** For `dryRun`: the stated standard deviation of a pair's difference, in the unit of the margin. */
  readonly spread?: number;
  readonly table?: boolean;
  readonly long?: boolean;
  /** Which block is played, from 1; absent: all, one after the other. */
  readonly block?: number;
  /** The pair that is played alone, by its id or its place in the list of pairs; absent: all. */
  readonly pair?: string;
  readonly listPairs?: boolean;
  /** Whether pairs with a session whose last try is invalidated are played once more. */
  readonly again?: boolean;
  /** The claims that are registered; absent: none. */
  readonly claimsOf?: ClaimsOf | undefined;
}

/** Plays what of a campaign is not played yet and prints its table. Resolves to the exit code. */
export async function runCampaign(options: CampaignOptions): Promise<number> {
  if (options.listPairs || options.dryRun) return showPlan(options);
  const resolved = await resolveFile(options.file);
  const plan = checkedPlan(resolved.plan, options);
  const outDir = path.resolve(options.out ?? path.join('runs', plan.campaign.name));
  if (options.table) return print(formatResult(planOfFolder(outDir, plan), outDir, options.metrics));
  refuse(plan, { ...options, machines: machinesOf(options) });
  // A block or pair that there is not is refused before the folder is made.
  const sessions = askedSessions(plan, options);
  const part = partOf({ ...options, pair: placeOf(plan, options) });
  const code = await whileHolding(outDir, part, () =>
    playMissing({ ...options, part }, { resolved: { ...resolved, plan }, outDir, sessions }),
  ).catch((error: unknown) => {
    throw options.pair === undefined ? error : errorOfPair(error);
  });
  const continued = continuedPlan(outDir, plan);
  if (options.pair === undefined) {
    print(formatResult(continued, outDir, options.metrics));
    return code;
  }
  const finished = finishedSessions({ ...continued, sessions }, outDir, options.metrics);
  const { lines, ...outcome } = formatPair(sessions, finished, `pair ${options.pair}`);
  print(lines.join('\n'));
  return codeOfPair(code, outcome);
}

/** Prints what would be played, and which traces are missing. No trace is needed for that. */
async function showPlan(options: CampaignOptions): Promise<number> {
  const { plan: asked, lacking } = await resolveToShow(options.file);
  const plan = checkedPlan(asked, options);
  print(
    options.listPairs
      ? formatPairs(plan)
      : formatDryRun(plan, options.workers * machinesOf(options), options.spread ?? null),
  );
  for (const sentence of lacking) process.stderr.write(`pitwall: ${sentence}\n`);
  return 0;
}

/** Returns a plan as the lab plays it. @throws Error in one sentence about a campaign that it never plays */
function checkedPlan(asked: CampaignPlan, { file, downloads }: CampaignOptions): CampaignPlan {
  const plan = labPlan(asked);
  refuseOtherKind(plan.campaign, { file, downloads });
  refuseFarStreams(plan.campaign, file);
  return plan;
}

const machinesOf = ({ shard }: CampaignOptions): number => Number(shard?.split('/')[1] ?? 1);

const placeOf = (plan: CampaignPlan, { pair, file }: CampaignOptions): number | undefined =>
  pair === undefined ? undefined : pairNamed(plan, { pair, file }).place;

type Playing = CampaignOptions & { readonly part: Part };

/** Part of a resolved campaign that is played, and the folder that it is played into. */
interface Asked {
  readonly resolved: Resolved;
  readonly outDir: string;
  readonly sessions: readonly PlannedSession[];
}

async function playMissing(options: Playing, { resolved, outDir, sessions }: Asked): Promise<number> {
  const { plan: asked } = resolved;
  // A killed run may have left links, also where nothing is left to play.
  if (asked.networks.length > 0) await sweepLinks();
  const plan = keepPlan(outDir, asked);
  refuseOtherPlayer(plan, outDir, { simulates: false });
  refuseOtherParameters(plan, outDir);
  const { claimsOf, part } = options;
  keepRegistration(outDir, plan, { claimsOf, part });
  if (plan.tlsRecords !== asked.tlsRecords)
    print('the folder was begun with TLS records of 16 KiB and goes on with them');
  if (options.again) print(formatAgain(await setAsideInvalidated({ ...plan, sessions }, outDir)));
  const broken = await countBroken({ ...plan, sessions }, outDir, Date.now());
  if (broken > 0) print(formatBroken(broken));
  const toDo = sessionsToDo({ sessions }, outDir).length + broken;
  print(`${toDo} of ${sessions.length} sessions are to be played; logs: ${logDirOf(outDir)}`);
  if (toDo > 0 && plan.networks.length > 0 && !isRealTime()) print(NO_PRIORITY);
  if (toDo === 0) return 0;
  const prepared = await prepare(resolved, { ...options, outDir, print });
  return playSessions(options, { plan, outDir, sessions, prepared });
}

function formatAgain({ invalidated, partners }: SetAside): string {
  if (invalidated === 0) return 'no session was invalidated by host overload';
  const others =
    partners > 0 ? `, with ${formatCount(partners, 'other session')} that they are compared with` : '';
  return `${formatCount(invalidated, 'session was', 'sessions were')} invalidated by host overload and will be repeated${others}`;
}

const formatBroken = (count: number): string =>
  `${formatCount(count, 'finished session')} will be repeated, because a session that it is compared with failed in an earlier run`;

function formatResult(plan: CampaignPlan, outDir: string, metrics: readonly Metric[]): string {
  const finished = finishedSessions(plan, outDir, metrics);
  return [
    campaignTable(plan, finished, metrics),
    ...formatNotShown(plan, finished),
    ...formatUnchanged(plan, finished),
    formatFailures(outDir),
    formatReach(plan),
    formatVerdicts(plan, finished),
    ...formatFairness(plan),
  ].join('\n');
}

/** Refuses a campaign that should not begin. @throws Error in one sentence */
function refuse(
  plan: CampaignPlan,
  { workers, machines, long, file, pair }: CampaignOptions & { machines: number },
) {
  const missing = plan.networks.length > 0 ? linkMissing() : null;
  if (missing !== null)
    throw new Error(
      `${file}: /profiles: ${missing}. On this machine use "profiles": [], which plays without an emulated link.`,
    );
  refuseOrigin(plan.campaign, file);
  const { totalMs } = campaignDuration(plan, workers * machines);
  // Whoever plays one pair at a time counts the time of the campaign.
  if (totalMs >= WEEK_MS && !long && pair === undefined)
    throw new Error(
      `${file}: The campaign would take ${formatDuration(totalMs)}. Make it smaller, split it (--shard, --workers), or use --long.`,
    );
}

function print(text: string): 0 {
  process.stdout.write(`${text}\n`);
  return 0;
}
