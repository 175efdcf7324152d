import type { Profile } from '../profile.ts';

/**
 * A firewall that lets UDP through at 64 kbit/s and TCP as it comes (§X-B: port 443, by a qdisc). The paper does not say
 * what the rest of the path carried. Chosen here: 2 Mbit/s, thirty times what UDP gets; 50 ms; 100 packets. Its Fig. 19
 * has higher RTTs for QUIC than for TCP, so its qdisc queued; the UDP limit of a profile drops and leaves RTTs as they are.
 */
export const udpLimiter: Profile = {
  id: 'udp-limiter',
  label: 'UDP limiter',
  paper: 'Chaudhary et al., Managing Connections by QUIC-TCP Racing, 2024, §X-B',
  steps: [{ durationMs: 60_000, downKbps: 2000, upKbps: null, rttMs: 50, lossDown: 0, lossUp: 0 }],
  repeat: true,
  queue: { kind: 'droptail', packets: 100 },
  udp: [{ fromMs: 0, untilMs: null, kbps: 64 }],
};
