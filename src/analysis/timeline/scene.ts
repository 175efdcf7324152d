import { formatCount } from '../../shared/format.ts';
import { groupBy } from '../../shared/groupBy.ts';
import { USUAL_MTU_BYTES } from '../../shared/units.ts';
import type { SessionLog } from '../../telemetry/schema/sessionLog.ts';

/**
 * What the link of the lab, those who shared it and the viewer's script did to a session. A recorded session has no such link.
 */
export interface Scene {
  /** What the link did to the path, in order of time. */
  readonly link: readonly LinkMark[];
  /** Whether the viewer followed a script. */
  readonly hasScript: boolean;
  /** Whether files were downloaded and nothing was played (`docs/transfer.md`). */
  readonly isTransfer: boolean;
}

export interface LinkMark {
  /** Below 0 for what was done before the session. A new address stands where the one before was lost. */
  readonly atMs: number;
  /** The end of a limit or of flows; null: until the end of the session, or a thing of a moment. */
  readonly toMs: number | null;
  /** A limit of one transport, what a client gets at this moment, or what shares the link. */
  readonly kind: 'udp' | 'tcp' | 'address' | 'udp-ports' | 'mtu' | 'beside';
  /** Rate of a limit, in kbit/s; 0 is a block. null for all else. */
  readonly kbps: number | null;
  /** Words for what runs beside the viewer, and for a small MTU: `3 TCP flows beside`, `MTU 1280`. */
  readonly words?: string;
}

export const NO_SCENE: Scene = { link: [], hasScript: false, isTransfer: false };

type LinkRun = NonNullable<SessionLog['environment']['linkRun']>;
type BesideRun = NonNullable<SessionLog['environment']['beside']>;
type BesideFlow = BesideRun['flows'][number];

/** The scene of a session, live or from a file. */
export function sceneOf({ environment, clock }: Pick<SessionLog, 'environment' | 'clock'>): Scene {
  const { linkRun, beside } = environment;
  return {
    link: linkRun ? linkMarks(linkRun, beside, clock.startedAtUnixMs) : [],
    hasScript: environment.viewer !== undefined,
    isTransfer: environment.transfer != null,
  };
}

function linkMarks(linkRun: LinkRun, beside: BesideRun | undefined, zeroUnixMs: number): LinkMark[] {
  const moments = (
    kind: 'address' | 'udp-ports',
    changes: readonly { readonly atUnixMs: number; readonly lostAtUnixMs?: number }[] = [],
  ) =>
    changes.map(({ atUnixMs, lostAtUnixMs = atUnixMs }): LinkMark => ({
      atMs: lostAtUnixMs - zeroUnixMs,
      toMs: null,
      kind,
      kbps: null,
    }));
  return [
    ...limitMarks('udp', linkRun.udpChanges, zeroUnixMs),
    ...limitMarks('tcp', linkRun.tcpChanges ?? [], zeroUnixMs),
    ...moments('address', linkRun.addressChanges),
    ...moments('udp-ports', linkRun.udpPortChanges),
    ...mtuMarks(linkRun.mtuChanges ?? [], zeroUnixMs),
    ...flowMarks(beside?.flows ?? [], zeroUnixMs),
    ...playerMarks(beside, zeroUnixMs),
  ].sort((one, other) => one.atMs - other.atMs);
}

/** Marks the limits of one transport; a limit ends where the next one begins. */
const limitMarks = (kind: 'udp' | 'tcp', changes: LinkRun['udpChanges'], zeroUnixMs: number): LinkMark[] =>
  changes.flatMap(({ atUnixMs, kbps }, index) => {
    if (kbps === null) return [];
    const next = changes[index + 1];
    return [{ atMs: atUnixMs - zeroUnixMs, toMs: next ? next.atUnixMs - zeroUnixMs : null, kind, kbps }];
  });

/** Marks each small MTU, from the change to it to the next change. */
const mtuMarks = (changes: NonNullable<LinkRun['mtuChanges']>, zeroUnixMs: number): LinkMark[] =>
  changes.flatMap(({ atUnixMs, bytes, blackHole }, index) => {
    if (bytes >= USUAL_MTU_BYTES) return [];
    const next = changes[index + 1];
    return [
      {
        atMs: atUnixMs - zeroUnixMs,
        toMs: next ? next.atUnixMs - zeroUnixMs : null,
        kind: 'mtu',
        kbps: null,
        words: `MTU ${bytes}${blackHole ? ', no ICMP' : ''}`,
      },
    ];
  });

/** Flows that begin in the same second are one mark, until the last of them ends. */
function flowMarks(flows: readonly BesideFlow[], zeroUnixMs: number): LinkMark[] {
  const groups = groupBy(flows, ({ startedAtUnixMs }) => Math.round(startedAtUnixMs / 1000));
  return [...groups.values()].map((group) => ({
    atMs: Math.min(...group.map(({ startedAtUnixMs }) => startedAtUnixMs)) - zeroUnixMs,
    toMs: Math.max(...group.map(({ endedAtUnixMs }) => endedAtUnixMs)) - zeroUnixMs,
    kind: 'beside',
    kbps: null,
    words: `${formatFlows(group)} beside`,
  }));
}

const formatFlows = (flows: readonly BesideFlow[]): string =>
  (['tcp', 'quic'] as const)
    .flatMap((transport) => {
      const count = flows.filter((flow) => flow.transport === transport).length;
      return count > 0 ? [formatCount(count, `${transport.toUpperCase()} flow`)] : [];
    })
    .join(', ');

/** Marks the other viewers, from the first second in which one of them received something. */
function playerMarks(beside: BesideRun | undefined, zeroUnixMs: number): LinkMark[] {
  const players = beside?.players ?? [];
  if (!beside || players.length === 0) return [];
  const first = players.map(({ bytesBySecond }) => bytesBySecond.findIndex((bytes) => bytes > 0));
  const atMs = beside.secondsFromUnixMs - zeroUnixMs;
  return [
    {
      atMs: atMs + 1000 * Math.max(0, Math.min(...first)),
      toMs: atMs + 1000 * Math.max(...players.map(({ bytesBySecond }) => bytesBySecond.length)),
      kind: 'beside',
      kbps: null,
      words: `${formatCount(players.length, 'player')} beside`,
    },
  ];
}
