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
  /** Seed of the random losses. */
  readonly seed: number;
  readonly client: LinkEnd;
  readonly server: LinkEnd;
  /** Time at which step 0 of the profile began: that of the first packet, as Rattan's own log says. */
  readonly startedAtUnixMs: number;
  /** Limits of UDP so far, in order; `tcpChanges` are those of TCP. */
  readonly udpChanges: readonly LimitChange[];
  readonly tcpChanges: readonly LimitChange[];
  /** The client's addresses after its first, in order. */
  readonly addressChanges: readonly AddressChange[];
  /** Times at which a NAT gave the flows of UDP other ports, in order. */
  readonly udpPortChanges: readonly UdpPortChange[];
  /** The MTU of the path after its first one, 1500 bytes, in order. */
  readonly mtuChanges: readonly MtuChange[];
  /** Settles with a sentence when the emulator ends before `remove`: the laboratory failed, not the session. */
  readonly failed: Promise<string>;
  /**
   * Resolves to a program that runs Chromium (or another program) in the client's namespace, for `executablePath`. With
   * `asksDns` it asks a DNS server at the server's end for names, port 53 (`lab/dns`); absent: those of the machine.
   * @throws Error with one sentence where the machine's files do not allow that
   */
  clientWrapper(executable: string, options?: { readonly asksDns?: boolean }): Promise<string>;
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
  /** Sets TCP's controller and first window for what `end` sends over the link; nothing else on the machine is changed. */
  useController(end: 'client' | 'server', controller: Controller): Promise<void>;
  /** Process id of the emulator, to see whether it gets its turns. */
  readonly emulatorPid: number;
  /** Counts the packets that Rattan threw away because the machine was busy. */
  busyDrops(): number;
  /** Ends Rattan, removes namespaces and files. Safe to call twice. */
  remove(): Promise<void>;
}

/** Link with both ends that no packet has crossed yet: its profile has not begun. */
export interface PreparedLink extends Pick<
  Link,
  'profile' | 'seed' | 'client' | 'server' | 'clientWrapper' | 'useController' | 'remove'
> {
  /** Settles with a sentence when the emulator ends before `remove`. */
  readonly ended: Promise<string>;
  /** Sends the first packet. @throws Error when it is not answered */
  begin(): Promise<Link>;
}

/** Change of the limit of UDP or TCP: see `limit`. */
export interface LimitChange extends Omit<Limit, 'kbps'> {
  readonly atUnixMs: number;
  readonly kbps: number | null;
}

export interface AddressChange {
  readonly atUnixMs: number;
  readonly address: string;
  /** Time at which the client lost the address before; absent: it was replaced at once. */
  readonly lostAtUnixMs?: number;
}

/** The largest IP packet of a path, and what happens to a larger one. */
export interface PathMtu {
  readonly bytes: number;
  /** Whether a larger packet is lost without an answer; absent: a router answers with ICMP "fragmentation needed". */
  readonly blackHole?: boolean;
}

export interface MtuChange extends PathMtu {
  readonly atUnixMs: number;
}

export interface UdpPortChange {
  readonly atUnixMs: number;
  /** Count of the flows that got other ports. */
  readonly flows: number;
}
