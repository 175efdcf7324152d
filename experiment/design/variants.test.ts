import { describe, expect, test } from 'vitest';
import { isAaSession } from '../factors/arms.ts';
import type { CampaignFile } from './campaignFile.ts';
import type { Network } from './plan.ts';
import { planCampaign } from './planCampaign.ts';
import { startingFile } from './startingFile.ts';
import { networksToPlay, planOfSamePairs, planOfVariant, sessionsToPlay, variants } from './variants.ts';
import { queuePackets } from '../../src/network/profile.ts';
import { networkProfiles } from '../../src/network/profiles/registry.ts';
import { faultsOf, pick } from '../../src/shared/registry.ts';
import { valueOf } from '../../src/shared/result.ts';

const networks = ['dvl', 'wifi', 'np2b-typical-delay-typical-loss'].map((name) => ({
  name,
  profile: pick(networkProfiles, name),
}));
const base: CampaignFile = {
  ...startingFile,
  profiles: networks.map(({ name }) => name),
  repeats: 4,
  phase: 'drawn',
  viewer: 'time-2~9:pause-3',
};
const robustTo: CampaignFile['robustTo'] = { variants: ['rtt'] };
const planOf = (changes: Partial<CampaignFile> = {}, over: readonly Network[] = networks) =>
  valueOf(planCampaign({ ...base, robustTo, ...changes }, over));
const rttOf = (changes: Partial<CampaignFile> = {}) => planOf(changes).variants![0]!;

test('variants are a registry', () => expect(faultsOf(variants)).toEqual([]));

describe('a plan', () => {
  test('without the field is the same, byte for byte, and with it has the same sessions', () => {
    const without = valueOf(planCampaign(base, networks));
    expect(Object.keys(without)).toEqual(['schema', 'campaign', 'networks', 'sessions']);
    const { campaign, variants: again, ...rest } = planOf();
    expect(JSON.stringify(rest)).toBe(JSON.stringify({ ...without, campaign: undefined }));
    expect([campaign.robustTo, again?.length]).toEqual([robustTo, 1]);
    expect(sessionsToPlay(without)).toBe(without.sessions);
    expect(JSON.stringify(planOf())).toBe(JSON.stringify(planOf()));
  });

  test('plays eight pairs again, after all others, with the same arms', () => {
    const plan = planOf();
    const { pairs, sessions } = rttOf();
    expect(pairs).toHaveLength(8);
    expect(sessions).toHaveLength(8 * 4);
    expect(sessionsToPlay(plan)).toEqual([...plan.sessions, ...sessions]);
    const ids = sessionsToPlay(plan).map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])$/);
    const names = new Set(plan.sessions.flatMap(({ design: { pair, cell } }) => [pair, cell]));
    for (const { design } of sessions)
      expect([design.pair, design.cell].some((name) => names.has(name))).toBe(false);
  });

  test('plays a pair again at the same moment, with the same losses, viewer and order', () => {
    const plan = planOf();
    const first = planOfSamePairs(plan, rttOf()).sessions;
    const unmarked = JSON.stringify(rttOf().sessions.map(({ id: _, ...rest }) => rest)).replaceAll(
      '+rtt',
      '',
    );
    expect(JSON.parse(unmarked)).toEqual(first.map(({ id: _, ...rest }) => rest));
    expect(new Set(first.map(({ link }) => link!.phaseMs)).size).toBeGreaterThan(2);
  });

  test('draws the pairs with the first seed, from as many networks as there are', () => {
    const few = (changes: Partial<CampaignFile>) =>
      rttOf({ robustTo: { variants: ['rtt'], pairs: 3 }, ...changes });
    const networkOf = (pair: string): string => pair.split('/')[0]!;
    expect(new Set(few({}).pairs.map(networkOf)).size).toBe(3);
    expect(few({}).pairs).not.toEqual(few({ seeds: [2, 1] }).pairs);
    expect(few({}).networks.map(({ name }) => name)).toEqual(networks.map(({ name }) => `${name}+rtt`));
    // Each verdict has as many.
    const each = few({ per: 'network' }).pairs.map(networkOf);
    for (const { name } of networks) expect(each.filter((of) => of === name)).toHaveLength(3);
    expect(rttOf({ repeats: 1, seeds: [1] }).pairs).toHaveLength(3);
  });

  test('plays no A/A session again', () => {
    const { sessions, pairs } = rttOf({ aaSessions: true });
    expect(sessions.filter(isAaSession)).toEqual([]);
    expect(sessions.map(({ design }) => design.order)).toEqual(pairs.flatMap(() => [0, 1, 2, 3]));
  });

  test('a warm session that is played again has another id than a cold one', () => {
    const idsOf = (browserProfile: 'cold' | 'warm'): string[] =>
      rttOf({ browserProfile, leadInSeconds: 20 }).sessions.map(({ id }) => id);
    expect(idsOf('cold').filter((id) => idsOf('warm').includes(id))).toEqual([]);
  });

  test('of a variant is a campaign of its own', () => {
    const plan = planOf();
    const [variant] = plan.variants!;
    const { networks: own, sessions, ...rest } = planOfVariant(plan, variant!);
    expect([own, sessions]).toEqual([variant!.networks, variant!.sessions]);
    expect(rest).not.toHaveProperty('variants');
    expect(networksToPlay(plan)).toEqual([...networks, ...own]);
  });
});

test.each(networkProfiles)('$id with longer round trips has the same rates, losses and queue', (profile) => {
  const { changed } = pick(variants, 'rtt');
  const other = changed(profile);
  other.steps.forEach(({ rttMs, ...step }, index) => {
    const { rttMs: before, ...same } = profile.steps[index]!;
    expect(rttMs).toBeCloseTo(1.15 * before, 2);
    expect(step).toEqual(same);
  });
  for (const way of ['down', 'up'] as const)
    expect(queuePackets(other, way)).toBe(queuePackets(profile, way));
  expect({ ...other, steps: [], queue: null }).toEqual({ ...profile, steps: [], queue: null });
});

test('a network whose round trips would be longer than a log may say is refused', () => {
  const [network] = networks;
  const steps = [{ ...network!.profile.steps[0]!, rttMs: 9000 }];
  const far = { name: 'far', profile: { ...network!.profile, steps } };
  expect(planCampaign({ ...base, robustTo }, [far])).toEqual({
    ok: false,
    error: '/robustTo: The round trips of far would be longer than 9999 ms: leave it out.',
  });
  expect(planCampaign(base, [far])).toMatchObject({ ok: true });
});
