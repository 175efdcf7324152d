import { USUAL_MTU_BYTES } from '../../shared/units.ts';
import type { Profile, ProfileStep } from '../profile.ts';
import type { FamilyParameter, ProfileFamily } from '../profileFamily.ts';
import { PATH } from './limits.ts';

/** When the path changes under the browser, in s: twice, with enough play before, between and after. */
const CHANGES_SECONDS = [40, 80];
const END_SECONDS = 120;

type Change = Pick<ProfileStep, 'newAddress' | 'newUdpPorts' | 'gapMs' | 'mtuBytes' | 'mtuBlackHole'>;

interface Path {
  readonly pathKbps: number;
  readonly rttMs: number;
}

/** The path of the limits' profiles: a change of address or port is all that happens on it. */
const USUAL: Path = { pathKbps: 2000, rttMs: 50 };

/** A path that carries as much as before after each change: the same one twice, or the first and the second. */
function changing(
  about: Pick<Profile, 'id' | 'label'>,
  change: Change | readonly [Change, Change],
  { pathKbps, rttMs }: Path,
): Profile {
  const changesOf = Array.isArray(change) ? (change as readonly [Change, Change]) : [change, change];
  const bounds = [0, ...CHANGES_SECONDS, END_SECONDS];
  const steps = [0, ...CHANGES_SECONDS].map((fromSeconds, index): ProfileStep => ({
    durationMs: (bounds[index + 1]! - fromSeconds) * 1000,
    downKbps: pathKbps,
    upKbps: null,
    rttMs,
    lossDown: 0,
    lossUp: 0,
    ...(index > 0 && changesOf[index - 1]),
  }));
  return {
    ...about,
    paper: 'Ours: whether a connection survives, and what the player notices',
    steps,
    repeat: false,
    queue: { kind: 'droptail', packets: 100 },
  };
}

const REBINDING = { id: 'nat-rebinding', label: 'NAT rebinding' };
const ADDRESS = { id: 'address-change', label: 'Address change' };
const GAP = { id: 'address-change-gap', label: 'Address change with a gap' };

/** As long as a phone takes to get into another network. */
const GAP_SECONDS = 3;

/**
 * `mtu-drop`: the path carries smaller packets than before, as behind a tunnel, and a router says so; `mtu-black-hole`: nobody
 * says so, which RFC 8899 is about.
 */
const MTU = { id: 'mtu-drop', label: 'MTU drop' };
const BLACK_HOLE = { id: 'mtu-black-hole', label: 'MTU drop without ICMP' };

/** What IPv6 needs, and what is left in many tunnels. */
const SMALL_MTU_BYTES = 1280;

/** Half of the way to the small one, then the rest. */
function mtuChanges(mtuBytes: number, change: Change): readonly [Change, Change] {
  const halfBytes = Math.round((USUAL_MTU_BYTES + mtuBytes) / 2);
  return [
    { ...change, mtuBytes: halfBytes },
    { ...change, mtuBytes },
  ];
}

/**
 * `nat-rebinding`: a NAT gives the flows of UDP other ports. The browser sees nothing of it, and a QUIC server goes on with the
 * connection after it has checked the new path (RFC 9000, section 9.3). `address-change`: the client has another address,
 * as when it changes its network; what TCP had is dead. `address-change-gap`: before that it has no address for some seconds.
 */
export const changes: readonly Profile[] = [
  changing(REBINDING, { newUdpPorts: true }, USUAL),
  changing(ADDRESS, { newAddress: true }, USUAL),
  changing(GAP, gapChange(GAP_SECONDS), USUAL),
  changing(MTU, mtuChanges(SMALL_MTU_BYTES, {}), USUAL),
  changing(BLACK_HOLE, mtuChanges(SMALL_MTU_BYTES, { mtuBlackHole: true }), USUAL),
];

function gapChange(gapSeconds: number): Change {
  return { newAddress: true, gapMs: 1000 * gapSeconds };
}

const RTT: FamilyParameter<'rttMs'> = {
  id: 'rttMs',
  word: 'rtt',
  min: 1,
  max: 5000,
  scale: 'log',
  step: 1,
  usual: 50,
  count: 1,
};

const familyOf = (about: Pick<Profile, 'id' | 'label'>, change: Change): ProfileFamily<keyof Path> => ({
  ...about,
  parameters: [PATH, RTT],
  profile: ({ pathKbps, rttMs }) => changing(about, change, { pathKbps: pathKbps[0]!, rttMs: rttMs[0]! }),
});

const GAP_LENGTH: FamilyParameter<'gapSeconds'> = {
  id: 'gapSeconds',
  word: 'gap',
  min: 0.1,
  max: 40,
  scale: 'log',
  step: 0.1,
  usual: GAP_SECONDS,
  count: 1,
};

const gaps: ProfileFamily<keyof Path | 'gapSeconds'> = {
  ...GAP,
  parameters: [PATH, RTT, GAP_LENGTH],
  profile: ({ pathKbps, rttMs, gapSeconds }) =>
    changing(GAP, gapChange(gapSeconds[0]!), { pathKbps: pathKbps[0]!, rttMs: rttMs[0]! }),
};

const MTU_BYTES: FamilyParameter<'mtuBytes'> = {
  id: 'mtuBytes',
  word: 'mtu',
  min: 576,
  max: USUAL_MTU_BYTES - 1,
  scale: 'linear',
  step: 1,
  usual: SMALL_MTU_BYTES,
  count: 1,
};

const mtuFamily = (
  about: Pick<Profile, 'id' | 'label'>,
  change: Change,
): ProfileFamily<keyof Path | 'mtuBytes'> => ({
  ...about,
  parameters: [PATH, RTT, MTU_BYTES],
  profile: ({ pathKbps, rttMs, mtuBytes }) =>
    changing(about, mtuChanges(mtuBytes[0]!, change), { pathKbps: pathKbps[0]!, rttMs: rttMs[0]! }),
});

/** Kinds of network that change under the browser, from which a campaign draws. */
export const changeFamilies: readonly ProfileFamily[] = [
  familyOf(REBINDING, { newUdpPorts: true }),
  familyOf(ADDRESS, { newAddress: true }),
  gaps,
  mtuFamily(MTU, {}),
  mtuFamily(BLACK_HOLE, { mtuBlackHole: true }),
];
