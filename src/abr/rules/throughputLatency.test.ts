import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../shared/random.ts';
import type { Answer, Moment, Rule, RuleContext, RuleEvent } from '../rule.ts';
import { contextOf, downloadOf, ladderOf, momentOf } from '../testMoments.testing.ts';
import { throughput } from './throughput.ts';
import { throughputLatency } from './throughputLatency.ts';

const ladder = ladderOf(300, 750, 1200, 1850, 2850, 4300);

interface Story {
  readonly rule?: Rule;
  readonly moment?: Partial<Moment>;
  readonly context?: Partial<RuleContext>;
}

function answerTo(events: readonly RuleEvent[], { rule, moment, context }: Story = {}): Answer {
  const asked = rule ?? (throughputLatency as Rule);
  const started = asked.start(contextOf(ladder, context));
  return asked.decide(
    events.reduce((state, event) => asked.observe(state, event), started),
    momentOf(moment),
  );
}
const reasonOf = ({ because }: Answer): string => (typeof because === 'string' ? because : because());

/** 300 kbit/s × 4 s at 2 Mbit/s after half a second: 1.1 s in all, 1.09 Mbit/s over the whole. */
const late = downloadOf(1, { sizeBytes: 150_000, startMs: 1000, firstByteMs: 1500, lastByteMs: 2100 });

describe('throughput with latency apart', () => {
  it('climbs where `throughput` takes latency for a slow path', () => {
    // 2 Mbit/s × (1 − 0.5 s / 4 s) = 1.75 Mbit/s.
    expect(answerTo([late])).toMatchObject({ rung: 2 });
    expect(answerTo([late]).values?.['budgetKbps']).toBeCloseTo(1750, 9);
    expect(answerTo([late], { rule: throughput as Rule }).rung).toBe(1);
  });

  it('is more careful than `throughput` where segments get shorter', () => {
    const long = downloadOf(1, { sizeBytes: 500_000, startMs: 0, firstByteMs: 500, lastByteMs: 2500 });
    const shorter = { kind: 'ladder' as const, atMs: 0, ladder, segmentMs: 1000 };
    expect(answerTo([long, shorter]).rung).toBe(1);
    expect(answerTo([long, shorter], { rule: throughput as Rule }).rung).toBe(2);
  });

  it('takes the lowest level where the latency is longer than a segment', () => {
    const answer = answerTo([late], { context: { segmentMs: 400 } });
    expect(answer.rung).toBe(0);
    expect(answer.values?.['budgetKbps']).toBe(0);
    expect(reasonOf(answer)).toMatch(/none fits\.$/);
  });

  it('answers as `throughput` does where there is no latency', () => {
    const random = seededRandom(11);
    for (let story = 0; story < 200; story += 1) {
      const events = Array.from({ length: 1 + Math.floor(8 * random()) }, () =>
        downloadOf(100 * 60 ** random(), { firstByteMs: 1000 }),
      );
      const rule = throughput as Rule;
      expect(answerTo(events).rung).toBe(answerTo(events, { rule }).rung);
    }
  });

  it('stays where playback starts until something is measured', () => {
    expect(answerTo([], { moment: { lastRung: 3 } }).rung).toBe(3);
  });

  it('measures its own media type, and nothing that was abandoned', () => {
    const odd = [downloadOf(9000, { aborted: true }), downloadOf(9000, { mediaType: 'audio' })];
    expect(answerTo([late, ...odd]).values).toEqual(answerTo([late]).values);
  });

  it('says why with numbers and units', () => {
    expect(reasonOf(answerTo([late]))).toBe(
      'The last download predicts 500 ms until the first byte and 2.00 Mbit/s after it, so a segment may have 1.75 Mbit/s; ' +
        'level 3 of 6 (1.20 Mbit/s) is the highest level that fits.',
    );
    const rule = throughputLatency.tuned!({ safetyFactor: 0.9 }) as Rule;
    expect(reasonOf(answerTo([late, late], { rule }))).toContain(
      'may have 1.57 Mbit/s (90 % of what fits); ',
    );
    expect(reasonOf(answerTo([late], { context: { segmentMs: 0 } }))).toMatch(
      /fits \(segments of unknown length are taken to be 2\.0 s\)\.$/,
    );
  });

  it.each([{ safetyFactor: 0 }, { samples: 2.5 }])('cannot run with %o', (changes) => {
    expect(() => throughputLatency.tuned!(changes)).toThrow(
      /^The parameter \w+ of throughput-latency must be .*\.$/,
    );
  });
});
