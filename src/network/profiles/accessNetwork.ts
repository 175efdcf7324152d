import type { Profile, ProfileStep } from '../profile.ts';

/** What the thesis measured on average between Frankfurt and Istanbul, over three access networks (Table 2). */
const MEASURED = {
  WiFi: { downKbps: 5900, rttMs: 69 },
  LTE: { downKbps: 5400, rttMs: 128 },
  '3G': { downKbps: 3100, rttMs: 234 },
} as const;

export type AccessNetwork = keyof typeof MEASURED;

/**
 * A network of the thesis for a while. Loss was 0 % (WiFi) and "~0%", taken as none. The thesis does not state the
 * uplink; it is taken as unlimited. The thesis gives averages only, which hide that such networks vary.
 */
export const accessStep = (network: AccessNetwork, durationMs: number): ProfileStep => ({
  ...MEASURED[network],
  durationMs,
  upKbps: null,
  lossDown: 0,
  lossUp: 0,
});

/** One of the networks by itself, for ever. The thesis states no queue: one bandwidth-delay product is used. */
export const accessNetwork = (network: AccessNetwork): Profile => ({
  id: network.toLowerCase(),
  label: network,
  paper: 'Arısu, HTTP Adaptive Streaming with Advanced Transport, MSc thesis, 2018, Table 2',
  steps: [accessStep(network, 60_000)],
  repeat: true,
  queue: { kind: 'droptail', bdp: 1 },
});
