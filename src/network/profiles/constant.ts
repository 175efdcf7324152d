import { kernelQueue, type Profile } from '../profile.ts';
import type { ProfileFamily } from '../profileFamily.ts';

/** Networks that stay as they are: those of Tong et al., and two for comparing senders. */
export const constant: readonly Profile[] = [
  ...[3, 5, 7, 10].map(constantRate),
  fixedPath(0),
  fixedPath(0.01),
];

/**
 * A rate that stays (the 2019 paper sets 3, 5, 7 and 10 Mbit/s with netem on a campus network, Table V). It says no delay;
 * chosen here: 10 ms, near the 10 to 13.5 ms of latency in its Fig. 4. No loss, no limit on the uplink, netem's default queue.
 */
function constantRate(rateMbps: number): Profile {
  return {
    id: `constant-${rateMbps}mbps`,
    label: `${rateMbps} Mbit/s`,
    paper: 'Tong et al., Empirical study for DASH over QUIC, 2019, Table V',
    steps: [
      { durationMs: 60_000, downKbps: rateMbps * 1000, upKbps: null, rttMs: 10, lossDown: 0, lossUp: 0 },
    ],
    repeat: true,
    queue: kernelQueue,
  };
}

/**
 * A path for comparing senders: 5 Mbit/s, 100 ms, one bandwidth-delay product of queue, which is what a router should have
 * for one flow (Appenzeller et al., 2004). Loss falls on what comes down; requests and acknowledgements get through.
 */
function fixedPath(lossDown: number): Profile {
  return {
    id: lossDown === 0 ? 'fixed-5mbps-100ms' : `fixed-5mbps-100ms-${100 * lossDown}-loss`,
    label: `5 Mbit/s, 100 ms, ${100 * lossDown} % loss`,
    paper: 'Ours: what of the difference between transports is their congestion controllers',
    steps: [{ durationMs: 60_000, downKbps: 5000, upKbps: null, rttMs: 100, lossDown, lossUp: 0 }],
    repeat: true,
    queue: { kind: 'droptail', bdp: 1 },
  };
}

/** Paths like `fixedPath` with another rate, RTT or loss. */
export const constantFamily: ProfileFamily<'kbps' | 'rttMs' | 'lossPercent'> = {
  id: 'constant',
  label: 'Constant path',
  parameters: [
    { id: 'kbps', word: '', min: 8, max: 1_000_000, scale: 'log', step: 1, usual: 5000, count: 1 },
    { id: 'rttMs', word: 'rtt', min: 1, max: 5000, scale: 'log', step: 1, usual: 100, count: 1 },
    // From 0 on, which has no logarithm.
    { id: 'lossPercent', word: 'loss', min: 0, max: 50, scale: 'linear', step: 0.01, usual: 0, count: 1 },
  ],
  profile: ({ kbps, rttMs, lossPercent }) => ({
    id: 'constant',
    label: 'Constant path',
    paper: 'Ours: paths of one bandwidth-delay product of queue',
    steps: fixedPath(0).steps.map((step) => ({
      ...step,
      downKbps: kbps[0]!,
      rttMs: rttMs[0]!,
      lossDown: lossPercent[0]! / 100,
    })),
    repeat: true,
    queue: { kind: 'droptail', bdp: 1 },
  }),
};
