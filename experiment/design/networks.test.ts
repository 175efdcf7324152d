import { describe, expect, test } from 'vitest';
import { isDeterministic, networkGroup, networkNames, profileIndex } from './networks.ts';
import type { Profile } from '../../src/network/profile.ts';
import { profileOfTrace } from '../../src/network/convertProfile.ts';
import { networkProfiles } from '../../src/network/profiles/registry.ts';
import { pick } from '../../src/shared/registry.ts';

const named = (id: string): Profile => pick(networkProfiles, id);

describe('a network that every pair meets alike', () => {
  test.each([
    ['udp-limiter', 'start', true],
    // Its drawn phases meet the same network.
    ['udp-limiter', 'drawn', true],
    ['wifi', 'drawn', true],
    ['dvl', 'start', true],
    ['dvl', 'drawn', false],
    // One rate, but UDP is blocked at a time of its own.
    ['udp-block', 'start', true],
    ['udp-block', 'drawn', false],
    ['fixed-5mbps-100ms', 'drawn', true],
    ['fixed-5mbps-100ms-1-loss', 'start', false],
    ['np2b-typical-delay-typical-loss', 'start', false],
    // It runs once, so it has one beginning.
    ['switch-wifi-lte', 'drawn', true],
  ] as const)('%s, phase %s: %s', (id, phase, is) => expect(isDeterministic(named(id), phase)).toBe(is));
});

describe('households', () => {
  const FCC = [
    '060_test_fcc_trace_215364_http---www.ebay.com_1140_0',
    '080_test_fcc_trace_215364_http---www.ebay.com_420_0',
    'trace_215364_http---www.facebook.com_320',
    '040_trace_799448_http---www.facebook.com_1280',
  ];

  test('are read from the names that networks of FCC traces have', () => {
    const names = FCC.map(
      (name) =>
        profileOfTrace({
          name,
          endMs: Float64Array.of(1000),
          rateKbps: Float64Array.of(100),
          rttMs: null,
          startMs: 0,
        }).id,
    );
    expect(names.map(networkGroup)).toEqual([
      'household 215364',
      'household 215364',
      'household 215364',
      'household 799448',
    ]);
    const profiles = FCC.map((name) => `trace:../some/folder/${name}`);
    expect(networkNames({ profiles, seeds: [1] })).toEqual(names);
  });

  test.each(['dvl', 'norway-bus-1', 'trace-12', 'trace-12-httpd', 'my-trace-7-https-x'])(
    '%s is a network by itself',
    (name) => expect(networkGroup(name)).toBe(name),
  );
});

test('a network is found in the list of profiles', () => {
  const profiles = ['dvl', { profile: 'constant', kbps: [100, 900], count: 3 }, 'dl'];
  expect([0, 1, 3, 4].map((place) => profileIndex({ profiles }, place))).toEqual([0, 1, 1, 2]);
});
