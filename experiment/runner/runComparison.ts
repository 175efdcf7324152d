import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { print } from '../../node/print.ts';
import { campaignTable } from './campaignTable.ts';
import { finishedSession, type FinishedSession } from './finishedSessions.ts';
import { labPlan } from './instrumentedPlan.ts';
import { prepare } from './prepare.ts';
import { whileHolding } from '../session/lock/whileHolding.ts';
import { printOffers } from './offers.ts';
import { formatOtherProtocols } from '../session/otherProtocols.ts';
import { checkPathways } from '../session/pathwayOffers.ts';
import { titleOf } from '../session/plan.ts';
import { pairsAtOnce, type RunOptions } from './runOptions.ts';
import { playCampaign, type CampaignOptions } from './runCampaign.ts';
import { EXIT } from '../../node/exitCodes.ts';
import { formatDryRun } from './formatPlan.ts';
import { playSessions, type ReadyToPlay, type WhenReady } from './playSessions.ts';
import type { CampaignPlan, PlannedSession } from '../design/plan.ts';
import { sendersOf, USUAL_SENDERS } from '../factors/sendersOf.ts';
import { resolveComparison, resolvePairs, type Comparison } from '../resolve/comparison.ts';
import { OPTIONS } from '../resolve/resolve.ts';
import { controllerMissing, instrumentedMissing } from '../../lab/origin/instrumentedMissing.ts';
import { formatFinding } from '../../src/analysis/diagnostics/diagnostics.ts';
import { missingLevel } from '../../src/analysis/diagnostics/errors.ts';
import type { Metric } from '../../src/analysis/metrics/metric.ts';
import { valueOf } from '../../src/shared/result.ts';
import { readSession } from '../../src/telemetry/schema/readSession.ts';
import type { SessionLog } from '../../src/telemetry/schema/sessionLog.ts';
import { timeStamp } from '../../node/files.ts';

/**
 * Plays each session of a comparison by itself, whatever a folder has, and prints them side by side: one session of each says
 * nothing about which is better. Resolves to the exit code. @throws Error in one sentence
 */
export async function runComparison(comparison: Comparison, options: RunOptions): Promise<number> {
  const resolved = await resolveComparison(comparison);
  const plan = labPlan(resolved.plan);
  refuseOrigin(comparison);
  const outDir = path.resolve(options.out ?? path.join('runs', timeStamp()));
  const code = await whileHolding(outDir, options.shard, async () => {
    const prepared = await prepare({ ...resolved, plan }, { ...options, outDir, print });
    const { sessions } = plan;
    const { pathways = [], seconds } = comparison;
    const ready: WhenReady = async (place) => {
      await lookAround(comparison, place);
      print(`${sessions.length} sessions of ${seconds} s each; logs: ${path.relative('.', outDir)}`);
    };
    const part = options.shard;
    return playSessions(options, { plan, outDir, sessions, part, prepared, alone: { pathways }, ready });
  });
  print(formatTable(plan, outDir, options.metrics));
  if (plan.sessions.length > 1 && comparison.pathways === undefined) print(NO_ANSWER);
  return code;
}

const NO_ANSWER =
  'One session each cannot show which is better: --pairs 12 with a new --out ends in a report.';

/** How pairs are played. */
interface PairOptions extends Omit<CampaignOptions, 'file'> {
  readonly pairs: number;
  readonly outDir: string;
  /** Whether only what it would take is printed. */
  readonly dryRun?: boolean;
  readonly spread?: number;
}

/**
 * Plays a comparison in pairs, like a campaign of its options: what it will take is said first, and the same command with the
 * same folder goes on where it was ended. Resolves to the exit code. @throws Error in one sentence
 */
export async function runPairs(
  comparison: Comparison,
  { pairs, dryRun, spread, ...options }: PairOptions,
): Promise<number> {
  const resolved = await resolvePairs(comparison, pairs);
  const plan = labPlan(resolved.plan);
  refuseOrigin(comparison);
  print(formatDryRun(plan, pairsAtOnce(options), spread ?? null));
  print(
    `compared: ${plan.campaign.compare}, by the join time; the report has all other metrics without a verdict`,
  );
  if (dryRun) return EXIT.done;
  const ready: WhenReady = async (place) => {
    const missing = await lookAround(comparison, place);
    const mode = comparison.transports.find((each) => missing.includes(each));
    if (mode !== undefined)
      throw new Error(
        `${comparison.mpd}: The server does not play ${mode} (above), so pairs would compare something else: leave it out of --transports, or ask pitwall doctor why.`,
      );
  };
  return playCampaign({ ...resolved, plan }, { ...options, file: OPTIONS, out: options.outDir }, ready);
}

/** @throws Error in one sentence about an instrumented origin that cannot be had here */
function refuseOrigin({ origin, controller }: Comparison): void {
  if (origin !== 'instrumented') return;
  const { tcp } = controller === undefined ? USUAL_SENDERS : valueOf(sendersOf(controller));
  const missing = instrumentedMissing() ?? controllerMissing(tcp);
  if (missing !== null) throw new Error(`--origin instrumented: ${missing}.`);
}

/**
 * Prints what the servers of a stream elsewhere offer, and returns the modes that they do not. @throws Error in one sentence where
 * they offer too little
 */
async function lookAround({ mpd, pathways }: Comparison, place: ReadyToPlay): Promise<readonly string[]> {
  if (mpd === undefined) return [];
  const missing = await printOffers(mpd, place, print);
  const { trusted, appUrl } = place;
  const pageOrigin = new URL(appUrl).origin;
  if (pathways)
    await checkPathways(mpd, pathways, { pageOrigin, print, ...(trusted && { ca: trusted.pem }) });
  return missing;
}

/** Formats the table of the logs in `outDir`, and below it what a reader of its numbers must know. */
export function formatTable(plan: CampaignPlan, outDir: string, metrics: readonly Metric[]): string {
  const read = plan.sessions.map((session) => ({ session, ...readLog(outDir, session) }));
  const finished = new Map<string, FinishedSession>(
    read.flatMap(({ session, log }) =>
      log === null ? [] : [[session.id, finishedSession(session, log, metrics)] as const],
    ),
  );
  const notices = read.flatMap(({ session, log, missing }) => {
    const why = finished.get(session.id)?.whyNotPlayed ?? null;
    const notices = log === null ? [missing] : noticesOf(log);
    return [
      ...(why === null ? [] : [`${titleOf(session)} showed no frame: ${why}`]),
      ...notices.map((notice) => `${titleOf(session)}: ${notice}`),
    ];
  });
  const table = campaignTable(plan, finished, metrics, { isOnePair: true });
  return `${table}${notices.map((line) => `\n${line}`).join('')}`;
}

type ReadLog =
  { readonly log: SessionLog; readonly missing: null } | { readonly log: null; readonly missing: string };

function readLog(outDir: string, { id }: PlannedSession): ReadLog {
  const file = path.join(outDir, `${id}.json`);
  if (!existsSync(file))
    return { log: null, missing: 'there is no log: the session was not played, or the lab failed' };
  const log = readSession(readFileSync(file, 'utf8'));
  return log.ok ? { log: log.value, missing: null } : { log: null, missing: log.error };
}

/** Returns in what way a session played something else than its line says, a sentence each. */
function noticesOf(log: SessionLog): string[] {
  const watch = missingLevel.watch(log);
  for (const event of log.events) watch.see(event);
  const other = formatOtherProtocols(log);
  return [...watch.findings([]).map(formatFinding), ...(other === null ? [] : [other])];
}
