import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { print } from '../node/print.ts';
import type { Bench } from './bench.ts';
import { type Figure, figureTable, summary, writeFigures } from './figure.ts';
import { readingCost } from './netLog/readingCost.ts';
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
    process.stderr.write(`  … writing ${megabytes} MB\n`);
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
