import { readNetLogFile } from '../../lab/browser/chromium/readNetLogFile.ts';

interface ReadingCost {
  readonly tookMs: number;
  /** Resident memory at its highest, above what it was before. */
  readonly peakBytes: number;
  readonly requests: number;
}

const SAMPLE_MS = 20;

/** Reads a NetLog as a session's end does, and watches the process meanwhile. @throws Error when it cannot be read */
export async function readingCost(file: string): Promise<ReadingCost> {
  const before = process.memoryUsage.rss();
  let peak = before;
  const watch = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), SAMPLE_MS);
  const startMs = performance.now();
  const facts = await readNetLogFile(file);
  const tookMs = performance.now() - startMs;
  clearInterval(watch);
  if (!facts.ok) throw new Error(`${file}: ${facts.error}`);
  peak = Math.max(peak, process.memoryUsage.rss());
  return { tookMs, peakBytes: peak - before, requests: facts.value.requests.length };
}
