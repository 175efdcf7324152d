import { describe, expect, test } from 'vitest';
import { formatScope, scopeCaution, type PlayedSession } from './scope.ts';
import type { CampaignFile } from '../design/campaignFile.ts';
import { networkNames, networksOf } from '../design/networks.ts';
import type { Network } from '../design/plan.ts';
import { startingFile } from '../design/startingFile.ts';
import { networkProfiles } from '../../src/network/profiles/registry.ts';
import { pick } from '../../src/shared/registry.ts';

function planOf(changes: Partial<CampaignFile>) {
  const campaign: CampaignFile = { ...startingFile, repeats: 10, seeds: [1], ...changes };
  const isTraced = campaign.profiles.some((entry) => typeof entry === 'string' && entry.startsWith('trace:'));
  const profile = pick(networkProfiles, 'dvl');
  const networks: Network[] = isTraced
    ? networkNames(campaign).map((name) => ({ name, profile }))
    : networksOf(campaign);
  return { campaign, networks };
}
const scopeOf = (changes: Partial<CampaignFile>): string => formatScope(planOf(changes));

const drawn = { profile: 'udp-limiter', limitKbps: [64, 1000], count: 10 };
const traces = (units: readonly number[]): string[] =>
  units.map((unit, place) => `trace:t/${place}_trace_${unit}_http---www.ebay.com_0`);

describe('the scope of a verdict', () => {
  test.each<[string, Partial<CampaignFile>]>([
    ['10 pairs without an emulated link', {}],
    ['10 repeats of one network (dvl)', { profiles: ['dvl'] }],
    ['10 repeats of one network (udp-limiter)', { profiles: ['udp-limiter'], phase: 'drawn' }],
    ['20 pairs on one network (dvl)', { profiles: ['dvl'], contents: ['demo', 'padded:envivio'] }],
    ['10 pairs with drawn phases on one network (dvl)', { profiles: ['dvl'], phase: 'drawn' }],
    [
      '10 pairs with random loss and drawn phases on one network (np2b-typical-delay-typical-loss)',
      { profiles: ['np2b-typical-delay-typical-loss'], phase: 'drawn' },
    ],
    [
      '10 pairs with drawn moments of the viewer on one network (dvl)',
      { profiles: ['dvl'], viewer: 'time-20~60:pause-5' },
    ],
    ['10 repeats of one network (dvl)', { profiles: ['dvl'], viewer: 'time-20:pause-5' }],
    [
      '10 pairs with random loss, drawn phases and drawn moments of the viewer on one network (np2b-typical-delay-typical-loss)',
      { profiles: ['np2b-typical-delay-typical-loss'], phase: 'drawn', viewer: 'time-20~60:pause-5' },
    ],
    ['10 repeats of each network by itself (dvl, dl)', { profiles: ['dvl', 'dl'], per: 'network' }],
    ['10 pairs on each of these 2 networks (dvl, dl), not about other networks', { profiles: ['dvl', 'dl'] }],
    [
      '1 pair on each of these 2 networks (dvl, dl), not about other networks',
      { profiles: ['dvl', 'dl'], repeats: 1, infer: 'repeat' },
    ],
    ['2 networks (dvl, dl), the mean over 10 pairs on each', { profiles: ['dvl', 'dl'], infer: 'network' }],
    [
      '10 networks drawn from udp-limiter with limitKbps 64 to 1000',
      { profiles: [drawn], repeats: 1, infer: 'network' },
    ],
    [
      '1 network (dvl) and 10 networks drawn from udp-limiter with limitKbps 64 to 1000',
      { profiles: ['dvl', drawn], repeats: 1 },
    ],
    ['4 households (5 traces)', { profiles: traces([1, 2, 3, 3, 4]), repeats: 1, infer: 'network' }],
    ['3 households', { profiles: traces([1, 2, 3]), repeats: 1 }],
    [
      '2 networks (3 profiles; traces of one household are one network)',
      { profiles: ['trace:bus.log', ...traces([1, 1])], repeats: 1 },
    ],
  ])('%s', (scope, changes) => expect(scopeOf(changes)).toBe(scope));
});

const AGENT =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/148.0.0.0';
function playedOn(cores: number, day: string, simulator: string | null = null, id?: string): PlayedSession {
  const machine = {
    ...(id !== undefined && { id }),
    cores,
    meanBusyPercent: 1,
    worstBusyPercent: 2,
    windowMs: 2000,
    latestTimerMs: 1,
    flags: [],
  };
  return {
    environment: { browser: null, userAgent: AGENT, machine, simulator },
    startedAtUnixMs: Date.parse(`${day}T10:00:00Z`),
  };
}

describe('machines and days', () => {
  const plan = planOf({ profiles: ['dvl'] });

  test('are counted by the ids of machines; where one is missing, as a minimum', () => {
    const on = (...ids: (string | undefined)[]) =>
      formatScope(
        plan,
        ids.map((id) => playedOn(2, '2026-11-23', null, id)),
      );
    expect(on('0a1b2c3d', '0a1b2c3d')).toMatch(/, on 1 machine \(2 cores, /);
    expect(on('0a1b2c3d', '00000000')).toMatch(/, on 2 machines \(2 cores, Linux x86_64; Headless/);
    expect(on('0a1b2c3d', '00000000', undefined)).toMatch(/, on at least 2 machines \(/);
    expect(on('0a1b2c3d', undefined)).toMatch(/, on at least 1 machine \(/);
  });

  test('are counted by cores and system in logs without an id, as a minimum', () => {
    expect(formatScope(plan, [playedOn(2, '2026-11-23'), playedOn(2, '2026-11-22')])).toBe(
      '10 repeats of one network (dvl), on at least 1 machine (2 cores, Linux x86_64; HeadlessChrome 148), 2026-11-22 to 2026-11-23',
    );
    expect(formatScope(plan, [playedOn(2, '2026-11-22'), playedOn(8, '2026-11-22')])).toMatch(
      /, on at least 2 machines \(2 cores, Linux x86_64; 8 cores, Linux x86_64; HeadlessChrome 148\), 2026-11-22$/,
    );
  });

  test('name the system, also where the user agent has a revision behind it, as of Firefox', () => {
    const session = playedOn(2, '2026-11-23');
    const userAgent = 'Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0';
    const played = { ...session, environment: { ...session.environment, userAgent } };
    expect(formatScope(plan, [played])).toContain('(2 cores, Linux x86_64; Firefox 153)');
  });

  test('are none of a simulator', () => {
    expect(formatScope(plan, [playedOn(2, '2026-11-22', 'player')])).toBe(
      '10 repeats of one network (dvl), simulated',
    );
  });

  test('are not guessed where a log does not describe them', () => {
    const environment = { browser: null, userAgent: null };
    expect(formatScope(plan, [{ environment, startedAtUnixMs: Date.parse('2026-11-22') }])).toContain(
      'on at least 1 machine (a machine that the log does not describe), 2026-11-22',
    );
  });
});

test('a caution names the networks of which all pairs are repeats', () =>
  expect(scopeCaution(planOf({ profiles: ['3g', 'dvl'], phase: 'drawn', per: 'network' }))).toBe(
    '10 pairs in each comparison, but 1 network: on 3g all pairs are repeats, elsewhere pairs differ only in drawn phases, so the verdict can only be about this network, not about others.',
  ));

test('a caution says that random loss and phases do not make networks', () =>
  expect(scopeCaution(planOf({ profiles: ['np2b-typical-delay-typical-loss'], phase: 'drawn' }))).toBe(
    '10 pairs, but 1 network: pairs differ only in random loss and drawn phases, so the verdict can only be about this network, not about others.',
  ));

test('a caution calls no pairs repeats whose viewers act at drawn moments', () => {
  const cautionOf = (profiles: string[]) =>
    scopeCaution(planOf({ profiles, viewer: 'time-20~60:pause-5', per: 'network' }));
  expect(cautionOf(['dvl'])).toBe(
    '10 pairs, but 1 network: pairs differ only in drawn moments of the viewer, so the verdict can only be about this network, not about others.',
  );
  expect(cautionOf(['3g', 'dvl'])).not.toContain('repeats');
});
