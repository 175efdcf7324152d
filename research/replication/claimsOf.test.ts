import { expect, test } from 'vitest';
import { claimsOf } from './claimsOf.ts';
import { paperCampaigns } from './papers.ts';

const [campaign] = paperCampaigns;
const changed = (changes: object): string | null =>
  claimsOf(campaign!.id, [
    { ...campaign!, claims: campaign!.claims.map((claim) => ({ ...claim, ...changes })) },
  ]);

test('the claims of a campaign are one text, of both of its lengths, and other claims another', () => {
  const text = claimsOf(campaign!.id)!;
  expect(text).toContain(campaign!.claims[0]!.expects);
  expect(claimsOf(`${campaign!.id}-full`)).toBe(text);
  expect(changed({ expects: 'no difference' })).not.toBe(text);
  expect(changed({ says: 'the same in other words' })).toBe(text);
  expect(claimsOf('first-campaign')).toBeNull();
  expect(claimsOf(campaign!.id, [{ ...campaign!, claims: [] }])).toBeNull();
});
