import type { DownloadEvent } from '../rule.ts';
import { lastFew } from './harmonicMean.ts';

/**
 * Total bytes / total download time: the harmonic mean of the rates weighted by segment size, Σ w_i / Σ (w_i / d_i),
 * because w_i / d_i is the time that segment i took (SARA: Juluri et al., ICCW 2015). Over all history it needs two
 * running sums and no list.
 */
export interface TotalRate {
  readonly bytes: number;
  readonly durationMs: number;
}

export const nothingMeasured: TotalRate = { bytes: 0, durationMs: 0 };

/** Returns the totals with one more download. An abandoned one and one that took no time or brought nothing are left out. */
export function withDownload(total: TotalRate, download: DownloadEvent): TotalRate {
  const durationMs = download.lastByteMs - download.startMs;
  if (download.aborted || !(durationMs > 0) || !(download.sizeBytes > 0)) return total;
  return { bytes: total.bytes + download.sizeBytes, durationMs: total.durationMs + durationMs };
}

/** Returns the total rate, in kbit/s; null while nothing is measured. */
export const totalRateKbps = ({ bytes, durationMs }: TotalRate): number | null =>
  durationMs > 0 ? (bytes * 8) / durationMs : null;

/** Total bytes / total download time over the last few downloads (BASIC of AStream). Bounded. */
export interface RecentTotals {
  readonly size: number;
  /** Sizes of the latest downloads, oldest first, at most `size`; `durationsMs` has the times of these downloads. */
  readonly sizesBytes: readonly number[];
  readonly durationsMs: readonly number[];
}

/** Returns totals without a download, for the last `size` downloads. Throws unless `size` is a whole number ≥ 1. */
export function emptyTotals(size: number): RecentTotals {
  if (!Number.isInteger(size) || size < 1) throw new Error(`a window of ${size} downloads cannot be`);
  return { size, sizesBytes: [], durationsMs: [] };
}

/** Returns the totals with one more download. An abandoned one and one that took no time or brought nothing are left out. */
export function withRecent(totals: RecentTotals, download: DownloadEvent): RecentTotals {
  const durationMs = download.lastByteMs - download.startMs;
  if (download.aborted || !(durationMs > 0) || !(download.sizeBytes > 0)) return totals;
  const { size } = totals;
  return {
    size,
    sizesBytes: lastFew(totals.sizesBytes, size, download.sizeBytes),
    durationsMs: lastFew(totals.durationsMs, size, durationMs),
  };
}

/** Returns the rate in kbit/s; null while nothing is measured. Sums afresh each time: no rounding error collects over a day. */
export function recentRateKbps({ sizesBytes, durationsMs }: RecentTotals): number | null {
  let bytes = 0;
  let ms = 0;
  for (const size of sizesBytes) bytes += size;
  for (const duration of durationsMs) ms += duration;
  return ms > 0 ? (bytes * 8) / ms : null;
}
