import { describe, expect, it, test } from 'vitest';
import type { Profile } from './profile.ts';
import { networkProfiles } from './profiles/registry.ts';
import {
  isUdpBlocked,
  isUdpBlockedForEver,
  limitQueueBytes,
  policerBurstBytes,
  udpAt,
  udpPath,
} from './udpPath.ts';
import { pick } from '../shared/registry.ts';

const limiter = pick(networkProfiles, 'udp-limiter');
const path: Profile = { ...limiter, repeat: false, steps: [{ ...limiter.steps[0]!, durationMs: 100_000 }] };
const shape = ({ steps }: Profile) => steps.map(({ durationMs, downKbps }) => [durationMs, downKbps]);

describe('the path of UDP', () => {
  it('is the path of TCP where nothing befalls UDP alone', () => {
    const dvl = pick(networkProfiles, 'dvl');
    expect(udpPath(dvl)).toBe(dvl);
  });

  it('has the rate of the limit and a queue of its burst', () => {
    const { steps, queue } = udpPath(limiter);
    expect(steps).toEqual([{ ...limiter.steps[0], downKbps: 64 }]);
    expect(queue).toEqual({ kind: 'droptail', packets: 10 });
  });

  it('is limited in its spells only', () => {
    const spells = [
      { fromMs: 20_000, untilMs: 50_000, kbps: 300 },
      { fromMs: 40_000, untilMs: 60_000, kbps: 200 },
    ];
    expect(shape(udpPath({ ...path, udp: spells }))).toEqual([
      [20_000, 2000],
      [20_000, 300],
      [10_000, 200],
      [10_000, 200],
      [40_000, 2000],
    ]);
  });

  it('is not faster than the path, and as slow as the limit on a path without a rate', () => {
    const fast = [{ fromMs: 0, untilMs: null, kbps: 5000 }];
    expect(shape(udpPath({ ...path, udp: fast }))).toEqual([[100_000, 2000]]);
    const unlimited = { ...path, steps: [{ ...path.steps[0]!, downKbps: null }], udp: fast };
    expect(shape(udpPath(unlimited))).toEqual([[100_000, 5000]]);
  });

  it('is a limit that queues, with its queue, whatever the path holds', () => {
    const queued: Profile = { ...limiter, udp: [{ fromMs: 0, untilMs: null, kbps: 64, queueMs: 3000 }] };
    expect(udpPath(queued).queue).toEqual({ kind: 'droptail', packets: 16 });
    const narrow: Profile = { ...queued, queue: { kind: 'droptail', packets: 4 } };
    expect(udpPath(narrow).queue).toEqual({ kind: 'droptail', packets: 16 });
    const temporary = [{ fromMs: 0, untilMs: 10_000, kbps: 64, queueMs: 3000 }];
    expect(udpPath({ ...narrow, repeat: false, udp: temporary }).queue).toEqual(narrow.queue);
    expect([limitQueueBytes(64, 3000), limitQueueBytes(64, 10)]).toEqual([24_000, 1500]);
  });

  it('has no queue larger than that of the path', () => {
    const narrow: Profile = { ...limiter, queue: { kind: 'droptail', packets: 4 } };
    expect(udpPath(narrow).queue).toEqual({ kind: 'droptail', packets: 4 });
  });

  it('is none where UDP is blocked', () => {
    const block = pick(networkProfiles, 'udp-block');
    expect([isUdpBlocked(block), isUdpBlocked(limiter)]).toEqual([true, false]);
    expect(() => udpPath(block)).toThrow('Profile udp-block: a path without UDP has no UDP path');
  });

  it('cannot say of steps that begin again where a limit ends', () => {
    const spells = [{ fromMs: 0, untilMs: 10_000, kbps: 64 }];
    expect(() => udpPath({ ...limiter, udp: spells })).toThrow('its limits end, and its steps begin again');
  });
});

test('a policer lets 2 s of its rate pass at once, and at least 16,000 bytes', () =>
  expect([64, 100, 1000].map(policerBurstBytes)).toEqual([16_000, 25_000, 250_000]));

describe('what UDP meets at a moment', () => {
  const spells = [
    { fromMs: 10, untilMs: 30, kbps: 100 },
    { fromMs: 20, untilMs: null, kbps: 64 },
  ];
  it.each([
    [0, Infinity, Infinity, 10],
    [10, 100, 16, 20],
    [20, 64, 10, 30],
    [30, 64, 10, Infinity],
  ])('at %i ms', (atMs, kbps, burstPackets, untilMs) => {
    expect(udpAt(spells, atMs)).toEqual({ kbps, burstPackets, untilMs });
  });

  it('is a block without an end only if nothing ends it', () => {
    const blocks = (untilMs: number | null) => ({ udp: [{ fromMs: 5, untilMs, kbps: 0 }] });
    expect([blocks(null), blocks(9), { udp: spells }].map(isUdpBlockedForEver)).toEqual([true, false, false]);
  });
});
