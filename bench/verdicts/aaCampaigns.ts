import { valueOf } from '../../src/shared/result.ts';
import type { CampaignFile } from '../../experiment/design/campaignFile.ts';
import type { CampaignPlan, Network, PlannedSession } from '../../experiment/design/plan.ts';
import { planCampaign } from '../../experiment/design/planCampaign.ts';
import { startingFile } from '../../experiment/design/startingFile.ts';
import { networkProfiles } from '../../src/network/profiles/registry.ts';
import { pick } from '../../src/shared/registry.ts';
import { seededRandom, seededNormals } from '../../src/analysis/statistics/random.ts';
import type { ReportSource } from '../../experiment/report/reportSource.ts';
import { type SessionSummary, sessionSummary } from '../../experiment/report/sessionSummary.ts';
import { simulatedSession } from '../../experiment/runner/simulated/simulatedSession.ts';
import { playbackHashOf } from '../../experiment/runner/finishedSessions.ts';
import type { Profile } from '../../src/network/profile.ts';
import { envivio } from '../../src/sim/envivio.ts';

const NETWORK = 'np2b-typical-delay-typical-loss';

/** Plans a campaign of one arm under several names, each compared with each. The margin is 0, so nothing is equivalent. */
export function aaPlan(
  changes: Pick<CampaignFile, 'repeats' | 'seconds'> & Partial<CampaignFile>,
): CampaignPlan {
  const campaign: CampaignFile = {
    ...startingFile,
    name: 'aaLabels',
    rules: ['throughput'],
    transports: ['h2'],
    aaLabels: ['a', 'b'],
    compare: 'aaLabels',
    profiles: [NETWORK],
    phase: 'drawn',
    seeds: [1],
    primary: 'mean-bitrate',
    margin: 0,
    ...changes,
  };
  return valueOf(planCampaign(campaign, [{ name: NETWORK, profile: pick(networkProfiles, NETWORK) }]));
}

/**
 * Makes a campaign between whose arms nothing differs: every session of a pair is another play of that pair's pool, drawn
 * without replacement. Every assignment of plays to arms is as likely as any other, so any claim of a report is a false alarm.
 */
export function equalArms(
  plan: CampaignPlan,
  pool: readonly (readonly SessionSummary[])[],
  seed: number,
): ReportSource {
  const random = seededRandom(seed);
  const pairs = [...new Set(plan.sessions.map(({ design }) => design.pair))];
  const left = new Map(pairs.map((pair, index) => [pair, [...pool[index]!]]));
  const sessions = plan.sessions.map(({ id, rule, transport, content, link, design }) => {
    const plays = left.get(design.pair)!;
    const [play] = plays.splice(Math.floor(random() * plays.length), 1);
    return { ...play!, id, rule, transport, content, network: link?.network ?? null, design };
  });
  const outcomes = sessions.map(({ id }) => ({
    id,
    state: 'finished' as const,
    why: null,
    failedTries: [],
    discarded: null,
  }));
  return { plan, sessions, aaSessions: [], flagged: [], outcomes, notes: [] };
}

/** Standard deviation of the logarithm of each step's rate, which is normal: mean bitrates then vary by some percent. */
const NOISE = 0.35;
const PART_MS = 5000;

/**
 * Simulates the first arm of each pair of a plan `plays` times, over one network from one phase, each time with noise of its
 * own on the rate of every 5 s. Arms that are drawn from the plays of one pair do not differ.
 */
export function sessionPool(plan: CampaignPlan, plays: number): SessionSummary[][] {
  const pairs = [...new Map(plan.sessions.map((session) => [session.design.pair, session])).values()];
  return pairs.map((session, pair) =>
    Array.from({ length: plays }, (_, play) => noisyPlay(plan, session, 1 + pair * plays + play)),
  );
}

function noisyPlay(
  { networks, campaign }: CampaignPlan,
  session: PlannedSession,
  seed: number,
): SessionSummary {
  const { seconds, preset } = campaign;
  const contents = Object.fromEntries(
    campaign.contents.map((name) => [name, { ...envivio, manifestBytes: 3000 }]),
  );
  const about = { networks: networks.map((network) => noisy(network, seed)), contents, seconds, preset };
  const log = simulatedSession(about, session);
  return sessionSummary(session, log, playbackHashOf(log));
}

function noisy({ name, profile }: Network, seed: number): Network {
  const next = seededNormals(seed);
  return { name, profile: { ...profile, steps: profile.steps.flatMap((step) => parts(step, next)) } };
}

type Step = Profile['steps'][number];

function parts(step: Step, next: (count: number) => number[]): Step[] {
  const count = Math.max(1, Math.round(step.durationMs / PART_MS));
  return next(count).map((normal) => ({
    ...step,
    durationMs: step.durationMs / count,
    downKbps: step.downKbps === null ? null : Math.max(1, step.downKbps * Math.exp(NOISE * normal)),
  }));
}

/** Arm that has more of the primary metric, and how much more; shift and deviation are shares of the mean of all sessions. */
interface Planted {
  readonly arm: string;
  readonly shift: number;
  /** Standard deviation of a pair's difference. */
  readonly deviation: number;
}

/** Makes a campaign of equal arms, but for the primary metric: the level of the pair, noise, and the shift in one arm. */
export function plantedShift(
  plan: CampaignPlan,
  pool: readonly (readonly SessionSummary[])[],
  { arm, shift, deviation, seed }: Planted & { seed: number },
): ReportSource {
  const source = equalArms(plan, pool, seed);
  const { primary } = plan.campaign;
  const levels = new Map(pool.map((plays) => [plays[0]!.design.pair, levelOf(plays, primary)]));
  const mean = meanLevel(pool, primary);
  // Both arms of a pair vary, so each has a part of the difference's variance.
  const noise = seededNormals(seed)(source.sessions.length).map(
    (normal) => (mean * deviation * normal) / Math.SQRT2,
  );
  const sessions = source.sessions.map((session, index) => {
    const more = session.design.arm.endsWith(`/${arm}`) ? mean * shift : 0;
    const value = levels.get(session.design.pair)! + more + noise[index]!;
    return { ...session, values: { ...session.values, [primary]: value } };
  });
  return { ...source, sessions };
}

/** Returns the mean of a metric over all plays of a pool, the unit of a planted shift and of its deviation. */
export const meanLevel = (pool: readonly (readonly SessionSummary[])[], metric: string): number =>
  pool.reduce((sum, plays) => sum + levelOf(plays, metric), 0) / pool.length;

const levelOf = (plays: readonly SessionSummary[], metric: string): number =>
  plays.reduce((sum, { values }) => sum + (values[metric] ?? 0), 0) / plays.length;
