import type { DownloadEvent } from '../rule.ts';

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

/** The totals with one more download. An abandoned one and one that took no time or brought nothing are left out. */
export function withDownload(total: TotalRate, download: DownloadEvent): TotalRate {
  const durationMs = download.lastByteMs - download.startMs;
  if (download.aborted || !(durationMs > 0) || !(download.sizeBytes > 0)) return total;
  return { bytes: total.bytes + download.sizeBytes, durationMs: total.durationMs + durationMs };
}

/** kbit/s; null while nothing is measured. */
export const totalRateKbps = ({ bytes, durationMs }: TotalRate): number | null =>
  durationMs > 0 ? (bytes * 8) / durationMs : null;
