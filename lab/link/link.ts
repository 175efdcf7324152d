import type { Limit, Profile } from '../../src/network/profile.ts';
import type { Controller, LinkEnd, Policed } from './linkEnd.ts';

/**
 * One emulated link, for one session:
 *
 *     client namespace ── Rattan: rate, queue, delay, loss of both directions ── server namespace
 *
 * Both ends are namespaces that the link made; nothing of the machine's own network is touched.
 */
export interface Link {
  readonly profile: Profile;
  /** Of the random losses. */
  readonly seed: number;
  readonly client: LinkEnd;
  readonly server: LinkEnd;
  /** When step 0 of the profile began: with the first packet, as Rattan's own log says. */
  readonly startedAtUnixMs: number;
  /** How UDP was limited so far, in order; and how TCP was. */
  readonly udpChanges: readonly LimitChange[];
  readonly tcpChanges: readonly LimitChange[];
  /** The client's addresses after its first, in order. */
  readonly addressChanges: readonly AddressChange[];
  /** When a NAT gave the flows of UDP other ports, in order. */
  readonly udpPortChanges: readonly UdpPortChange[];
  /** The MTU of the path after its first one, 1500 bytes, in order. */
  readonly mtuChanges: readonly MtuChange[];
  /** Settles with a sentence when the emulator ends before `remove`: the laboratory failed, not the session. */
  readonly failed: Promise<string>;
  /** A program that runs Chromium (or what else) in the client's namespace, for `executablePath`. */
  clientWrapper(executable: string): Promise<string>;
  /**
   * Limits UDP or TCP towards the client; 0 loses all of it, both ways, without a word; null lets it pass. A queue needs a
   * profile that has one for this transport.
   */
  limit(policed: Policed, kbps: number | null, more?: Omit<Limit, 'kbps'>): Promise<void>;
  /** Takes the client's address away until `changeAddress`. */
  loseAddress(): Promise<void>;
  /** Gives the client another address; connections of the old one are dead. */
  changeAddress(): Promise<void>;
  /** Gives the flows of UDP that there are other ports, as a NAT that has forgotten them; no end gets an error. */
  changeUdpPorts(): Promise<void>;
  /** Sets the largest IP packet of the path; null: 1500 bytes again. A profile without an MTU has no router for ICMP. */
  changeMtu(mtu: PathMtu | null): Promise<void>;
  /** TCP's controller and first window of what `end` sends over the link; nothing else on the machine is touched. */
  useController(end: 'client' | 'server', controller: Controller): Promise<void>;
  /** Process of the emulator, to see whether it gets its turns. */
  readonly emulatorPid: number;
  /** Packets that Rattan threw away because the machine was busy. */
  busyDrops(): number;
  /** Ends Rattan, removes namespaces and files. Safe to call twice. */
  remove(): Promise<void>;
}

/** Both ends are there, and nothing has crossed the link yet: its profile has not begun. */
export interface PreparedLink extends Pick<
  Link,
  'profile' | 'seed' | 'client' | 'server' | 'clientWrapper' | 'useController' | 'remove'
> {
  /** Settles with a sentence when the emulator ends before `remove`. */
  readonly ended: Promise<string>;
  /** Sends the first packet. @throws Error when it is not answered */
  begin(): Promise<Link>;
}

/** As for `limit`. */
export interface LimitChange extends Omit<Limit, 'kbps'> {
  readonly atUnixMs: number;
  readonly kbps: number | null;
}

export interface AddressChange {
  readonly atUnixMs: number;
  readonly address: string;
  /** When the address before was lost, where there was none in between; absent: it was replaced at once. */
  readonly lostAtUnixMs?: number;
}

/** The largest IP packet of a path, and what happens to a larger one. */
export interface PathMtu {
  readonly bytes: number;
  /** It is lost without a word; absent: a router answers with ICMP "fragmentation needed". */
  readonly blackHole?: boolean;
}

export interface MtuChange extends PathMtu {
  readonly atUnixMs: number;
}

export interface UdpPortChange {
  readonly atUnixMs: number;
  /** How many flows there were. */
  readonly flows: number;
}
