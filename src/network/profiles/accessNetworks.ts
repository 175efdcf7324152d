import type { Profile, ProfileStep } from '../profile.ts';
import type { FamilyParameter, ProfileFamily } from '../profileFamily.ts';

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
    steps: [stepOf(MEASURED[network], 60_000)],
    repeat: true,
    queue: { kind: 'droptail', bdp: 1 },
  };
}

/** What a client has of a network. */
type Access = Pick<ProfileStep, 'downKbps' | 'rttMs'>;

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
    ...switching([MEASURED.WiFi, MEASURED[other]], SWITCHES_SECONDS),
  };
}

/** Between both networks, the first one first, at these times. */
function switching(
  networks: readonly [Access, Access],
  atSeconds: readonly number[],
): Pick<Profile, 'steps' | 'repeat' | 'queue'> {
  const fromSeconds = [0, ...atSeconds];
  const steps = fromSeconds.map((from, index): ProfileStep => {
    const step = stepOf(networks[index % 2]!, ((fromSeconds[index + 1] ?? END_SECONDS) - from) * 1000);
    return index === 0 ? step : { ...step, newAddress: true };
  });
  return { steps, repeat: false, queue: { kind: 'droptail', bdp: 1 } };
}

/**
 * A network of the thesis for a while. Loss was 0 % (WiFi) and "~0%", taken as none. The thesis does not state the
 * uplink; it is taken as unlimited. The thesis gives averages only, which hide that such networks vary.
 */
function stepOf(access: Access, durationMs: number): ProfileStep {
  return { ...access, durationMs, upKbps: null, lossDown: 0, lossUp: 0 };
}

type Kbps = 'wifiKbps' | 'cellularKbps';
type Rtt = 'wifiRttMs' | 'cellularRttMs';

const kbps = <Id extends Kbps>(id: Id, word: string, usual: number): FamilyParameter<Id> => ({
  id,
  word,
  min: 8,
  max: 100_000,
  scale: 'log',
  step: 1,
  usual,
  count: 1,
});

const rtt = <Id extends Rtt>(id: Id, usual: number): FamilyParameter<Id> => ({
  id,
  word: 'rtt',
  min: 1,
  max: 5000,
  scale: 'log',
  step: 1,
  usual,
  count: 1,
});

/** A change that comes later by less than the 60 s to the next one still comes before it. */
const LATER: FamilyParameter<'laterSeconds'> = {
  id: 'laterSeconds',
  word: 'later',
  min: 0,
  max: 50,
  scale: 'linear',
  step: 0.1,
  usual: 0,
  count: SWITCHES_SECONDS.length,
};

const CELLULAR = { id: 'switch-wifi-cellular', label: 'Connection switches, WiFi and a cellular network' };

/**
 * Networks like those of the thesis' Tables 8 and 9: rate and round trip of both networks are drawn, and how much later than
 * in Table 4 each of the six changes comes.
 */
export const switchFamily: ProfileFamily<Kbps | Rtt | 'laterSeconds'> = {
  ...CELLULAR,
  parameters: [
    kbps('wifiKbps', 'wifi', MEASURED.WiFi.downKbps),
    rtt('wifiRttMs', MEASURED.WiFi.rttMs),
    kbps('cellularKbps', 'cellular', MEASURED.LTE.downKbps),
    rtt('cellularRttMs', MEASURED.LTE.rttMs),
    LATER,
  ],
  profile: ({ wifiKbps, wifiRttMs, cellularKbps, cellularRttMs, laterSeconds }) => ({
    ...CELLULAR,
    paper:
      'Ours: after Arısu, HTTP Adaptive Streaming with Advanced Transport, MSc thesis, 2018, Tables 2 and 4',
    ...switching(
      [
        { downKbps: wifiKbps[0]!, rttMs: wifiRttMs[0]! },
        { downKbps: cellularKbps[0]!, rttMs: cellularRttMs[0]! },
      ],
      SWITCHES_SECONDS.map((at, index) => at + laterSeconds[index]!),
    ),
  }),
};
