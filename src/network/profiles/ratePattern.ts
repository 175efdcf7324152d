import type { Profile } from '../profile.ts';
import { kernelQueue } from './kernelQueue.ts';

/** A pattern of the racing paper: the rates of one round trip between its ends, and how long each is kept. */
interface RatePattern extends Pick<Profile, 'id' | 'label'> {
  readonly ratesKbps: readonly number[];
  readonly keptSeconds: number;
}

/**
 * The patterns of the racing paper's Table II, which go back and forth between two rates for ever (§V-A, "Network Setup").
 * The paper shapes with mm-link and says neither its delay, its queue nor its uplink. Chosen here: 50 ms, a cache far off
 * in the same country; the deep queue that mm-link has by default (the paper sees RTTs beyond 10 s, §VIII-B, which takes
 * one); no limit on the uplink, so that the pattern alone is the bottleneck; no random loss; the rate at which a pattern
 * turns is kept for one step, not two.
 */
export const ratePattern = ({ id, label, ratesKbps, keptSeconds }: RatePattern): Profile => ({
  id,
  label,
  paper: 'Chaudhary et al., Managing Connections by QUIC-TCP Racing, 2024, Table II',
  steps: ratesKbps.map((downKbps) => ({
    durationMs: keptSeconds * 1000,
    downKbps,
    upKbps: null,
    rttMs: 50,
    lossDown: 0,
    lossUp: 0,
  })),
  repeat: true,
  queue: kernelQueue,
});
