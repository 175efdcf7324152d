import { describe, expect, it } from 'vitest';
import { pick } from '../shared/registry.ts';
import { notSimulated, traceOfProfile, profileOfTrace } from './convertProfile.ts';
import type { Profile } from './profile.ts';
import { networkProfiles } from './profiles/registry.ts';
import { lengthMs, type RateTrace } from './rateTrace.ts';

function traceOf(profile: Profile): RateTrace {
  const trace = traceOfProfile(profile);
  if (!trace.ok) throw new Error(trace.error);
  return trace.value;
}

const step = { durationMs: 1000, downKbps: 500, upKbps: null, rttMs: 40, lossDown: 0, lossUp: 0 };
const profile = (more: Partial<Profile>): Profile => ({
  id: 'p',
  label: 'P',
  paper: 'none',
  steps: [step],
  repeat: true,
  queue: { kind: 'droptail', packets: 10 },
  ...more,
});

describe('traceOfProfile', () => {
  it('has a piece with rate and RTT for each step', () => {
    const steps = [step, { ...step, durationMs: 500, downKbps: 0, rttMs: 90 }];
    expect(traceOf(profile({ steps }))).toEqual({
      name: 'p',
      endMs: Float64Array.of(1000, 1500),
      rateKbps: Float64Array.of(500, 0),
      rttMs: Float64Array.of(40, 90),
      startMs: 0,
    });
  });

  it('has the losses of each step, if there are any', () => {
    const steps = [
      { ...step, lossUp: 0.25 },
      { ...step, lossDown: 0.125 },
    ];
    expect(traceOf(profile({ steps }))).toMatchObject({
      lossDown: Float64Array.of(0, 0.125),
      lossUp: Float64Array.of(0.25, 0),
    });
    expect(traceOf(profile({}))).not.toHaveProperty('lossDown');
  });

  it('stays at the last step of a profile that does not repeat for longer than any session', () => {
    const trace = traceOf(pick(networkProfiles, 'switch-wifi-lte'));
    expect([...trace.endMs].slice(0, 6)).toEqual([60e3, 180e3, 300e3, 420e3, 480e3, 540e3]);
    expect(lengthMs(trace)).toBeGreaterThan(24 * 3600e3);
    expect(lengthMs(traceOf(profile({ repeat: true })))).toBeGreaterThan(24 * 3600e3);
  });

  it.each(networkProfiles)('makes a trace of $id whose RTT is known throughout', (each) => {
    const { endMs, rateKbps, rttMs } = traceOf(each);
    expect(rateKbps.every((rate) => Number.isFinite(rate) && rate >= 0)).toBe(true);
    expect([rateKbps.length, rttMs?.length]).toEqual([endMs.length, endMs.length]);
  });

  it.each([
    [{ ...step, downKbps: null }, 'Profile p: Its downlink has no limit; a trace needs a rate.'],
    [{ ...step, downKbps: 0 }, 'Profile p: Nothing would ever arrive.'],
    [{ ...step, lossDown: 1 }, 'Profile p: Nothing would ever arrive.'],
  ])('refuses %j', (only, sentence) => {
    const trace = traceOfProfile(profile({ steps: [only] }));
    expect(trace.ok || trace.error).toBe(sentence);
  });
});

describe('notSimulated', () => {
  it.each([
    ['dh', ['the queue']],
    ['np2b-large-delay-large-loss', ['loss (up to 10 %)', 'the queue', 'the rate of the uplink']],
    ['udp-limiter', ['the queue', 'what befalls UDP alone']],
    ['switch-wifi-3g', ['the queue', 'new addresses of the client']],
    ['mtu-black-hole', ['the queue', 'the MTU of the path']],
  ])('of %s', (id, words) => expect(notSimulated(pick(networkProfiles, id))).toEqual(words));

  it('of a simulator that models the queue', () => {
    const words = (kind: 'droptail' | 'codel') =>
      notSimulated(profile({ queue: { kind, packets: 5 } }), { hasQueue: true });
    expect(words('droptail')).toEqual(['the delay that its queue adds to other connections']);
    expect(words('codel')).toEqual([...words('droptail'), 'what CoDel drops']);
  });

  it('of a simulator whose QUIC meets the limits of UDP', () =>
    expect(notSimulated(pick(networkProfiles, 'udp-limiter'), { hasQueue: true, hasUdp: true })).toEqual([
      ...['the delay that its queue adds to other connections', 'what a limit of UDP lets pass at once'],
    ]));

  it('of a simulator that models losses', () => {
    const words = (lossUp: number) =>
      notSimulated(profile({ steps: [{ ...step, lossDown: 0.01, lossUp }] }), {
        hasQueue: true,
        hasLoss: true,
      });
    expect(words(0)).toEqual(['the delay that its queue adds to other connections']);
    expect(words(0.01)).toEqual(['the loss of acknowledgements', ...words(0)]);
  });
});

/** kbit/s and RTT at a time on an endlessly repeated path whose first pass begins at `startMs`. */
function at({ endMs, rateKbps, rttMs, startMs }: RateTrace, sessionMs: number) {
  const onTraceMs = (startMs + sessionMs) % endMs.at(-1)!;
  const piece = endMs.findIndex((end) => end > onTraceMs);
  return [rateKbps[piece], rttMs?.[piece] ?? 80];
}

describe('profileOfTrace', () => {
  const recorded: RateTrace = {
    name: 'Bus 57, Norway.log',
    endMs: Float64Array.of(1000, 2500, 4000),
    rateKbps: Float64Array.of(800, 0, 2400),
    rttMs: Float64Array.of(30, 50, 70),
    startMs: 0,
  };

  it.each([
    ['from its zero', recorded],
    ['from within its first piece', { ...recorded, startMs: 300 }],
    ['from within its second piece, without RTT', { ...recorded, startMs: 1700, rttMs: null }],
  ])('and back again carries the same at every moment, %s', (_, trace) => {
    const again = traceOf(profileOfTrace(trace));
    for (let ms = 50; ms < 9000; ms += 100) expect(at(again, ms)).toEqual(at(trace, ms));
    expect(lengthMs(again)).toBe(4000);
  });

  it('has an id for files and URLs, and the given RTT and queue', () => {
    const queue = { kind: 'codel', bdp: 2 } as const;
    const made = profileOfTrace({ ...recorded, rttMs: null }, { rttMs: 25, queue });
    expect(made).toMatchObject({ id: 'bus-57-norway-log', label: 'Bus 57, Norway.log', repeat: true, queue });
    expect(made.steps.map(({ rttMs, lossDown }) => [rttMs, lossDown])).toEqual([[25, 0], [25, 0], [25, 0]]); // prettier-ignore
    expect(profileOfTrace({ ...recorded, name: '…' }).id).toBe('trace');
  });
});
