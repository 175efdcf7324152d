import { describe, expect, it, afterEach, beforeEach, test, vi } from 'vitest';
import type { Limit, Profile, ProfileStep, PolicedSpell } from '../../src/network/profile.ts';
import type { PathMtu } from './link.ts';
import { linkEvents, type LinkEvent, playEvents } from './linkEvents.ts';

const step = (durationMs: number, newAddress?: boolean, newUdpPorts?: boolean): ProfileStep => ({
  durationMs,
  downKbps: 1000,
  upKbps: null,
  rttMs: 20,
  lossDown: 0,
  lossUp: 0,
  ...(newAddress === undefined ? {} : { newAddress }),
  ...(newUdpPorts === undefined ? {} : { newUdpPorts }),
});

/** The first six, as `time what`. */
function events(steps: readonly ProfileStep[], repeat: boolean, udp: readonly PolicedSpell[] = []): string[] {
  const queue = { kind: 'droptail', packets: 10 } as const;
  const profile: Profile = { id: 'test', label: 'Test', paper: 'none', steps, repeat, queue, udp };
  const texts: string[] = [];
  for (const event of linkEvents(profile)) if (texts.push(formatEvent(event)) === 6) break;
  return texts;
}
const formatEvent = (event: LinkEvent): string => {
  if (event.kind === 'mtu') return `${event.atMs} mtu ${formatMtu(event.mtu)}`;
  return `${event.atMs} ${'limit' in event ? formatLimit(event.limit) : event.kind.replace('new-', '')}`;
};
const formatMtu = (mtu: PathMtu | null): string =>
  mtu === null ? 'free' : `${mtu.bytes}${mtu.blackHole ? ' black hole' : ''}`;
const formatLimit = (limit: Limit | null): string =>
  limit === null
    ? 'free'
    : [limit.kbps, ...(limit.queueMs === undefined ? [] : [`queue ${limit.queueMs}`])].join(' ');

describe('linkEvents', () => {
  it('has none for a profile of rate, delay and loss', () => expect(events([step(100)], true)).toEqual([]));

  it('begins and ends spells of UDP', () =>
    expect(
      events([step(100)], false, [
        { fromMs: 500, untilMs: null, kbps: 0 },
        { fromMs: 20, untilMs: 40, kbps: 64 },
      ]),
    ).toEqual(['20 64', '40 free', '500 0']));

  it('has spells of UDP and of TCP in order of time', () => {
    const spell = (fromMs: number) => [{ fromMs, untilMs: fromMs + 10, kbps: 64 }];
    const profile: Profile = {
      id: 'test',
      label: 'Test',
      paper: 'none',
      steps: [step(100)],
      repeat: false,
      queue: { kind: 'droptail', packets: 10 },
      udp: spell(20),
      tcp: spell(5),
    };
    const limits = [...linkEvents(profile)].map(({ kind, atMs }) => [kind, atMs]);
    expect(limits).toEqual([
      ['tcp', 5],
      ['tcp', 15],
      ['udp', 20],
      ['udp', 30],
    ]);
  });

  it('goes from one spell to the next without a gap', () =>
    expect(
      events([step(100)], false, [
        { fromMs: 0, untilMs: 30, kbps: 64 },
        { fromMs: 30, untilMs: 60, kbps: 0 },
      ]),
    ).toEqual(['0 64', '30 0', '60 free']));

  it('changes addresses once in a profile that runs once, not at its start', () =>
    expect(events([step(100, true), step(50, true), step(50)], false)).toEqual(['100 address']));

  it('changes ports of UDP, beside addresses or alone', () =>
    expect(events([step(100), step(50, false, true), step(50, true, true)], false)).toEqual([
      '100 udp-ports',
      '150 address',
      '150 udp-ports',
    ]));

  it('changes the MTU where a step has another one than the step before, also at the start', () => {
    const small = (mtuBytes: number, mtuBlackHole = false) => ({ ...step(100), mtuBytes, mtuBlackHole });
    const found = (steps: readonly ProfileStep[], repeat: boolean) =>
      events(steps, repeat).map((each) => each.replace('mtu ', ''));
    expect(found([step(100), small(1280), small(1280), small(1280, true), step(100)], false)).toEqual([
      ...['100 1280', '300 1280 black hole', '400 free'],
    ]);
    expect(found([small(1400), step(100)], true)).toEqual([
      ...['0 1400', '100 free', '200 1400', '300 free', '400 1400', '500 free'],
    ]);
    expect(found([small(1400), small(1400)], true)).toEqual(['0 1400']);
  });

  it('takes an address away before the new one comes', () =>
    expect(
      events([step(100), { ...step(50, true, true), gapMs: 30 }, { ...step(50, true), gapMs: 50 }], false),
    ).toEqual(['100 no-address', '100 udp-ports', '130 address', '150 no-address', '200 address']));

  it('passes on what a limit does beside its rate', () =>
    expect(events([step(100)], false, [{ fromMs: 10, untilMs: 20, kbps: 64, queueMs: 500 }])).toEqual([
      '10 64 queue 500',
      '20 free',
    ]));

  it('changes them in every round of one that repeats, with spells among them', () =>
    expect(
      events([step(100, true), step(50, true)], true, [{ fromMs: 120, untilMs: null, kbps: 64 }]),
    ).toEqual(['100 address', '120 64', '150 address', '250 address', '300 address', '400 address']));
});

const START_MS = 1_000_000;
beforeEach(() => void vi.useFakeTimers({ now: START_MS }));
afterEach(() => void vi.useRealTimers());

const event = (atMs: number): LinkEvent => ({ kind: 'udp', atMs, limit: null });

function played(atMs: readonly number[], startedMsAgo: number) {
  const acted: number[] = [];
  let elapsedMs = 0;
  const playing = playEvents(atMs.map(event).values(), START_MS - startedMsAgo, (due) => {
    acted.push(due.atMs, elapsedMs);
    return Promise.resolve();
  });
  const pass = (ms: number): void => {
    for (const end = elapsedMs + ms; elapsedMs < end;) {
      elapsedMs += 1;
      vi.advanceTimersByTime(1);
    }
  };
  return { acted, pass, stop: playing.stop };
}

test('what is due is done when it is due, what is overdue at once', () => {
  const { acted, pass } = played([100, 500, 600], 200);
  pass(1000);
  expect(acted).toEqual([100, 1, 500, 300, 600, 400]);
});

test.each([-3_600_000, 3_600_000])('also when the clock is set by %i ms meanwhile', (jumpMs) => {
  const { acted, pass } = played([100, 500, 600], 0);
  pass(150);
  vi.setSystemTime(Date.now() + jumpMs);
  pass(1000);
  expect(acted).toEqual([100, 100, 500, 500, 600, 600]);
});

test('nothing is done any more once it is stopped', () => {
  const { acted, pass, stop } = played([100, 500], 0);
  pass(200);
  stop();
  pass(1000);
  expect(acted).toEqual([100, 100]);
});
