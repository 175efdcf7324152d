import { Check } from '@sinclair/typebox/value';
import { describe, expect, test } from 'vitest';
import { CampaignFile, type DrawnProfile } from './campaignFile.ts';
import { drawNetworks, drawnFaults } from './drawnNetworks.ts';
import { networkCount, networkNames } from './networks.ts';
import { planCampaign } from './planCampaign.ts';
import { startingFile } from './startingFile.ts';
import { networkProfiles, profileFamilies } from '../../src/network/profiles/registry.ts';
import { pick } from '../../src/shared/registry.ts';

const limiter: DrawnProfile = { profile: 'udp-limiter', limitKbps: [64, 1000], count: 10 };
const limitsOf = (entry: DrawnProfile, seed = 1): number[] =>
  drawNetworks(entry, [seed]).map(({ profile }) => profile.udp![0]!.kbps);

describe('drawn networks', () => {
  test('have the value in profile and name', () => {
    const networks = drawNetworks(limiter, [1]);
    expect(networks).toHaveLength(10);
    for (const { name, profile } of networks) {
      const kbps = profile.udp![0]!.kbps;
      expect(name).toBe(`udp-limiter-limit-${kbps}`);
      expect(profile).toMatchObject({ id: name, label: `UDP limiter: limitKbps ${kbps}`, repeat: true });
      expect(profile.steps[0]).toMatchObject({ downKbps: 2000, rttMs: 50, lossDown: 0 });
      expect(kbps).toBeGreaterThanOrEqual(64);
      expect(kbps).toBeLessThanOrEqual(1000);
    }
  });

  test('are the same in every run, others with another seed or range, and more of them begin alike', () => {
    // Held as numbers: a plan that a machine made has to be found again by every other.
    expect(limitsOf(limiter)).toEqual([109, 214, 287, 982, 462, 314, 86, 133, 138, 524]);
    expect(limitsOf({ ...limiter, count: 25 }).slice(0, 10)).toEqual(limitsOf(limiter));
    expect(limitsOf(limiter, 2)).not.toEqual(limitsOf(limiter));
    expect(limitsOf({ ...limiter, limitKbps: [64, 1001] })).not.toEqual(limitsOf(limiter));
  });

  test('depend on the first seed only', () =>
    expect(drawNetworks(limiter, [1, 2])).toEqual(drawNetworks(limiter, [1])));

  test('are never the same twice', () => {
    const few = limitsOf({ ...limiter, limitKbps: [64, 68], count: 5 });
    expect(few.toSorted((a, b) => a - b)).toEqual([64, 65, 66, 67, 68]);
    expect(() => limitsOf({ ...limiter, limitKbps: [64, 68], count: 6 })).toThrow('fewer than 6 different');
  });

  test('spread evenly over the logarithm of a rate, and over a loss', () => {
    const limits = limitsOf({ ...limiter, limitKbps: [10, 10_000], count: 900 });
    for (const [from, until] of [
      [10, 100],
      [100, 1000],
      [1000, 10_000],
    ] as const)
      // 300 of 900 with a standard deviation of 14. The lowest decade has fewer whole values than draws.
      expect(limits.filter((each) => each >= from && each < until).length).toBeGreaterThan(
        from === 10 ? 85 : 258,
      );
    const losses = drawNetworks({ profile: 'constant', lossPercent: [0, 4], count: 300 }, [3]).map(
      ({ profile }) => 100 * profile.steps[0]!.lossDown,
    );
    expect(Math.max(...losses)).toBeLessThanOrEqual(4);
    expect(losses.filter((each) => each < 2).length).toBeGreaterThan(105);
    expect(losses.filter((each) => each >= 2).length).toBeGreaterThan(105);
  });

  test('of steps have a rate for each step, and names with range and number', () => {
    const networks = drawNetworks({ profile: 'dvl-like', kbps: [64, 256], count: 3 }, [1]);
    expect(networks.map(({ name }) => name)).toEqual([
      'dvl-like-64-256-1',
      'dvl-like-64-256-2',
      'dvl-like-64-256-3',
    ]);
    for (const { profile } of networks) {
      expect(profile.steps.map(({ durationMs }) => durationMs)).toEqual(new Array(6).fill(60_000));
      expect(new Set(profile.steps.map(({ downKbps }) => downKbps)).size).toBeGreaterThan(2);
      for (const { downKbps } of profile.steps) {
        expect(downKbps).toBeGreaterThanOrEqual(64);
        expect(downKbps).toBeLessThanOrEqual(256);
      }
    }
  });

  test('take a single value for all draws', () => {
    const [first] = drawNetworks({ ...limiter, pathKbps: 1500 }, [1]);
    expect(first!.name).toMatch(/^udp-limiter-limit-\d+-path-1500$/);
    expect(first!.profile.steps[0]!.downKbps).toBe(1500);
  });
});

describe('networks over other paths', () => {
  const paths = ['3g', 'trace:../traces/bus.log'];
  const entry: DrawnProfile = { ...limiter, paths, count: 4 };
  const bus = { ...pick(networkProfiles, 'constant-7mbps'), id: 'bus-log' };
  const pathOf = (name: string) => (name === '3g' ? pick(networkProfiles, '3g') : bus);

  test('have these paths in turn, and limits of their own', () => {
    const networks = drawNetworks(entry, [1], pathOf);
    const limits = limitsOf(limiter);
    expect(networks.map(({ name }) => name)).toEqual([
      `udp-limiter-limit-${limits[0]}-3g`,
      `udp-limiter-limit-${limits[1]}-bus-log`,
      `udp-limiter-limit-${limits[2]}-3g`,
      `udp-limiter-limit-${limits[3]}-bus-log`,
    ]);
    expect(networks.map(({ profile }) => profile.steps[0]!.downKbps)).toEqual([3100, 7000, 3100, 7000]);
    expect(networks.map(({ profile }) => profile.udp![0]!.kbps)).toEqual(limits.slice(0, 4));
    expect(networks[0]!.profile.queue).toEqual(pick(networkProfiles, '3g').queue);
    expect(networks[1]!.profile.label).toBe(`UDP limiter: limitKbps ${limits[1]}; path bus-log`);
  });

  test('have their names without a trace being read', () =>
    expect(networkNames({ profiles: [entry], seeds: [1] })).toEqual(
      drawNetworks(entry, [1], pathOf).map(({ name }) => name),
    ));

  test('need no range: each path is a network', () => {
    const fixed: DrawnProfile = { profile: 'udp-limiter', paths, count: 2 };
    expect(drawnFaults({ ...fixed, count: 2 }, [1])).toEqual([]);
    expect(drawnFaults({ ...fixed, count: 3 }, [1])).toEqual([
      ': These ranges have fewer than 3 different networks.',
    ]);
  });

  test.each([
    [
      { ...entry, paths: ['4g'] },
      '/paths/0: Unknown path "4g": name a profile, the .json file of one, or trace:PATH.',
    ],
    [
      { ...entry, paths: ['3g', 'udp-block'] },
      '/paths/1: udp-block has limits of its own: name a profile without.',
    ],
    [{ ...entry, pathKbps: 5 }, '/pathKbps: pathKbps should be from 8 to 100000, but it is 5.'],
    [{ ...entry, pathKbps: 500 }, '/paths: The paths have their own rates: leave out pathKbps.'],
    [
      { profile: 'dvl-like', kbps: [64, 256], paths, count: 1 },
      '/paths: The profile dvl-like has no other paths.',
    ],
  ] as [DrawnProfile, string][])('are refused in a sentence: %j', (given, fault) =>
    expect(drawnFaults(given, [1])[0]).toBe(fault),
  );
});

test.each(profileFamilies)(
  '$id gives a profile of its usual values, and of both ends of its ranges',
  (family) => {
    const ends = Object.fromEntries(family.parameters.map(({ id, min, max }) => [id, [min, max]]));
    const entry = { profile: family.id, count: 4, ...ends } as DrawnProfile;
    const networks = drawNetworks(entry, [1]);
    expect(new Set(networks.map(({ name }) => name)).size).toBe(4);
    for (const { name, profile } of networks) {
      expect(name).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
      expect(profile.paper).toMatch(/\b20\d\d\b|^Ours: ./);
      for (const step of profile.steps) {
        expect(step.downKbps).toBeGreaterThan(0);
        expect(step.rttMs).toBeGreaterThan(0);
        expect(step.lossDown).toBeLessThanOrEqual(0.5);
      }
    }
  },
);

test.each(profileFamilies)('a campaign file may name every parameter of $id', ({ id, parameters }) => {
  const ends = Object.fromEntries(parameters.map(({ id: name, min, max }) => [name, [min, max]]));
  const file = { ...startingFile, profiles: [{ profile: id, count: 1, ...ends }] };
  expect(Check(CampaignFile, file)).toBe(true);
});

describe('a campaign with drawn networks', () => {
  const campaign: CampaignFile = { ...startingFile, profiles: ['dvl', limiter], repeats: 1, seeds: [1] };

  test('has as many networks as it draws', () => {
    expect(networkCount(campaign)).toBe(11);
    expect(networkNames(campaign)).toEqual(['dvl', ...drawNetworks(limiter, [1]).map(({ name }) => name)]);
  });

  test('has the same sessions on a network when more are drawn', () => {
    const idsOf = (entry: DrawnProfile): string[] => {
      const plan = planCampaign({ ...campaign, profiles: [entry] }, drawNetworks(entry, [1]));
      if (!plan.ok) throw new Error(plan.error);
      return plan.value.sessions.map(({ id }) => id);
    };
    expect(idsOf({ ...limiter, count: 12 })).toEqual(expect.arrayContaining(idsOf(limiter)));
  });
});
