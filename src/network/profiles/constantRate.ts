import type { Profile } from '../profile.ts';
import { kernelQueue } from './kernelQueue.ts';

/**
 * A rate that stays (the 2019 paper sets 3, 5, 7 and 10 Mbit/s with netem on a campus network, Table V). It says no delay;
 * chosen here: 10 ms, near the 10 to 13.5 ms of latency in its Fig. 4. No loss, no limit on the uplink, netem's default queue.
 */
export const constantRate = (rateMbps: number): Profile => ({
  id: `constant-${rateMbps}mbps`,
  label: `${rateMbps} Mbit/s`,
  paper: 'Tong et al., Empirical study for DASH over QUIC, 2019, Table V',
  steps: [{ durationMs: 60_000, downKbps: rateMbps * 1000, upKbps: null, rttMs: 10, lossDown: 0, lossUp: 0 }],
  repeat: true,
  queue: kernelQueue,
});
