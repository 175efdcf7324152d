import type { SummaryWindow } from '../../sessionSummary.ts';

/** What the racing paper (2024, §V-B) takes running means of: a value for each window of 30 s. */
export interface RunningSeries {
  readonly label: string;
  readonly better: 'higher' | 'lower';
  of(windows: readonly SummaryWindow[]): number[];
}

const bitratesOf = (windows: readonly SummaryWindow[]): number[] =>
  windows.flatMap(({ bitrateKbps }) => bitrateKbps ?? []);

export const runningSeries: readonly RunningSeries[] = [
  { label: 'bitrate', better: 'higher', of: bitratesOf },
  {
    label: 'variation',
    better: 'lower',
    of(windows) {
      const bitrates = bitratesOf(windows);
      return bitrates.slice(1).map((now, index) => Math.abs(now - bitrates[index]!));
    },
  },
  { label: 'stall', better: 'lower', of: (windows) => windows.map(({ stallS }) => stallS) },
];
