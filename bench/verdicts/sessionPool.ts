import { simulatedSession } from '../../experiment/run/simulated/simulatedSession.ts';
import { playbackHashOf } from '../../experiment/run/campaign/playbackHashOf.ts';
import { seededNormals } from '../../src/analysis/statistics/random.ts';
import type { CampaignPlan, Network, PlannedSession } from '../../experiment/plan/plan.ts';
import type { Profile } from '../../src/network/profile.ts';
import { sessionSummary, type SessionSummary } from '../../src/report/sessionSummary.ts';
import { envivio } from '../../src/sim/envivio.ts';

/** Of each step's rate, as a share: its logarithm is normal. A mean bitrate then varies by some percent between plays. */
const NOISE = 0.35;
const PART_MS = 5000;

/**
 * For each pair of a plan so many plays of its first arm, all over the same network from the same phase, each with noise
 * of its own on the rate of every 5 s. Whoever draws arms from one pair's plays draws arms between which nothing differs.
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
