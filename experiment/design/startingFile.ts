import { CAMPAIGN_SCHEMA, type CampaignFile } from './campaignFile.ts';

/** What `pitwall compare --init` writes: small, runs anywhere, and can reach a verdict (12 pairs, 6 comparisons). */
export const startingFile: CampaignFile = {
  schema: CAMPAIGN_SCHEMA,
  name: 'first-campaign',
  about: 'What this is to find out. docs/campaign-file.md explains every field.',
  rules: ['dashjs-dynamic'],
  transports: ['h1', 'h2', 'h3-racing', 'h3-only'],
  profiles: [],
  contents: ['demo'],
  repeats: 6,
  seeds: [1, 2],
  seconds: 20,
  leadInSeconds: 5,
  phase: 'start',
  preset: 'experiment',
  primary: 'join-time',
  marginPercent: 5,
  alpha: 0.05,
  compare: 'transports',
  per: 'campaign',
};
