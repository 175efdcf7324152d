import { describe, expect, it } from 'vitest';
import type { Answer, DownloadEvent, Moment, RuleContext, RuleEvent } from '../../rule.ts';
import { contextOf, downloadOf, ladderOf, momentOf } from '../../testMoments.testing.ts';
import { dynamic } from './dynamic.ts';

const ladder = ladderOf(300, 750, 1200, 1850, 2850, 4300);

interface Story {
  readonly events?: readonly RuleEvent[];
  readonly moment?: Partial<Moment>;
  readonly context?: Partial<RuleContext>;
  readonly rule?: typeof dynamic;
}

function ask({ events = [], moment = {}, context = {}, rule = dynamic }: Story): Answer {
  const start = rule.start(contextOf(ladder, context));
  const state = events.reduce((before, event) => rule.observe(before, event), start);
  return rule.decide(state, momentOf({ nowMs: 0, ...moment }));
}
const reasonOf = ({ because }: Answer): string => (typeof because === 'string' ? because : because());

/** `count` downloads of 1 s at a rate, one right after the other: each adds 3 s of buffer. */
const downloads = (count: number, rateKbps: number, over: Partial<DownloadEvent> = {}): RuleEvent[] =>
  Array.from({ length: count }, (_, segment) =>
    downloadOf(rateKbps, {
      segment,
      startMs: segment * 1000,
      firstByteMs: segment * 1000,
      lastByteMs: segment * 1000 + 1000,
      ...over,
    }),
  );
/** The moment right after them, on the buffer that they make. */
const right = (count: number, over: Partial<Moment> = {}): Partial<Moment> => ({
  nowMs: count * 1000,
  bufferMs: 1000 + count * 3000,
  ...over,
});

describe('dash.js’ dynamic', () => {
  it('changes nothing before anything is measured', () => {
    expect(ask({ moment: { lastRung: 3 } }).rung).toBe(3);
  });

  it.each([
    { name: '0.9 of the estimate carries it', rateKbps: 1334, rung: 2 },
    { name: 'and does not', rateKbps: 1332, rung: 1 },
  ])('ThroughputRule, below 12 s: $name', ({ rateKbps, rung }) => {
    const answer = ask({ events: downloads(3, rateKbps), moment: right(3) });
    expect([answer.rung, answer.values?.['bolaInUse']]).toEqual([rung, 0]);
  });

  it('asks BolaRule from 12 s on, and until it is below 6 s', () => {
    const inUse = (bufferMs: number, count: number) =>
      ask({ events: downloads(count, 3000), moment: { bufferMs } }).values?.['bolaInUse'];
    expect([inUse(11_999, 3), inUse(12_000, 3)]).toEqual([0, 1]);
    // Five downloads have made 16 s.
    expect([inUse(6000, 5), inUse(5999, 5)]).toEqual([1, 0]);
  });

  it('goes back to ThroughputRule when a slow download has taken the buffer below 6 s', () => {
    const slow = downloadOf(300, { segment: 5, startMs: 5000, firstByteMs: 5000, lastByteMs: 16_000 });
    const inUse = ask({ events: [...downloads(5, 3000), slow], moment: { bufferMs: 9000 } }).values;
    expect(inUse?.['bolaInUse']).toBe(0);
  });

  it('lets BolaRule start by throughput for two segments, then go by the buffer', () => {
    // In use for the requests from the fifth on: 13 s are there.
    const rungOf = (count: number) => {
      const moment = right(count, { bufferMs: 14_600, lastRung: 2 });
      return ask({ events: downloads(count, 3200, { rung: 2 }), moment });
    };
    expect(reasonOf(rungOf(5))).toContain('BolaRule starts by throughput');
    expect(reasonOf(rungOf(6))).toMatch(/BolaRule: with .* has the highest score/);
  });

  it('lowers to what comes before the buffer is used up, from the third segment on', () => {
    // 0.7 × 4000 kbit/s × 1.5 s / 4 s = 1050 kbit/s.
    const low = { bufferMs: 1500, lastRung: 4 };
    expect(ask({ events: downloads(1, 4000), moment: low }).rung).toBe(4);
    expect(ask({ events: downloads(2, 4000), moment: low }).rung).toBe(1);
    const seek: RuleEvent = { kind: 'seek', atMs: 0, toMs: 0 };
    expect(ask({ events: [...downloads(2, 4000), seek], moment: low }).rung).toBe(4);
  });

  it('takes the lowest rung on an empty buffer', () => {
    const answer = ask({ events: downloads(2, 4000), moment: { bufferMs: 300, lastRung: 4 } });
    expect(answer.rung).toBe(0);
    expect(reasonOf(answer)).toBe(
      'InsufficientBufferRule: the buffer is empty, so level 1 of 6 (0.30 Mbit/s).',
    );
  });

  it('asks ThroughputRule on an empty buffer only of a live stream', () => {
    const empty = { bufferMs: 0, lastRung: 3 };
    expect(ask({ events: downloads(1, 1000), moment: empty }).rung).toBe(3);
    expect(reasonOf(ask({ events: downloads(1, 1000), moment: empty }))).toBe(
      'None of dash.js’ rules votes, so the level stays: level 4 of 6 (1.85 Mbit/s).',
    );
    expect(ask({ events: downloads(1, 1000), moment: empty, context: { live: true } }).rung).toBe(1);
  });

  it('does not go back to a rung that was left', () => {
    const rungs = [4, 4, 4, 3, 3, 3, 3, 3, 3];
    const events = rungs.flatMap((rung, index) => downloads(9, 9000, { rung }).slice(index, index + 1));
    const answer = ask({ events, moment: right(9, { lastRung: 3 }) });
    expect(answer.rung).toBe(3);
    expect(reasonOf(answer)).toBe(
      'SwitchHistoryRule: of the last 8 requests too many went down from a higher level, so level 4 of 6 (1.85 Mbit/s).',
    );
  });

  it('holds a low rung back when the buffer is above its level', () => {
    const events = downloads(20, 1000, { rung: 1 });
    const answer = ask({ events, moment: right(20, { lastRung: 1 }) });
    expect(answer.rung).toBe(1);
    // V_p (ln(750/300) + 1 + γp) with γp = ln(4300/300) / 1.2 and V_p = 10 s / γp.
    const gp = Math.log(4300 / 300) / 1.2;
    expect(answer.holdUntilBufferMs).toBeCloseTo((10_000 / gp) * (Math.log(750 / 300) + 1 + gp), 6);
  });

  it('makes BOLA’s levels from its parameter and not from the player’s target', () => {
    // The stall ends the placeholder of the start.
    const events = [
      ...downloads(20, 9000, { rung: 5 }),
      { kind: 'stall', atMs: 20_000, durationMs: 1 } as const,
    ];
    const answer = (over: Partial<Moment>, rule = dynamic) =>
      ask({ events, moment: right(20, { bufferMs: 17_000, lastRung: 5, ...over }), rule }).rung;
    expect(answer({ bufferTargetMs: 60_000 })).toBe(5);
    expect(answer({}, dynamic.tuned?.({ bufferTimeDefaultMs: 60_000 }) as typeof dynamic)).toBeLessThan(5);
  });

  it('has no placeholder after a stall, a seek or a new ladder', () => {
    const events = downloads(9, 4000, { rung: 4 });
    const after = (event: RuleEvent) =>
      ask({ events: [...events, event], moment: right(9, { bufferMs: 12_000 }) }).values?.['placeholderMs'];
    expect(after({ kind: 'stall', atMs: 9000, durationMs: 1 })).toBe(0);
    expect(after({ kind: 'seek', atMs: 9000, toMs: 0 })).toBe(0);
    expect(after({ kind: 'ladder', atMs: 9000, ladder, segmentMs: 4000 })).toBe(0);
  });
});
