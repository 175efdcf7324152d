import type { Profile, ProfileStep } from '../profile.ts';

/** What the thesis measured on average between Frankfurt and Istanbul, over three access networks (Table 2). */
const MEASURED = {
  WiFi: { downKbps: 5900, rttMs: 69 },
  LTE: { downKbps: 5400, rttMs: 128 },
  '3G': { downKbps: 3100, rttMs: 234 },
} as const;

/** When the client changes its network, in s; it begins on WiFi and changes back and forth (Table 4). */
const SWITCHES_SECONDS = [60, 180, 300, 420, 480, 540];
const END_SECONDS = 600;

/** WiFi, LTE and 3G as the 2018 thesis measured them, and its switches between them. */
export const accessNetworks: readonly Profile[] = [
  accessNetwork('WiFi'),
  accessNetwork('LTE'),
  accessNetwork('3G'),
  connectionSwitch('LTE'),
  connectionSwitch('3G'),
];

/** One of the networks by itself, for ever. The thesis states no queue: one bandwidth-delay product is used. */
function accessNetwork(network: keyof typeof MEASURED): Profile {
  return {
    id: network.toLowerCase(),
    label: network,
    paper: 'Arısu, HTTP Adaptive Streaming with Advanced Transport, MSc thesis, 2018, Table 2',
    steps: [accessStep(network, 60_000)],
    repeat: true,
    queue: { kind: 'droptail', bdp: 1 },
  };
}

/**
 * The connection switches of the thesis (§3.1.2): six in 600 s, WiFi first and last. Each gives the client another
 * address. The thesis plays live content with a small buffer through it. It does not state how long the client was
 * without any network; here the next network is there at once.
 */
function connectionSwitch(other: 'LTE' | '3G'): Profile {
  return {
    id: `switch-wifi-${other.toLowerCase()}`,
    label: `Connection switches, WiFi and ${other}`,
    paper: 'Arısu, HTTP Adaptive Streaming with Advanced Transport, MSc thesis, 2018, Tables 2 and 4',
    steps: [0, ...SWITCHES_SECONDS].map((fromSeconds, index) => switchStep(other, fromSeconds, index)),
    repeat: false,
    queue: { kind: 'droptail', bdp: 1 },
  };
}

function switchStep(other: 'LTE' | '3G', fromSeconds: number, index: number): ProfileStep {
  const untilSeconds = SWITCHES_SECONDS[index] ?? END_SECONDS;
  const step = accessStep(index % 2 === 0 ? 'WiFi' : other, (untilSeconds - fromSeconds) * 1000);
  return index === 0 ? step : { ...step, newAddress: true };
}

/**
 * A network of the thesis for a while. Loss was 0 % (WiFi) and "~0%", taken as none. The thesis does not state the
 * uplink; it is taken as unlimited. The thesis gives averages only, which hide that such networks vary.
 */
function accessStep(network: keyof typeof MEASURED, durationMs: number): ProfileStep {
  return { ...MEASURED[network], durationMs, upKbps: null, lossDown: 0, lossUp: 0 };
}
