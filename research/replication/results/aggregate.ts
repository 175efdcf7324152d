import type { ReportModel } from '../../../experiment/report/model/reportModel.ts';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { campaignFiles, runName } from '../campaignFiles.ts';
import { paperCampaigns } from '../papers.ts';
import { readPaperCampaign } from '../readPaperCampaign.ts';
import { allSessions, type ReportSource } from '../../../experiment/report/reportSource.ts';
import type { ReportTable } from '../../../experiment/report/reportTable.ts';
import type { VerdictLine } from '../../../experiment/report/model/verdictLines.ts';
import { isSimulated } from '../../../src/telemetry/isSimulated.ts';

export const AGGREGATE_SCHEMA = 'pitwall-aggregate/3';

/** What is kept of a campaign when its logs are not: small enough to be committed, whole enough to be checked. */
export interface Aggregate extends Pick<
  ReportModel,
  | 'campaign'
  | 'primary'
  | 'question'
  | 'counts'
  | 'warnings'
  | 'ran'
  | 'tries'
  | 'aa'
  | 'blocks'
  | 'registration'
  | 'fairness'
  | 'notes'
  | 'exploratory'
  | 'thesis'
> {
  readonly schema: typeof AGGREGATE_SCHEMA;
  /** Version of the metrics' definitions (`definitionChanges.ts`); absent in older files: 1. */
  readonly definitions?: number;
  readonly verdicts: readonly AggregateVerdict[];
  /** Networks on which pairs within the resolution are tied; absent without A/A sessions. */
  readonly losslessNetworks?: readonly string[];
  /** Mean differences on each network; null where every comparison is about one network. */
  readonly byNetwork: ReportTable | null;
  /** Means of each arm, sorted by name. */
  readonly arms: readonly ArmMeans[];
  /** The numbers of the figures, without the pictures. */
  readonly figures: readonly FigureNumbers[];
}

/** A verdict line; of results that were scored anew also what was published first. */
export interface AggregateVerdict extends VerdictLine {
  readonly earlier?: EarlierVerdict;
}

/** A verdict as it was first published. */
interface EarlierVerdict {
  /** Schema of the results file in which the verdict was published. */
  readonly schema: string;
  /** One word, for which the margin was tested first: `equivalent` may hide a difference. null: there was none. */
  readonly verdict: 'better' | 'worse' | 'equivalent' | 'cannot-tell' | null;
  /** Interval of the mean difference at 95 %, by BCa (Efron 1987), in the metric's unit. */
  readonly interval: readonly [number, number] | null;
}

/** Means of one arm over its sessions. */
export interface ArmMeans {
  readonly arm: string;
  /** Network of the sessions; null: all networks, where these share a verdict. */
  readonly network: string | null;
  readonly sessions: number;
  /** Means by metric id, over the sessions whose log has the metric; null where no log has it. */
  readonly means: Readonly<Record<string, number | null>>;
}

export type FigureNumbers = Pick<
  ReportModel['figures'][number],
  'id' | 'title' | 'caption' | 'columns' | 'rows'
>;

/** Returns why a run is no result of a paper's campaign as it is committed, in one sentence, or null. */
export async function resultsFault(
  { plan, sessions, aaSessions, flagged }: Pick<ReportSource, 'plan' | 'sessions' | 'aaSessions' | 'flagged'>,
  root: string,
): Promise<string | null> {
  const { campaign } = plan;
  const found = paperCampaigns.find(({ id }) =>
    [runName(id, false), runName(id, true)].includes(campaign.name),
  );
  if (!found) return `Its campaign "${campaign.name}" belongs to no paper. Run pitwall papers list.`;
  const files = campaignFiles(root, found);
  const file = campaign.name === found.id ? files.scaled : files.full;
  if (!isDeepStrictEqual(await readPaperCampaign(file), campaign))
    return `Its plan differs from the present ${path.relative('.', file)}.`;
  const simulated = allSessions({ sessions, aaSessions, flagged }).filter(isSimulated);
  return simulated.length === 0
    ? null
    : `${simulated.length} of its sessions are simulated; results of papers need real sessions.`;
}
