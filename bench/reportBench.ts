import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { print } from '../node/print.ts';
import type { Bench } from './bench.ts';
import { type Figure, figureTable, summary, writeFigures } from './figure.ts';
import { commandCost, type CommandCost } from './report/commandCost.ts';
import { startingFile } from '../experiment/design/startingFile.ts';

interface Size {
  readonly sessions: number;
  readonly repeats: number;
  readonly seconds: number;
  readonly maxSeconds: number;
  readonly maxMegabytes: number | null;
  readonly maxPeakGigabytes: number | null;
}

/** Each: two rules over two transports on five networks, so twenty sessions a repeat. */
const SIZES: readonly Size[] = [
  { sessions: 200, repeats: 10, seconds: 180, maxSeconds: 10, maxMegabytes: 5, maxPeakGigabytes: null },
  {
    sessions: 10_000,
    repeats: 500,
    seconds: 60,
    maxSeconds: 120,
    maxMegabytes: null,
    maxPeakGigabytes: 2,
  },
];

/** A report of campaigns that a simulator played: its logs are as long as a player's of the same time. */
export const reportBench: Bench = {
  id: 'report',
  label: 'time, memory and size of a report of 200 and of 10,000 simulated sessions',
  async run({ root, json, quick = false }) {
    const figures: Figure[] = [];
    for (const size of SIZES) {
      const { sessions, repeats } = size;
      figures.push(
        ...(await measureReport(
          root,
          quick ? { ...size, sessions: sessions / 10, repeats: repeats / 10 } : size,
        )),
      );
    }
    print(figureTable(figures));
    if (json) writeFigures(json, figures);
    print(summary(figures));
    return 0;
  },
};

async function measureReport(root: string, size: Size): Promise<Figure[]> {
  const { sessions, repeats, seconds } = size;
  const folder = mkdtempSync(path.join(tmpdir(), 'pitwall-report-bench-'));
  try {
    const file = path.join(folder, 'campaign.json');
    writeFileSync(file, JSON.stringify(campaignOf(repeats, seconds)));
    process.stderr.write(`  … simulating ${sessions} sessions of ${seconds} s\n`);
    await commandCost(root, ['compare', file, '--simulate', '--out', folder, '--metrics', 'mean-bitrate']);
    process.stderr.write('  … its report\n');
    const { tookMs, cpuMs, peakBytes } = await commandCost(root, ['report', folder]);
    const sizeBytes = statSync(path.join(folder, 'report.html')).size;
    return figuresOf(size, { tookMs, cpuMs, peakBytes, sizeBytes });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const campaignOf = (repeats: number, seconds: number): typeof startingFile => ({
  ...startingFile,
  name: 'report-bench',
  rules: ['bola', 'bba-2'],
  transports: ['h2', 'h3-only'],
  profiles: ['dvl', 'dl', 'np2b-typical-delay-typical-loss', '3g', 'constant-5mbps'],
  contents: ['padded:envivio:audio=32'],
  repeats,
  seeds: [1],
  seconds,
  phase: 'drawn',
  primary: 'mean-bitrate',
  per: 'network',
});

interface Cost extends CommandCost {
  readonly sizeBytes: number;
}

function figuresOf(
  { sessions, seconds, maxSeconds, maxMegabytes, maxPeakGigabytes }: Size,
  { tookMs, cpuMs, peakBytes, sizeBytes }: Cost,
): Figure[] {
  const once = { interval: null };
  const of = `${sessions} sessions of ${seconds} s`;
  return [
    {
      ...once,
      id: `report-${sessions}-time`,
      label: `report of ${of}`,
      unit: 's',
      value: tookMs / 1000,
      goalMax: maxSeconds,
    },
    ...(cpuMs === null
      ? []
      : [
          {
            ...once,
            id: `report-${sessions}-cpu`,
            label: 'processor time of it, all threads',
            unit: 's',
            value: cpuMs / 1000,
            goalMax: null,
          },
        ]),
    {
      ...once,
      id: `report-${sessions}-size`,
      label: 'its file',
      unit: 'MB',
      value: sizeBytes / 1e6,
      goalMax: maxMegabytes,
    },
    ...(peakBytes === null
      ? []
      : [
          {
            ...once,
            id: `report-${sessions}-peak`,
            label: 'peak memory',
            unit: 'GB',
            value: peakBytes / 1e9,
            goalMax: maxPeakGigabytes,
          },
        ]),
  ];
}
