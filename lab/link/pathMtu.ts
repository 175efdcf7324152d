import type { Profile } from '../../src/network/profile.ts';
import type { PathMtu } from './link.ts';
import { ipBatch, linkDevice, type LinkEnd, nft, writeSettings } from './linkEnd.ts';

/** Tells whether a profile has a step in which a router says that a packet is too large. */
export const needsRouters = ({ steps }: Pick<Profile, 'steps'>): boolean =>
  steps.some(({ mtuBytes, mtuBlackHole }) => mtuBytes !== undefined && !mtuBlackHole);

const TABLE = 'ip pitwall_mtu';
/** Mark of packets that are too large; it never leaves the namespace. */
const MARK = '0x70';
/** Routing table for packets that are too large. */
const ROUTES = '111';

/**
 * Makes an end ready to answer packets that are too large, as a router before it would: the kernel forwards marked packets over
 * a route with the small MTU, so that it is the kernel that answers with ICMP "fragmentation needed" and drops them. Nothing
 * is marked yet. Done before a browser runs, which would see the new settings as a change of its network.
 *
 *     link ─→ prerouting: too large? mark ─→ rule: table 111 ─→ forward: larger than the route's MTU ─→ ICMP to the sender
 *                            └ no ─→ local table ─→ the end itself
 *
 * @throws Error in one sentence when the machine cannot
 */
export async function prepareRouter(end: LinkEnd): Promise<void> {
  // Sockets that the kernel finds before it looks up a route would get marked packets all the same.
  const settings = 'echo 0 > /proc/sys/net/ipv4/ip_early_demux && echo 1 > /proc/sys/net/ipv4/ip_forward';
  await writeSettings(end, settings).catch((error: unknown) => {
    throw new Error(
      `a profile with "mtuBytes" and ICMP needs to write /proc/sys/net/ipv4/ip_forward in a namespace: ${String(error)}`,
    );
  });
  await ipBatch(end, [
    `rule add pref 1 fwmark ${MARK} lookup ${ROUTES}`,
    // The local lookup is the first rule of every namespace, and would take marked packets in.
    'rule add pref 2 lookup local',
    'rule del pref 0 lookup local',
  ]);
}

/**
 * Sets the largest IP packet that an end receives; null: no limit. A router, where it is needed, must have been prepared. The
 * limit lies behind the rate and queue of the link.
 */
export async function setPathMtu(end: LinkEnd, mtu: PathMtu | null): Promise<void> {
  if (mtu !== null && !mtu.blackHole) {
    const route = `route replace default dev ${await linkDevice(end)} table ${ROUTES} mtu lock ${mtu.bytes}`;
    await ipBatch(end, [route]);
  }
  const fate = mtu?.blackHole ? 'drop' : `meta mark set ${MARK}`;
  const rule =
    mtu === null ? '' : `; add rule ${TABLE} in iifname != "lo" ip length > ${mtu.bytes} counter ${fate}`;
  // All rules change in one transaction: no moment passes without a rule.
  await nft(
    end,
    `add table ${TABLE}; add chain ${TABLE} in { type filter hook prerouting priority -150; }; flush table ${TABLE}${rule}`,
  );
}
