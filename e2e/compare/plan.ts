import { readFileSync } from 'node:fs';
import type { CampaignFile } from '../../src/campaign/campaignFile.ts';
import type { PlannedSession } from '../../src/campaign/plan.ts';

/** What `pitwall compare` asks of Playwright: a JSON file whose path is in the environment variable below. */
export interface ComparePlan {
  /** Where the logs go, each as `<id>.json`. */
  readonly logDir: string;
  readonly seconds: number;
  readonly presetId: string;
  readonly groups: readonly CompareGroup[];
  /** Where the page is served. */
  readonly appUrl: string;
  readonly chromiumPath: string;
  readonly ownOrigin: OwnOrigin;
}

/** What a browser must be told to speak to our own origin. */
export interface OwnOrigin {
  readonly spkiSha256Base64: string;
  readonly hostRules: string;
}

/** Sessions that are played one after the other on one machine, in this order, where they are a pair of a campaign. */
export interface CompareGroup {
  readonly name: string;
  readonly isPair: boolean;
  readonly cells: readonly CompareCell[];
}

export interface CompareCell {
  /** A file name and a host label. */
  readonly id: string;
  readonly rule: string;
  readonly transport: CampaignFile['transports'][number];
  readonly mpdUrl: string;
  /** Whether our own origin serves it. */
  readonly isOwn: boolean;
  /** null outside campaigns. */
  readonly design: PlannedSession['design'] | null;
}

export const PLAN_VARIABLE = 'PITWALL_COMPARE_PLAN';

export function readPlan(): ComparePlan {
  const file = process.env[PLAN_VARIABLE];
  if (!file) throw new Error(`${PLAN_VARIABLE} is not set: start comparisons with "pitwall compare".`);
  return JSON.parse(readFileSync(file, 'utf8')) as ComparePlan;
}
