import { describe, expect, it } from 'vitest';
import type { Profile, ProfileStep, UdpSpell } from '../../src/network/profile.ts';
import { linkEvents, type LinkEvent } from './linkEvents.ts';

const step = (durationMs: number, newAddress?: boolean): ProfileStep => ({
  ...{ durationMs, downKbps: 1000, upKbps: null, rttMs: 20, lossDown: 0, lossUp: 0 },
  ...(newAddress === undefined ? {} : { newAddress }),
});

/** The first six, as `time what`. */
function events(steps: readonly ProfileStep[], repeat: boolean, udp: readonly UdpSpell[] = []): string[] {
  const queue = { kind: 'droptail', packets: 10 } as const;
  const profile: Profile = { id: 'test', label: 'Test', paper: 'none', steps, repeat, queue, udp };
  const texts: string[] = [];
  for (const event of linkEvents(profile)) if (texts.push(formatEvent(event)) === 6) break;
  return texts;
}
const formatEvent = (event: LinkEvent): string =>
  `${event.atMs} ${event.kind === 'udp' ? (event.kbps ?? 'free') : 'address'}`;

describe('linkEvents', () => {
  it('has none for a profile of rate, delay and loss', () => expect(events([step(100)], true)).toEqual([]));

  it('begins and ends spells of UDP', () =>
    expect(
      events([step(100)], false, [
        { fromMs: 500, untilMs: null, kbps: 0 },
        { fromMs: 20, untilMs: 40, kbps: 64 },
      ]),
    ).toEqual(['20 64', '40 free', '500 0']));

  it('goes from one spell to the next without a gap', () =>
    expect(
      events([step(100)], false, [
        { fromMs: 0, untilMs: 30, kbps: 64 },
        { fromMs: 30, untilMs: 60, kbps: 0 },
      ]),
    ).toEqual(['0 64', '30 0', '60 free']));

  it('changes addresses once in a profile that runs once, not at its start', () =>
    expect(events([step(100, true), step(50, true), step(50)], false)).toEqual(['100 address']));

  it('changes them in every round of one that repeats, with spells among them', () =>
    expect(
      events([step(100, true), step(50, true)], true, [{ fromMs: 120, untilMs: null, kbps: 64 }]),
    ).toEqual(['100 address', '120 64', '150 address', '250 address', '300 address', '400 address']));
});
