import type { Profile } from '../profile.ts';

/**
 * A path that stays as it is, for comparing senders: 5 Mbit/s, 100 ms, one bandwidth-delay product of queue, which is what a
 * router should have for one flow (Appenzeller et al., 2004). Loss falls on what comes down; requests and
 * acknowledgements get through.
 */
export const fixedPath = (lossDown: number): Profile => ({
  id: lossDown === 0 ? 'fixed-5mbps-100ms' : `fixed-5mbps-100ms-${100 * lossDown}-loss`,
  label: `5 Mbit/s, 100 ms, ${100 * lossDown} % loss`,
  paper: 'Ours: what of the difference between transports is their congestion controllers',
  steps: [{ durationMs: 60_000, downKbps: 5000, upKbps: null, rttMs: 100, lossDown, lossUp: 0 }],
  repeat: true,
  queue: { kind: 'droptail', bdp: 1 },
});
