import { timerMs } from './lossRecovery.ts';
import type { TransportKind } from './congestionWindow.ts';

/** Draws whether a packet of its own is lost now. */
export interface PacketFate {
  isLost(direction: 'down' | 'up'): boolean;
}

/** Linux, net.ipv4.tcp_syn_retries: after so many repeats a connection fails, which this model does not play. */
const MAX_REPEATS = 6;
/** Linux' TCP_TIMEOUT_INIT (RFC 6298 §2.1); the first four repeats come after a second each (tcp_syn_linear_timeouts). */
const SYN_TIMER_MS = 1000;
const LINEAR_SYNS = 4;
/** Without a sample of the round-trip time: three times 333 ms (RFC 9002 §6.2.2), which is quinn's and the RFC's. */
const QUIC_INITIAL_TIMER_MS = 999;
/** Packets of the server's handshake flight: a certificate of one key and what goes with it. */
const SERVER_FLIGHT_PACKETS = 2;

/** What losses add to the handshake, ms: to that of TCP and to that of TLS; QUIC has one for both. */
export function handshakeDelays(
  fate: PacketFate | null,
  { kind, rttMs }: { readonly kind: TransportKind; readonly rttMs: number },
): { readonly transportMs: number; readonly secureMs: number } {
  if (!fate) return { transportMs: 0, secureMs: 0 };
  const isFlightLost = (): boolean => isExchangeLost(fate, SERVER_FLIGHT_PACKETS);
  if (kind === 'quic')
    return {
      transportMs: 0,
      secureMs: repeatsMs(isFlightLost, (repeat) => QUIC_INITIAL_TIMER_MS * 2 ** repeat),
    };
  return {
    transportMs: repeatsMs(() => isExchangeLost(fate, 1), synTimerMs),
    // After one sample the time-out is three round-trip times (RFC 6298 §2.2), and the probe comes after two.
    secureMs: repeatsMs(isFlightLost, (repeat) => 2 * rttMs * 2 ** repeat),
  };
}

/** What losses of a request, one packet, add to its latency, ms. */
export function requestDelayMs(fate: PacketFate | null, kind: TransportKind, rttMs: number): number {
  if (!fate) return 0;
  // A lone packet of TCP is not probed before the time-out.
  const fired = kind === 'tcp' ? 1 : 0;
  return repeatsMs(
    () => fate.isLost('up'),
    (repeat) => timerMs(kind, rttMs, fired + repeat),
  );
}

const synTimerMs = (repeat: number): number =>
  SYN_TIMER_MS * (repeat < LINEAR_SYNS ? 1 : 2 ** (repeat - LINEAR_SYNS + 1));

/** Whether the packet that asks is lost, or one of those that answer. */
function isExchangeLost(fate: PacketFate, answers: number): boolean {
  const lost = [fate.isLost('up'), ...Array.from({ length: answers }, () => fate.isLost('down'))];
  return lost.includes(true);
}

function repeatsMs(isLost: () => boolean, timerOf: (repeat: number) => number): number {
  let ms = 0;
  for (let repeat = 0; repeat < MAX_REPEATS && isLost(); repeat += 1) ms += timerOf(repeat);
  return ms;
}
