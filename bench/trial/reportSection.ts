import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Figure } from '../figure.ts';
import { commandCost } from '../report/commandCost.ts';
import { sizeOfFolder, writeSyntheticStore } from './syntheticStore.ts';
import type { TrialSection } from './trialSection.ts';

const SESSIONS = 10_000_000;
const QUICK_SESSIONS = 100_000;
const MAX_SECONDS = 60;
const MAX_GIGABYTES = 4;

/** The report of a large trial, as a command. */
export const reportSection: TrialSection = {
  id: 'report',
  label: 'Cost of "pitwall trial report"',
  async measure({ root, isQuick, say }) {
    const sessions = isQuick ? QUICK_SESSIONS : SESSIONS;
    const folder = mkdtempSync(path.join(tmpdir(), 'pitwall-trial-bench-'));
    try {
      const store = path.join(folder, 'store');
      await writeSyntheticStore(store, sessions, say);
      const { tookMs, cpuMs, peakBytes } = await commandCost(root, ['trial', 'report', store]);
      const sizes = ['assignments', 'parquet', 'sessions'].map((name) =>
        sizeOfFolder(path.join(store, name)),
      );
      const once = { interval: null, goalMax: null };
      const gigabytes = { ...once, unit: 'GB' };
      const of = `${sessions.toLocaleString('en-GB')} sessions`;
      const size = sizes.reduce((sum, each) => sum + each, 0);
      const figures: (Figure | null)[] = [
        { ...gigabytes, id: 'size', label: `${of} on the disk`, value: size / 1e9 },
        { ...gigabytes, id: 'size-assignments', label: 'of which assignments', value: sizes[0]! / 1e9 },
        { ...gigabytes, id: 'size-parquet', label: 'and 13 days of Parquet', value: sizes[1]! / 1e9 },
        { ...once, id: 'time', label: 'report', unit: 's', value: tookMs / 1000, goalMax: MAX_SECONDS },
        cpuMs === null
          ? null
          : { ...once, id: 'cpu', label: 'its processor time', unit: 's', value: cpuMs / 1000 },
        peakBytes === null
          ? null
          : { ...gigabytes, id: 'peak', label: 'its memory', value: peakBytes / 1e9, goalMax: MAX_GIGABYTES },
      ];
      return figures.flatMap((figure) => figure ?? []);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};
