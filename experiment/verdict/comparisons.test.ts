import { describe, expect, test } from 'vitest';
import { declaredComparisons } from './comparisons.ts';
import { verdictReach } from './verdictReach.ts';
import type { CampaignFile } from '../design/campaignFile.ts';
import { networksOf } from '../design/networks.ts';
import { startingFile } from '../design/startingFile.ts';

describe('comparisons of steering', () => {
  const campaign: CampaignFile = {
    ...startingFile,
    rules: ['bola'],
    transports: ['h2', 'h3-racing'],
    profiles: ['dvl'],
    compare: 'steering',
    steering: ['browser', 'throughput', 'fixed:pathway=tcp'],
  };
  const arms = (changes: Partial<CampaignFile> = {}) => {
    const changed = { ...campaign, ...changes };
    return declaredComparisons({ campaign: changed, networks: networksOf(changed) }).map(
      ({ firstArm, secondArm }) => `${firstArm} ${secondArm}`,
    );
  };

  test('are of the arms that are played', () => {
    expect(arms()).toEqual([
      'bola/h3-racing/throughput bola/h3-racing/browser',
      'bola/h3-racing/fixed:pathway=tcp bola/h3-racing/browser',
      'bola/h3-racing/fixed:pathway=tcp bola/h3-racing/throughput',
    ]);
    expect(verdictReach(campaign).comparisons).toBe(3);
  });

  test('of transports are made under the policy that both play', () =>
    expect(arms({ compare: 'transports' })).toEqual(['bola/h3-racing/browser bola/h2/browser']));
});
