import { describe, expect, it } from 'vitest';
import { linkProfile } from './linkProfile.ts';
import type { Profile, ProfileStep, PolicedSpell } from '../../src/network/profile.ts';

const step = (downKbps: number, durationMs: number, newAddress = false): ProfileStep => ({
  durationMs,
  downKbps,
  upKbps: null,
  rttMs: 20,
  lossDown: 0,
  lossUp: 0,
  ...(newAddress && { newAddress }),
});
const profile = (steps: ProfileStep[], repeat: boolean, udp: readonly PolicedSpell[] = []): Profile => {
  const queue = { kind: 'droptail', packets: 10 } as const;
  return { id: 'test', label: 'Test', paper: 'none', steps, repeat, queue, udp };
};
/** As `rate×ms`, with `!` where the client gets a new address. */
const reported = ({ steps, repeat }: Profile): string =>
  `${steps.map((each) => `${each.newAddress ? '!' : ''}${each.downKbps}×${each.durationMs}`).join(' ')}${repeat ? ' …' : ''}`;

const round = profile([step(1, 100), step(2, 50)], true);
const once = profile([step(1, 100), step(2, 50, true)], false);

describe('the profile of a link', () => {
  it.each([
    ['a lead-in, then rounds written out', round, [0, 30, 400], '1×30 1×100 2×50 1×100 2×50 1×100'],
    ['from the midst of a step', round, [120, 30, 200], '2×30 2×30 1×100 2×50 1×100'],
    ['no lead-in', round, [0, 0, 100], '1×100'],
    ['once: it ends as its last step', once, [0, 30, 400], '1×30 1×100 !2×50'],
    ['a new address only where one is changed', once, [120, 30, 400], '2×30 2×30'],
    ['after the end of one that runs once', once, [500, 30, 400], '2×30 2×400'],
  ] as const)('%s', (_, given, [phaseMs, leadInMs, lastingMs], expected) => {
    expect(reported(linkProfile(given, { phaseMs, leadInMs }, lastingMs))).toBe(expected);
  });

  it('moves spells of UDP along; one that holds at the phase holds in the lead-in', () => {
    const udp = [
      { fromMs: 0, untilMs: 20, kbps: 1 },
      { fromMs: 30, untilMs: 60, kbps: 2 },
      { fromMs: 70, untilMs: null, kbps: 3 },
    ];
    const moved = linkProfile(profile([step(1, 100)], true, udp), { phaseMs: 40, leadInMs: 10 }, 100);
    expect(moved.udp).toEqual([
      { fromMs: 0, untilMs: 30, kbps: 2 },
      { fromMs: 40, untilMs: null, kbps: 3 },
    ]);
  });

  it('moves spells of TCP in the same way', () => {
    const tcp = [{ fromMs: 0, untilMs: null, kbps: 64 }];
    expect(linkProfile({ ...round, tcp }, { phaseMs: 0, leadInMs: 30 }, 100).tcp).toEqual(tcp);
    const later = [{ fromMs: 50, untilMs: 70, kbps: 64 }];
    expect(linkProfile({ ...round, tcp: later }, { phaseMs: 0, leadInMs: 30 }, 100).tcp).toEqual([
      { fromMs: 80, untilMs: 100, kbps: 64 },
    ]);
  });

  it('keeps the gap of a new address, and what a limit does beside its rate', () => {
    const udp = [{ fromMs: 50, untilMs: null, kbps: 64, upKbps: 32, queueMs: 500 }];
    const gapped = profile([step(1, 100), { ...step(2, 50, true), gapMs: 20 }], false, udp);
    const { steps, udp: limits } = linkProfile(gapped, { phaseMs: 0, leadInMs: 30 }, 400);
    expect(steps.map(({ newAddress, gapMs }) => [newAddress, gapMs])).toEqual([
      ...[
        [undefined, undefined],
        [undefined, undefined],
        [true, 20],
      ],
    ]);
    expect(limits).toEqual([{ ...udp[0], fromMs: 80 }]);
    const [begun] = linkProfile(gapped, { phaseMs: 120, leadInMs: 30 }, 400).steps;
    expect(begun).not.toHaveProperty('gapMs');
  });

  it('keeps what is not of time', () => {
    expect(linkProfile(round, { phaseMs: 0, leadInMs: 0 }, 10)).toMatchObject({
      id: 'test',
      queue: round.queue,
    });
  });
});
