import { describe, expect, it } from 'vitest';
import type { Answer, Moment, RuleEvent } from '../rule.ts';
import { contextOf, downloadOf, ladderOf, momentOf } from '../testMoments.testing.ts';
import { throughput } from './throughput.ts';

const ladder = ladderOf(300, 750, 1200, 1850, 2850, 4300);

const answerTo = (events: readonly RuleEvent[], moment: Partial<Moment> = {}): Answer =>
  throughput.decide(
    events.reduce((state, event) => throughput.observe(state, event), throughput.start(contextOf(ladder))),
    momentOf(moment),
  );
const reasonOf = ({ because }: Answer): string => (typeof because === 'string' ? because : because());

describe('the plain throughput rule', () => {
  it.each([
    { name: 'one download', rates: [2000], rung: 3 },
    { name: 'exactly on a rung', rates: [2850], rung: 4 },
    { name: 'a slow one among fast ones weighs more', rates: [4000, 4000, 4000, 4000, 1000], rung: 3 },
    { name: 'only the last five count', rates: [100, 5000, 5000, 5000, 5000, 5000], rung: 5 },
    { name: 'slower than every rung', rates: [50], rung: 0 },
  ])('$name: rung $rung', ({ rates, rung }) => {
    expect(answerTo(rates.map((rate) => downloadOf(rate))).rung).toBe(rung);
  });

  it('measures from the request, not from the first byte', () => {
    const late = downloadOf(2000, { startMs: 0, firstByteMs: 1000, lastByteMs: 2000 });
    expect(answerTo([late]).values?.['estimateKbps']).toBe(1000);
  });

  it('leaves out what the player cut short, what took no time, and the other media type', () => {
    const odd = [
      downloadOf(9000, { aborted: true }),
      downloadOf(9000, { lastByteMs: 1000 }),
      downloadOf(9000, { mediaType: 'audio' }),
    ];
    expect(answerTo([downloadOf(1000), ...odd]).values).toEqual({
      estimateKbps: 1000,
      budgetKbps: 1000,
      samples: 1,
    });
  });

  it('stays where playback starts until something is measured', () => {
    expect(answerTo([], { lastRung: 3 }).rung).toBe(3);
    expect(answerTo([], { lastRung: null }).rung).toBe(0);
    expect(reasonOf(answerTo([], { lastRung: null }))).toBe(
      'No download measured yet, so level 1 of 6, where playback starts.',
    );
  });

  it('goes on in a new ladder with what it has measured', () => {
    const smaller = { kind: 'ladder' as const, atMs: 0, ladder: ladderOf(500), segmentMs: 2000 };
    expect(answerTo([downloadOf(5000), smaller]).rung).toBe(0);
    expect(answerTo([smaller], { lastRung: 5 }).rung).toBe(0);
  });

  it('says why with numbers and units', () => {
    expect(reasonOf(answerTo([downloadOf(2000), downloadOf(2000)]))).toBe(
      'The last 2 downloads ran at 2.00 Mbit/s; level 4 of 6 (1.85 Mbit/s) is the highest level that fits.',
    );
    expect(reasonOf(answerTo([downloadOf(100)]))).toBe(
      'The last download ran at 0.10 Mbit/s; level 1 of 6 (0.30 Mbit/s) is the lowest level, and none fits.',
    );
  });

  it('keeps the margin of its parameters, as dash.js does', () => {
    const careful = throughput.tuned!({ safetyFactor: 0.9 });
    const state = careful.observe(careful.start(contextOf(ladder)), downloadOf(2000));
    expect(reasonOf(careful.decide(state, momentOf()))).toBe(
      'The last download ran at 2.00 Mbit/s; 90 % of that is 1.80 Mbit/s; level 3 of 6 (1.20 Mbit/s) is the highest level that fits.',
    );
  });

  it.each([{ safetyFactor: 0 }, { safetyFactor: -1 }, { samples: 0 }, { samples: 2.5 }])(
    'cannot run with %o',
    (changes) => {
      expect(() => throughput.tuned!(changes)).toThrow(/^The parameter \w+ of throughput must be .*\.$/);
    },
  );
});
