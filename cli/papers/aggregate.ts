import type { ReportModel } from '../../src/report/model/reportModel.ts';

export const AGGREGATE_SCHEMA = 'pitwall-aggregate/1';

/** What is kept of a campaign when its logs are not: small enough to be committed, whole enough to be doubted. */
export interface Aggregate extends Pick<
  ReportModel,
  | 'campaign'
  | 'primary'
  | 'question'
  | 'counts'
  | 'warnings'
  | 'ran'
  | 'fairness'
  | 'told'
  | 'verdicts'
  | 'exploratory'
  | 'thesis'
> {
  readonly schema: typeof AGGREGATE_SCHEMA;
  /** By name. */
  readonly arms: readonly ArmMeans[];
  /** The numbers of the figures, without the pictures. */
  readonly figures: readonly FigureNumbers[];
}

/** Means of one arm over its sessions. */
export interface ArmMeans {
  readonly arm: string;
  /** null: over all networks, where these share a verdict. */
  readonly network: string | null;
  readonly sessions: number;
  /** By metric id, over the sessions whose log tells it; null where none does. */
  readonly means: Readonly<Record<string, number | null>>;
}

export type FigureNumbers = Pick<
  ReportModel['figures'][number],
  'id' | 'title' | 'caption' | 'columns' | 'rows'
>;
