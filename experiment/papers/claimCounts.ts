import type { Aggregate } from './aggregate.ts';
import { claimResult, type ClaimResult } from './claimResult.ts';
import type { PaperCampaign } from './paperCampaign.ts';

const OUTCOMES: readonly ClaimResult['outcome'][] = [
  'same',
  'not contradicted',
  'different',
  'cannot tell',
  'not known',
];

/** `5 same, 1 cannot tell`: what became of a paper's claims. */
export function claimCounts({ claims }: PaperCampaign, aggregate: Aggregate): string {
  const found = claims.flatMap((claim) => claimResult(claim, aggregate)?.outcome ?? []);
  return OUTCOMES.map((outcome) => [found.filter((each) => each === outcome).length, outcome] as const)
    .filter(([count]) => count > 0)
    .map(([count, outcome]) => `${count} ${outcome}`)
    .join(', ');
}
