import { readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { known, planWithoutTraces, readPaperCampaign, sizeOf } from './readPaperCampaign.ts';
import { readText } from '../../node/files.ts';
import { valueOf } from '../../src/shared/result.ts';
import { readCampaign } from '../design/readCampaign.ts';
import { knownBrowsers } from '../resolve/knownBrowsers.ts';
import { MAX_ROW_SESSIONS } from '../design/campaignSize.ts';
import { networkGroups } from '../design/networks.ts';
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
      known: { ...known, ...limit, browsers: knownBrowsers },
    }),
  );
};

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
    expect(sizeOf(campaign, 5).sessions).toBe(sessions);
    expect(formatScope(plan)).toBe(scope);
    expect(scopeCaution(plan)).toBeNull();
    expect(verdictReach(campaign)).toMatchObject({ unit: 'network', isWithinReach: true });
  });
});

test('two traces of the letter are of one household', async () => {
  const campaign = await readPaperCampaign(path.join(folder, '../../campaigns/2020-letter-figs-2-5.json'));
  expect(networkGroups(campaign).size).toBe(9);
  expect(scopeCaution(planWithoutTraces(campaign))).toBe(
    '10 pairs, but 9 networks: traces of one household share its line and are not independent. With "infer": "network" they count as one.',
  );
});
