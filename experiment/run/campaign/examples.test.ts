import { readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { formatDryRun } from './formatPlan.ts';
import { loadCampaign } from './loadCampaign.ts';
import { refuseSimulated } from '../simulated/runSimulated.ts';

const folder = path.resolve(import.meta.dirname, '../../../docs/examples');
const examples = readdirSync(folder).filter((name) => name.endsWith('.campaign.json'));

test.each(examples)('%s can be planned', async (name) => {
  const plan = await loadCampaign(path.join(folder, name));
  expect(name).toBe(`${plan.campaign.name}.campaign.json`);
  expect(formatDryRun(plan, 1)).toContain(`${plan.sessions.length} sessions`);
});

test('the parity of losses can be simulated, whole', async () => {
  const plan = await loadCampaign(path.join(folder, 'parity-loss.campaign.json'));
  expect(plan.sessions).toHaveLength(3 * 2 * 4 * 4 * 3);
  refuseSimulated(plan, 'parity-loss.campaign.json');
});
