import { describe, expect, it } from 'vitest';
import type { Answer, Moment, Rule, RuleEvent } from '../../rule.ts';
import { contextOf, downloadOf, ladderOf, momentOf } from '../../testMoments.testing.ts';
import { bola, bolaFinite, bolaO, bolaU } from './bola.ts';

const ladder = ladderOf(300, 750, 1200, 1850, 2850, 4300);

interface Story {
  readonly events?: readonly RuleEvent[];
  readonly moment?: Partial<Moment>;
}

function ask<State>(rule: Rule<State>, { events = [], moment = {} }: Story): Answer {
  const start = rule.start(contextOf(ladder));
  const state = events.reduce((before, event) => rule.observe(before, event), start);
  return rule.decide(state, momentOf({ bufferTargetMs: 60_000, ...moment }));
}
const reasonOf = ({ because }: Answer): string => (typeof because === 'string' ? because : because());
const loaded = (count: number): RuleEvent[] => Array.from({ length: count }, () => downloadOf(1000));

describe('BOLA', () => {
  // V_p = 56 s / (ln(4300/300) + 5) = 7.3087 s. From q to q + 1 where the two scores are equal.
  const switchUp = (lower: number): number => {
    const [low, high] = [ladder[lower]!.bitrateKbps, ladder[lower + 1]!.bitrateKbps];
    const vpS = 56 / (Math.log(4300 / 300) + 5);
    const value = (rateKbps: number) => vpS * (Math.log(rateKbps / 300) + 5);
    return (1000 * (high * value(low) - low * value(high))) / (high - low);
  };
  it.each([0, 1, 2, 3, 4])('takes rung %s + 1 just above the level where their scores meet', (lower) => {
    const level = switchUp(lower);
    expect(ask(bola, { moment: { bufferMs: level - 1 } }).rung).toBe(lower);
    expect(ask(bola, { moment: { bufferMs: level + 1 } }).rung).toBe(lower + 1);
  });

  it.each([
    { name: 'nothing in the buffer', bufferMs: 0, rung: 0, hold: undefined },
    { name: 'the top level still scores', bufferMs: 55_999, rung: 5, hold: undefined },
    { name: 'no rung scores above 0: wait', bufferMs: 58_000, rung: 5, hold: 56_000 },
  ])('$name: rung $rung, hold $hold', ({ bufferMs, rung, hold }) => {
    const answer = ask(bola, { moment: { bufferMs } });
    expect(answer.rung).toBe(rung);
    expect(answer.holdUntilBufferMs === undefined ? undefined : Math.round(answer.holdUntilBufferMs)).toBe(
      hold,
    );
  });

  it('waits for nothing where there is nothing to choose, as with the one rung of sound', () => {
    const start = bola.start(contextOf(ladderOf(32)));
    const answer = bola.decide(start, momentOf({ bufferTargetMs: 8000, bufferMs: 7000 }));
    expect(answer).toMatchObject({ rung: 0 });
    expect(answer.holdUntilBufferMs).toBeUndefined();
    expect(reasonOf(answer)).not.toContain('requested when');
  });

  it('does not wait again at the very level it waited for', () => {
    const { holdUntilBufferMs } = ask(bola, { moment: { bufferMs: 58_000 } });
    expect(ask(bola, { moment: { bufferMs: holdUntilBufferMs! } }).holdUntilBufferMs).toBeUndefined();
  });

  it('reaches the top where the player keeps 20 s, and has a slope where it keeps less than two segments', () => {
    expect(ask(bola, { moment: { bufferMs: 15_000, bufferTargetMs: 20_000 } }).rung).toBe(5);
    const live = (bufferMs: number) => ask(bola, { moment: { bufferMs, bufferTargetMs: 4000 } }).rung;
    expect([live(0), live(1900)]).toEqual([0, 5]);
  });

  it.each(['gp', 'bufferMaxMs'])('cannot run with a %s of 0', (name) => {
    expect(() => bola.tuned?.({ [name]: 0 })).toThrow(
      `The parameter ${name} of bola must be above 0, not 0.`,
    );
  });

  it('says what it chose and how long it waits', () => {
    expect(reasonOf(ask(bola, { moment: { bufferMs: 58_000 } }))).toBe(
      'With 58.0 s of buffer level 6 of 6 (4.30 Mbit/s) has the highest score, requested when 56.0 s are left.',
    );
  });
});

describe('BOLA-FINITE', () => {
  // B_D is the length of buffer that counts; V_p follows from it.
  const countingMs = (story: Story): number =>
    Number(ask(bolaFinite, story).values?.['vpMs']) * (Math.log(4300 / 300) + 5) + 4000;
  it.each([
    { name: 'three segments at the start', events: [], segmentsLeft: 48, ms: 12_000 },
    { name: 'half of what is loaded', events: loaded(10), segmentsLeft: 38, ms: 20_000 },
    { name: 'never more than B_max', events: loaded(100), segmentsLeft: 100, ms: 60_000 },
    { name: 'half of what is left', events: loaded(40), segmentsLeft: 8, ms: 16_000 },
    { name: 'three segments at the end', events: loaded(47), segmentsLeft: 1, ms: 12_000 },
    { name: 'of a live stream no end', events: loaded(20), segmentsLeft: null, ms: 40_000 },
    {
      name: 'a seek begins anew',
      events: [...loaded(20), { kind: 'seek', atMs: 0, toMs: 0 }],
      segmentsLeft: 20,
      ms: 12_000,
    },
    {
      name: 'abandoned and audio do not count',
      events: [...loaded(10), downloadOf(1, { aborted: true }), downloadOf(1, { mediaType: 'audio' })],
      segmentsLeft: 38,
      ms: 20_000,
    },
  ] satisfies { name: string; events: RuleEvent[]; segmentsLeft: number | null; ms: number }[])(
    '$name',
    ({ events, segmentsLeft, ms }) => {
      expect(countingMs({ events, moment: { segmentsLeft } })).toBeCloseTo(ms, 6);
    },
  );
});

describe('BOLA-O and BOLA-U', () => {
  // 100 segments loaded and 100 left: all of the 60 s count, and with 50 s of buffer the best rung is the highest.
  it.each([
    { name: 'a rise that the last download carries', rateKbps: 5000, lastRung: 1, o: 5, u: 5 },
    { name: 'one that it carries half', rateKbps: 1300, lastRung: 1, o: 2, u: 3 },
    { name: 'one that it does not carry at all', rateKbps: 400, lastRung: 1, o: 1, u: 1 },
    { name: 'no rise', rateKbps: 400, lastRung: 5, o: 5, u: 5 },
    { name: 'no rung before', rateKbps: 1300, lastRung: null, o: 2, u: 3 },
  ])('$name: $o and $u', ({ rateKbps, lastRung, o, u }) => {
    const story = {
      events: [...loaded(99), downloadOf(rateKbps)],
      moment: { bufferMs: 50_000, segmentsLeft: 100, lastRung },
    };
    expect([ask(bolaFinite, story).rung, ask(bolaO, story).rung, ask(bolaU, story).rung]).toEqual([5, o, u]);
  });

  it('waits before it fills the buffer with a low rung', () => {
    const story = {
      events: [...loaded(99), downloadOf(400)],
      moment: { bufferMs: 50_000, segmentsLeft: 100, lastRung: 1 },
    };
    const answer = ask(bolaO, story);
    const levelMs = (56_000 * (Math.log(750 / 300) + 5)) / (Math.log(4300 / 300) + 5);
    expect(answer.holdUntilBufferMs).toBeCloseTo(levelMs, 6);
    expect(reasonOf(answer)).toBe(
      'With 50.0 s of buffer level 6 of 6 (4.30 Mbit/s) has the highest score, but the last download did not carry it, so level 2 of 6 (0.75 Mbit/s), requested when 43.2 s are left.',
    );
  });
});
