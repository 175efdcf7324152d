import type { Metric } from '../../src/analysis/metrics/metric.ts';

/** How sessions are played in browsers and shown, whatever they are of. */
export interface RunOptions {
  /** The folder of this checkout, or of the package. */
  readonly root: string;
  readonly out?: string;
  /** Sessions at once; of a campaign, pairs. */
  readonly workers: number;
  /** `1/4`: plays one of so many parts. */
  readonly shard?: string;
  readonly keepNetlog?: boolean;
  /** Whether DevTools is a second transport source of every race. */
  readonly devtools?: boolean;
  /** A file of certificates in PEM that browsers and probes trust beside the public ones. */
  readonly trust?: string;
  /** The columns of the table. */
  readonly metrics: readonly Metric[];
}

/** The campaign file that a command of the lab is given. */
export interface LabFile {
  readonly file: string;
  /** Whether the campaign is one of transfers; absent: it plays streams. */
  readonly downloads?: boolean;
}

/** Counts the pairs of a campaign that play at once on all machines. */
export const pairsAtOnce = ({ workers, shard }: Pick<RunOptions, 'workers' | 'shard'>): number =>
  workers * Number(shard?.split('/')[1] ?? 1);
