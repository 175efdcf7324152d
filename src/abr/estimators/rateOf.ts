import { kbpsOf } from '../../shared/units.ts';
import type { DownloadEvent } from '../rule.ts';

/**
 * The papers' download rate in kbit/s: from the request, not from the first byte, to the last byte. null when it says
 * nothing about the path: no time passed (a cache), or the download was abandoned, whose body is short and mostly slow
 * start.
 */
export function rateOf(download: DownloadEvent): number | null {
  return download.aborted ? null : kbpsOf(download.sizeBytes, download.lastByteMs - download.startMs);
}
