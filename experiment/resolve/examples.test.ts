import { readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { readText } from '../../node/files.ts';
import { networkProfiles } from '../../src/network/profiles/registry.ts';
import { faultOfPreset } from '../../src/player/presets.ts';
import { pick } from '../../src/shared/registry.ts';
import { valueOf } from '../../src/shared/result.ts';
import type { CampaignFile } from '../design/campaignFile.ts';
import type { CampaignPlan } from '../design/plan.ts';
import { planCampaign } from '../design/planCampaign.ts';
import { readCampaign } from '../design/readCampaign.ts';
import { knownBrowsers } from './knownBrowsers.ts';
import { MAX_ROW_SESSIONS } from '../design/campaignFaults.ts';
import { networkGroups, networkNames } from '../design/networks.ts';
import { formatScope, scopeCaution } from '../verdict/scope.ts';
import { verdictReach } from '../verdict/verdictReach.ts';

const folder = fileURLToPath(new URL('../../docs/examples', import.meta.url));
const files = readdirSync(folder).filter((name) => name.endsWith('.campaign.json'));

/** Examples with more sessions than a lab can play: for `--simulate --rows`. */
const simulatedAsRows = ['million-simulated.campaign.json'];

const read = async (name: string) => {
  const file = path.join(folder, name);
  const limit = simulatedAsRows.includes(name) ? { maxSessions: MAX_ROW_SESSIONS } : {};
  return valueOf(
    readCampaign(await readText(file), {
      name: file,
      known: { faultOfPreset, contents: [], browsers: knownBrowsers, faultOfRule: () => null, ...limit },
    }),
  );
};

/** Plans a campaign without its traces: only names and counts of the plan mean anything. */
function planWithoutTraces(campaign: CampaignFile): CampaignPlan {
  const profile = pick(networkProfiles, 'constant-10mbps');
  return valueOf(
    planCampaign(
      campaign,
      networkNames(campaign).map((name) => ({ name, profile })),
    ),
  );
}

test.each(files)('%s is a campaign, named as its file', async (name) =>
  expect((await read(name)).name).toBe(name.replace('.campaign.json', '')),
);

const OF_PAPERS = '../../campaigns';

describe('campaigns whose verdict is about networks', () => {
  test.each([
    [`${OF_PAPERS}/2024-racing-dvl-drawn.json`, 40, '10 networks drawn from dvl-like with kbps 64 to 256'],
    [
      `${OF_PAPERS}/2024-racing-limiter-drawn.json`,
      40,
      '10 networks drawn from udp-limiter with limitKbps 64 to 1000',
    ],
    [`${OF_PAPERS}/2020-letter-households.json`, 140, '20 households'],
    [
      'h2-h3-bola.campaign.json',
      24,
      '12 networks drawn from constant with kbps 800 to 6000, rttMs 20 to 150, lossPercent 0 to 1',
    ],
  ])('%s: %i sessions, %s', async (name, sessions, scope) => {
    const campaign = await read(name);
    const plan = planWithoutTraces(campaign);
    expect(plan.sessions).toHaveLength(sessions);
    expect(formatScope(plan)).toBe(scope);
    expect(scopeCaution(plan)).toBeNull();
    expect(verdictReach(campaign)).toMatchObject({ unit: 'network', isWithinReach: true });
  });
});

test('two traces of the letter are of one household', async () => {
  const campaign = await read(`${OF_PAPERS}/2020-letter-figs-2-5.json`);
  expect(networkGroups(campaign).size).toBe(9);
  expect(scopeCaution(planWithoutTraces(campaign))).toBe(
    '10 pairs, but 9 networks: traces of one household share its line and are not independent. With "infer": "network" they count as one.',
  );
});
