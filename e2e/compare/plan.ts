/** What `pitwall compare` asks of Playwright; it travels as JSON in the environment variable below. */
export interface ComparePlan {
  readonly outDir: string;
  readonly seconds: number;
  readonly presetId: string;
  readonly cells: readonly CompareCell[];
  /** Where the page is served. */
  readonly appUrl: string;
  readonly chromiumPath: string;
  /** null for a publicly trusted origin. */
  readonly spkiSha256Base64: string | null;
  readonly hostRules: string | null;
}

export interface CompareCell {
  readonly id: string;
  readonly rule: string;
  readonly transport: 'h1' | 'h2' | 'h3-racing' | 'h3-only';
  readonly mpdUrl: string;
}

export const PLAN_VARIABLE = 'PITWALL_COMPARE_PLAN';

export function readPlan(): ComparePlan {
  const text = process.env[PLAN_VARIABLE];
  if (!text) throw new Error(`${PLAN_VARIABLE} is not set: start comparisons with "pitwall compare".`);
  return JSON.parse(text) as ComparePlan;
}
