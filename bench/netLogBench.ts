import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readNetLogFile } from '../lab/browser/chromium/readNetLogFile.ts';
import { print, printProgress } from '../node/print.ts';
import type { Bench } from './bench.ts';
import { type Figure, figureTable, summary, writeFigures } from './figure.ts';
import { syntheticNetLog } from './netLog/syntheticNetLog.ts';

const MEGABYTE = 1e6;
const SIZES_MB = [50, 500];
/** Less than a third of the greatest file: it is not held. */
const MAX_PEAK_MB = 150;

/** Whether the browser's own logs of hours are read in a stream: time and memory against their size. */
export const netLogBench: Bench = {
  id: 'netlog',
  label: 'time and memory to read a synthetic NetLog of 500 MB as a stream',
  async run({ json, quick = false }) {
    const figures: Figure[] = [];
    for (const megabytes of SIZES_MB)
      figures.push(...(await measureReading(quick ? megabytes / 10 : megabytes)));
    print(figureTable(figures));
    if (json) writeFigures(json, figures);
    print(summary(figures));
    return 0;
  },
};

async function measureReading(megabytes: number): Promise<Figure[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'pitwall-netlog-'));
  try {
    const file = path.join(folder, 'net.json');
    printProgress(`writing ${megabytes} MB`);
    const made = await syntheticNetLog(file, megabytes * MEGABYTE);
    const { tookMs, peakBytes, requests } = await readingCost(file);
    if (requests !== made.requests) throw new Error(`${requests} of ${made.requests} requests were read`);
    const once = { interval: null, goalMax: null };
    const of = `${megabytes} MB with ${requests} requests`;
    return [
      { ...once, id: `netlog-${megabytes}-time`, label: `reading ${of}`, unit: 's', value: tookMs / 1000 },
      {
        ...once,
        id: `netlog-${megabytes}-peak`,
        label: 'peak memory, above the memory before',
        unit: 'MB',
        value: peakBytes / MEGABYTE,
        goalMax: MAX_PEAK_MB,
      },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const SAMPLE_MS = 20;

/**
 * Reads a NetLog as a session's end does, and watches the process meanwhile: its resident memory at the highest, above what
 * it was before. @throws Error when it cannot be read
 */
async function readingCost(file: string): Promise<{ tookMs: number; peakBytes: number; requests: number }> {
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
