import { OK, OTHER } from './codes.ts';
import { protocolFrom, PROTOCOLS, tcpShareOf, type Protocol } from './protocol.ts';
import type { SessionSeries } from './series.ts';
import { rowAfter } from './table.ts';

/** Media bytes per protocol in windows of equal length: `bytes[protocolCode][bin]`. */
export interface ByteBins {
  readonly fromMs: number;
  readonly binMs: number;
  readonly count: number;
  readonly bytes: readonly Float64Array[];
}

/**
 * Spreads the bytes of each media request evenly over the time they flowed (first to last byte; from the request's
 * start where the first byte is hidden), and sums them per window.
 */
export function byteBins(
  { requests, longestRequestMs }: SessionSeries,
  { fromMs, toMs, binMs }: { fromMs: number; toMs: number; binMs: number },
): ByteBins {
  const firstMs = Math.floor(fromMs / binMs) * binMs;
  const count = Math.max(0, Math.ceil((toMs - firstMs) / binMs));
  const bytes = PROTOCOLS.map(() => new Float64Array(count));
  const { atMs, firstByteMs, endMs, sizeBytes, protocol, lane } = requests.columns;
  const end = rowAfter(requests, toMs);
  for (let row = rowAfter(requests, firstMs - longestRequestMs - 1); row < end; row += 1) {
    if (lane[row] === OTHER || !(sizeBytes[row]! > 0)) continue;
    const flowMs = Number.isNaN(firstByteMs[row]!) ? atMs[row]! : firstByteMs[row]!;
    spread(bytes[protocol[row]!]!, sizeBytes[row]!, {
      from: (flowMs - firstMs) / binMs,
      to: ((Number.isNaN(endMs[row]!) ? flowMs : endMs[row]!) - firstMs) / binMs,
    });
  }
  return { fromMs: firstMs, binMs, count, bytes };
}

function spread(bins: Float64Array, size: number, { from, to }: { from: number; to: number }): void {
  const length = Math.max(to - from, 1e-6);
  const last = Math.min(bins.length - 1, Math.floor(from + length));
  for (let bin = Math.max(0, Math.floor(from)); bin <= last; bin += 1) {
    const overlap = Math.min(bin + 1, from + length) - Math.max(bin, from);
    bins[bin]! += (size * Math.max(0, overlap)) / length;
  }
}

/** TCP share T / (T + Q) of known bytes per window, 0 … 1, NaN where nothing known flowed (racing paper 2024). */
export function tcpShares(bins: ByteBins): Float64Array {
  return Float64Array.from({ length: bins.count }, (_, bin) => tcpShareOf(bytesIn(bins, bin)) ?? NaN);
}

/** Bytes of one window by protocol. */
export function bytesIn(bins: ByteBins, bin: number): Record<Protocol, number> {
  const of = (code: number): number => bins.bytes[code]?.[bin] ?? 0;
  return { h1: of(0), h2: of(1), unknown: of(2), h3: of(3) };
}

export interface ProtocolSwitch {
  readonly atMs: number;
  readonly from: Protocol;
  readonly to: Protocol;
}

/**
 * Where `nextHopProtocol` of successive finished requests of one lane changes between known protocols. This is
 * protocol switching, which the page can see; what the browser raced to get there it cannot.
 */
export function protocolSwitches(
  { requests }: SessionSeries,
  { fromMs, toMs, lane }: { fromMs: number; toMs: number; lane: number },
): ProtocolSwitch[] {
  const columns = requests.columns;
  const switches: ProtocolSwitch[] = [];
  let last: Protocol = 'unknown';
  for (let row = 0; row < requests.length && columns.atMs[row]! <= toMs; row += 1) {
    if (columns.lane[row] !== lane || columns.outcome[row] !== OK) continue;
    const now = protocolFrom(columns.protocol[row]!);
    if (now === 'unknown') continue;
    const atMs = columns.atMs[row]!;
    if (last !== 'unknown' && last !== now && atMs >= fromMs) switches.push({ atMs, from: last, to: now });
    last = now;
  }
  return switches;
}

/** Discovery: requests that started before the first h3 response came; null when none ever came. */
export function discoveryRequests({ requests }: SessionSeries): number | null {
  const { protocol, firstByteMs, endMs } = requests.columns;
  let foundMs = Infinity;
  for (let row = 0; row < requests.length; row += 1) {
    if (protocolFrom(protocol[row]!) !== 'h3') continue;
    const responseMs = Number.isNaN(firstByteMs[row]!) ? endMs[row]! : firstByteMs[row]!;
    if (responseMs < foundMs) foundMs = responseMs;
  }
  return Number.isFinite(foundMs) ? rowAfter(requests, foundMs - 1e-6) : null;
}
