import { upgradeCampaign } from '../plan/readCampaign.ts';
import { ARM_SENDER } from '../../src/report/model/fairnessOf.ts';
import type { ReportModel } from '../../src/report/model/reportModel.ts';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { campaignFiles, runName } from './campaignFiles.ts';
import { paperCampaigns } from './papers.ts';
import { readPaperCampaign } from './readPaperCampaign.ts';
import type { ReportSource } from '../../src/report/reportSource.ts';

export const AGGREGATE_SCHEMA = 'pitwall-aggregate/2';

/** What is kept of a campaign when its logs are not: small enough to be committed, whole enough to be doubted. */
export interface Aggregate extends Pick<
  ReportModel,
  | 'campaign'
  | 'primary'
  | 'question'
  | 'counts'
  | 'warnings'
  | 'ran'
  | 'tries'
  | 'blocks'
  | 'registration'
  | 'fairness'
  | 'notes'
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
  /** By metric id, over the sessions whose log has it; null where none does. */
  readonly means: Readonly<Record<string, number | null>>;
}

export type FigureNumbers = Pick<
  ReportModel['figures'][number],
  'id' | 'title' | 'caption' | 'columns' | 'rows'
>;

/** Words of version 1 in values, whole or within a sentence. */
const RENAMED_VALUES: Readonly<Record<string, string>> = { speaking: 'instrumented' };
const RENAMED_LABELS: readonly (readonly [string, string])[] = [
  ['sender of what the arm speaks', ARM_SENDER],
];

/** Turns results of version 1 into this version's; any other value is returned as it is. */
export function upgradeAggregate(value: unknown): unknown {
  const older = value as { schema?: unknown; campaign?: unknown; told?: unknown } | null;
  if (older?.schema !== 'pitwall-aggregate/1') return value;
  const { told: notes, campaign, ...rest } = older;
  const upgraded = { ...rest, campaign: upgradeCampaign(campaign), notes };
  const text = JSON.stringify({ ...upgraded, schema: AGGREGATE_SCHEMA });
  return JSON.parse(text, (_, each: unknown) => (typeof each === 'string' ? upgradeText(each) : each));
}

function upgradeText(text: string): string {
  if (Object.hasOwn(RENAMED_VALUES, text)) return RENAMED_VALUES[text]!;
  return RENAMED_LABELS.reduce((made, [was, is]) => made.replaceAll(was, is), text);
}

/** Why a run is no result of a paper's campaign as it is committed, in one sentence, or null. */
export async function resultsFault(
  { plan, sessions, flagged }: Pick<ReportSource, 'plan' | 'sessions' | 'flagged'>,
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
  const simulated = [...sessions, ...flagged].filter(
    ({ environment }) => (environment.simulator ?? null) !== null,
  );
  return simulated.length === 0
    ? null
    : `${simulated.length} of its sessions are simulated; results of papers need real sessions.`;
}
