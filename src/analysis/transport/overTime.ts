import { OK, OTHER } from '../timeline/columns.ts';
import { keptFold, type FoldPlan } from '../timeline/keptFold.ts';
import { protocolFrom, PROTOCOLS, tcpShareOf, type Protocol } from './protocol.ts';
import type { SessionSeries } from '../timeline/series.ts';
import { rowAfter } from '../timeline/table.ts';

/** Media bytes per protocol in windows of equal length: `bytes[protocolCode][bin]`. */
export interface ByteBins {
  readonly fromMs: number;
  readonly binMs: number;
  readonly count: number;
  readonly bytes: readonly Float64Array[];
}

/** So many requests are folded once and kept. */
const MANY_ROWS = 2000;

/**
 * Spreads the bytes of each media request evenly over the time they flowed (first to last byte; from the request's
 * start where the first byte is hidden), and sums them per window.
 */
export function byteBins(
  series: SessionSeries,
  { fromMs, toMs, binMs }: { fromMs: number; toMs: number; binMs: number },
): ByteBins {
  const { requests, longestRequestMs } = series;
  const firstMs = Math.floor(fromMs / binMs) * binMs;
  const count = Math.max(0, Math.ceil((toMs - firstMs) / binMs));
  const bytes = PROTOCOLS.map(() => new Float64Array(count));
  const bins = { fromMs: firstMs, binMs, count, bytes };
  const end = rowAfter(requests, toMs);
  const first = rowAfter(requests, firstMs - longestRequestMs - 1);
  const isFolded = end - first > MANY_ROWS && firstMs >= 0;
  addBytes(bins, requests, { from: isFolded ? (copyFolded(series, bins, end) ?? first) : first, to: end });
  return bins;
}

/** Takes over what is folded already; the row that comes next, or null when the fold has rows beyond `end`. */
function copyFolded(series: SessionSeries, { fromMs, binMs, bytes }: ByteBins, end: number): number | null {
  const { kept, rows } = keptFold(series.requests, bytesPlan(series, binMs));
  if (rows > end) return null;
  const first = Math.round(fromMs / binMs);
  bytes.forEach((column, protocol) =>
    column.set(kept.bytes[protocol]!.subarray(first, first + column.length)),
  );
  return rows;
}

/** All windows of a session from 0 on. There are few lengths (`windowMs` of the lane), so that each keeps its own. */
function bytesPlan({ requests, lastMs }: SessionSeries, binMs: number): FoldPlan<{ bytes: Float64Array[] }> {
  return {
    name: `bytes per ${binMs} ms`,
    binMs,
    start: () => ({ bytes: PROTOCOLS.map(() => new Float64Array(0)) }),
    extend(kept, from, to) {
      const count = Math.floor(lastMs / binMs) + 1;
      if (count > kept.bytes[0]!.length) kept.bytes = kept.bytes.map((column) => widened(column, 2 * count));
      addBytes({ fromMs: 0, binMs, count, bytes: kept.bytes }, requests, { from, to });
    },
  };
}

function widened(column: Float64Array, length: number): Float64Array {
  const wider = new Float64Array(length);
  wider.set(column);
  return wider;
}

function addBytes(
  { fromMs, binMs, bytes }: ByteBins,
  { columns }: SessionSeries['requests'],
  { from, to }: { from: number; to: number },
): void {
  const { atMs, firstByteMs, endMs, carriedBytes, protocol, lane } = columns;
  for (let row = from; row < to; row += 1) {
    if (lane[row] === OTHER || !(carriedBytes[row]! > 0)) continue;
    const flowMs = Number.isNaN(firstByteMs[row]!) ? atMs[row]! : firstByteMs[row]!;
    spread(bytes[protocol[row]!]!, carriedBytes[row]!, {
      from: (flowMs - fromMs) / binMs,
      to: ((Number.isNaN(endMs[row]!) ? flowMs : endMs[row]!) - fromMs) / binMs,
    });
  }
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

interface ProtocolSwitch {
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
