import { describe, expect, it } from 'vitest';
import type { Answer, DownloadEvent, Moment, RuleEvent } from '../../rule.ts';
import { contextOf, downloadOf, ladderOf, momentOf } from '../../testMoments.testing.ts';
import { bolaE } from './bolaE.ts';

const ladder = ladderOf(300, 750, 1200, 1850, 2850, 4300);

/** Downloads of 1 s at these rates, one right after the other. */
const downloads = (ratesKbps: readonly number[], over: Partial<DownloadEvent> = {}): RuleEvent[] =>
  ratesKbps.map((rateKbps, segment) =>
    downloadOf(rateKbps, {
      segment,
      startMs: segment * 1000,
      firstByteMs: segment * 1000,
      lastByteMs: segment * 1000 + 1000,
      ...over,
    }),
  );

function ask(events: readonly RuleEvent[], moment: Partial<Moment> = {}): Answer {
  const state = events.reduce(
    (before, event) => bolaE.observe(before, event),
    bolaE.start(contextOf(ladder)),
  );
  return bolaE.decide(state, momentOf({ nowMs: 0, ...moment }));
}
const reasonOf = ({ because }: Answer): string => (typeof because === 'string' ? because : because());
const many = Array<number>(20).fill(6000);

describe('BOLA-E', () => {
  it('stays where playback starts until something is measured', () => {
    expect(ask([], { lastRung: 2 }).rung).toBe(2);
  });

  it('starts by throughput, with a margin', () => {
    expect(ask(downloads([2100]), { bufferMs: 4000 }).rung).toBe(3);
    expect(ask(downloads([2000]), { bufferMs: 4000 }).rung).toBe(2);
  });

  it('goes on at that rung although the buffer is low: the placeholder stands for the rest', () => {
    const events = downloads([3500, 3500], { rung: 4 });
    const answer = ask(events, { bufferMs: 7000, lastRung: 4 });
    expect(answer.rung).toBe(4);
    expect(answer.values?.['placeholderMs']).toBeGreaterThan(5000);
  });

  it.each([
    { name: 'a stall', event: { kind: 'stall', atMs: 0, durationMs: 1000 } },
    { name: 'a new ladder', event: { kind: 'ladder', atMs: 0, ladder, segmentMs: 4000 } },
    { name: 'a seek', event: { kind: 'seek', atMs: 0, toMs: 90_000 } },
  ] satisfies { name: string; event: RuleEvent }[])('has no placeholder left after $name', ({ event }) => {
    const answer = ask([...downloads([3500, 3500], { rung: 4 }), event], { bufferMs: 7000, lastRung: 4 });
    expect(answer.values?.['placeholderMs'] ?? 0).toBe(0);
  });

  it('counts a wait as buffer', () => {
    const at = (nowMs: number) =>
      ask(downloads(many, { rung: 5 }), { bufferMs: 12_000, nowMs }).values!['placeholderMs']!;
    expect(at(23_000) - at(20_000)).toBeCloseTo(3000, 6);
  });

  it('does not rise above what the network carries, nor fall below the rung before for it', () => {
    const slow = downloads(Array<number>(20).fill(1000));
    expect(ask(slow, { bufferMs: 17_500, lastRung: 0 }).rung).toBe(1);
    expect(ask(slow, { bufferMs: 17_500, lastRung: 2 }).rung).toBe(2);
  });

  it('waits on a low rung when the buffer is above its level, not on the top one', () => {
    const slow = downloads(Array<number>(20).fill(1000));
    const answer = ask(slow, { bufferMs: 24_000, lastRung: 0, nowMs: 20_000 });
    expect(answer.holdUntilBufferMs).toBeGreaterThan(10_000);
    expect(answer.holdUntilBufferMs).toBeLessThan(24_000);
    expect(
      ask(slow, { bufferMs: answer.holdUntilBufferMs!, lastRung: 0, nowMs: 20_000 }).holdUntilBufferMs,
    ).toBeUndefined();
    expect(
      ask(downloads(many), { bufferMs: 50_000, lastRung: 5, nowMs: 20_000 }).holdUntilBufferMs,
    ).toBeUndefined();
  });

  it('takes no rung whose segment would use up the buffer', () => {
    const answer = ask(downloads(Array<number>(20).fill(3200), { rung: 4 }), {
      nowMs: 40_000,
      bufferMs: 3000,
      lastRung: 4,
    });
    // 0.5 × 3 s × 3200 kbit/s / 4 s = 1200 kbit/s.
    expect(answer.values?.['guardRung']).toBe(2);
    expect(answer.rung).toBe(2);
  });

  it('says why', () => {
    expect(reasonOf(ask(downloads([2100]), { bufferMs: 4000 }))).toBe(
      'Start-up by throughput: level 4 of 6 (1.85 Mbit/s) is the highest that it carries.',
    );
    const slow = downloads(Array<number>(20).fill(1000), { rung: 1 });
    expect(reasonOf(ask(slow, { bufferMs: 19_000, lastRung: 1, nowMs: 20_000 }))).toMatch(
      /^With 19\.0 s of buffer and 0\.0 s of virtual buffer, level 6 of 6 \(4\.30 Mbit\/s\) has the highest score, but the network does not carry it, so level 2 of 6 \(0\.75 Mbit\/s\)\.$/,
    );
    expect(
      reasonOf(
        ask(downloads(Array<number>(20).fill(3200), { rung: 4 }), {
          nowMs: 40_000,
          bufferMs: 3000,
          lastRung: 4,
        }),
      ),
    ).toMatch(/a segment must come before the buffer is used up, so level 3 of 6/);
  });
});
