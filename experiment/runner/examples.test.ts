import { readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { formatDryRun } from './formatPlan.ts';
import { resolveHead, resolveToShow } from '../resolve/resolve.ts';
import { sessionsInPair } from '../factors/arms.ts';
import { plannedPairs } from '../design/planCampaign.ts';
import { isOfTransfers } from '../design/transferFile.ts';
import { verdictReach } from '../verdict/verdictReach.ts';
import { refuseSimulated } from './simulated/refuseSimulated.ts';

const folder = path.resolve(import.meta.dirname, '../../docs/examples');
/** Too large for a list of its sessions. */
const MILLION = 'million-simulated.campaign.json';
const examples = readdirSync(folder).filter(
  (name) => /\.(campaign|transfer)\.json$/.test(name) && name !== MILLION,
);

test.each(examples)('%s can be planned', async (name) => {
  const { plan } = await resolveToShow(path.join(folder, name));
  expect(name).toBe(`${plan.campaign.name}.${isOfTransfers(plan.campaign) ? 'transfer' : 'campaign'}.json`);
  expect(formatDryRun(plan, 1)).toContain(`${plan.sessions.length} sessions`);
});

test.each([
  ['objects', 30],
  ['two-streams', 60],
  ['ranges', 90],
  // 0-RTT over QUIC alone.
  ['handshake', 50],
])('the transfers of %s: %i sessions, enough networks for a verdict', async (name, sessions) => {
  const { plan } = await resolveToShow(path.join(folder, `${name}.transfer.json`));
  expect(plan.sessions).toHaveLength(sessions);
  expect(formatDryRun(plan, 5)).toContain('verdict on');
  expect(verdictReach(plan.campaign)).toMatchObject({ unit: 'network', isWithinReach: true });
});

test('the parity of losses can be simulated, whole', async () => {
  const { plan } = await resolveToShow(path.join(folder, 'parity-loss.campaign.json'));
  expect(plan.sessions).toHaveLength(3 * 2 * 4 * 4 * 3);
  refuseSimulated(plan, 'parity-loss.campaign.json');
});

test('the million can be simulated as rows, whole', async () => {
  const { plan: head } = await resolveHead(path.join(folder, MILLION));
  const { campaign, networks } = head;
  expect(plannedPairs(campaign, networks).count * sessionsInPair(campaign)).toBe(1_002_000);
  expect(verdictReach(campaign)).toMatchObject({ unit: 'network', isWithinReach: true });
  refuseSimulated(head, MILLION);
});
