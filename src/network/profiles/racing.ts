import { kernelQueue, type Profile, type ProfileStep } from '../profile.ts';
import type { ProfileFamily } from '../profileFamily.ts';

/**
 * The patterns of the racing paper's Table II: the rates of one round trip between the ends of a pattern, and how long
 * each is kept. DH jumps by 256 kbit/s every 240 s, DL by 256 every 240 s, DVL by 64 every 60 s.
 */
const PATTERNS = [
  { id: 'dh', label: 'Dynamic High', ratesKbps: [1152, 896], keptSeconds: 240 },
  { id: 'dl', label: 'Dynamic Low', ratesKbps: [640, 384, 128, 384], keptSeconds: 240 },
  { id: 'dvl', label: 'Dynamic Very Low', ratesKbps: [64, 128, 192, 256, 192, 128], keptSeconds: 60 },
] as const;

/** Patterns of rates of the racing paper. */
export const racing: readonly Profile[] = PATTERNS.map(ratePattern);

/**
 * A pattern goes back and forth between two rates for ever (§V-A, "Network Setup"). The paper shapes with mm-link and says
 * neither its delay, its queue nor its uplink. Chosen here: 50 ms, a cache far off in the same country; the deep queue
 * that mm-link has by default (the paper sees RTTs beyond 10 s, §VIII-B, which takes one); no limit on the uplink, so that
 * the pattern alone is the bottleneck; no random loss; the rate at which a pattern turns is kept for one step, not two.
 */
function ratePattern({ id, label, ratesKbps, keptSeconds }: (typeof PATTERNS)[number]): Profile {
  return {
    id,
    label,
    paper: 'Chaudhary et al., Managing Connections by QUIC-TCP Racing, 2024, Table II',
    steps: ratesKbps.map((downKbps) => patternStep(downKbps, { keptSeconds, rttMs: 50 })),
    repeat: true,
    queue: kernelQueue,
  };
}

function patternStep(
  downKbps: number,
  { keptSeconds, rttMs }: { keptSeconds: number; rttMs: number },
): ProfileStep {
  return { durationMs: keptSeconds * 1000, downKbps, upKbps: null, rttMs, lossDown: 0, lossUp: 0 };
}

/** Steps of DVL. */
const DVL_STEPS = 6;

/**
 * Networks like DVL: six steps of 60 s, each with a rate that is drawn by itself. So levels and their order are drawn, where
 * DVL has one order of four levels.
 */
export const dvlLikeFamily: ProfileFamily<'kbps' | 'rttMs'> = {
  id: 'dvl-like',
  label: 'Like Dynamic Very Low',
  parameters: [
    { id: 'kbps', word: '', min: 8, max: 100_000, scale: 'log', step: 1, usual: 128, count: DVL_STEPS },
    { id: 'rttMs', word: 'rtt', min: 1, max: 5000, scale: 'log', step: 1, usual: 50, count: 1 },
  ],
  profile: ({ kbps, rttMs }) => ({
    id: 'dvl-like',
    label: 'Like Dynamic Very Low',
    paper: 'Ours: after DVL of Chaudhary et al., Managing Connections by QUIC-TCP Racing, 2024, Table II',
    steps: kbps.map((downKbps) => patternStep(downKbps, { keptSeconds: 60, rttMs: rttMs[0]! })),
    repeat: true,
    queue: kernelQueue,
  }),
};
