import type { Profile, ProfileStep } from './profile.ts';

/** A full-size Ethernet payload, what the papers count queues in. */
const PACKET_BITS = 1500 * 8;

/**
 * How many packets the queue of one direction holds. BDP multiples count in the step with the largest product of rate
 * and RTT; at least 1 packet. null when no step of that direction has a rate: then there is no bottleneck to wait at.
 */
export function queuePackets(profile: Profile, direction: 'down' | 'up'): number | null {
  const rateOf = (step: ProfileStep): number | null => (direction === 'down' ? step.downKbps : step.upKbps);
  const limited = profile.steps.filter((step) => rateOf(step) !== null);
  if (limited.length === 0) return null;
  if ('packets' in profile.queue) return profile.queue.packets;
  // kbit/s × ms = bits.
  const largestBits = Math.max(...limited.map((step) => (rateOf(step) ?? 0) * step.rttMs));
  return Math.max(1, Math.round((profile.queue.bdp * largestBits) / PACKET_BITS));
}
