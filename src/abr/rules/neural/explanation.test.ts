import { describe, expect, it } from 'vitest';
import type { Moment, Rule, RuleContext } from '../../rule.ts';
import { contextOf, downloadOf, ladderOf, momentOf } from '../../testMoments.testing.ts';
import { boundsOf, weightedNeural } from './weightedNeural.ts';
import { madeUpNet } from './madeUpWeights.testing.ts';
import { CONTEXT_INPUTS, RUNG_INPUTS, type Asked } from './netInputs.ts';
import type { NeuralNet } from './neuralNet.ts';
import { withDownload, type Measured } from './neuralState.ts';
import { NEVER_STALLED } from './stallPrice.ts';
import { weightiest } from './explanation.ts';

const LADDER = ladderOf(300, 750, 1200, 1850, 2850, 4300);
const WIDE: readonly [number, number] = [-100, 100];

/** A net that says what its inputs were in training: anything, but for some of the context. */
function net(
  odd: Readonly<Record<number, readonly [number, number]>> = {},
  bufferTargetS?: readonly [number, number],
): string {
  const context = Array.from({ length: CONTEXT_INPUTS }, (_, at) => odd[at] ?? WIDE);
  const ranges = { context, rung: Array.from({ length: RUNG_INPUTS }, () => WIDE), bufferTargetS };
  return JSON.stringify({ ...(JSON.parse(madeUpNet({ from: 0 })) as object), ranges });
}

function ruleOf(text: string, guard: string): Rule {
  const rule = weightedNeural({ qoe: 'lin', guard, live: 'player' }, text);
  if (!rule.ok) throw new Error(rule.error);
  return rule.value as Rule;
}

interface Story {
  readonly guard?: string;
  readonly ratesKbps?: readonly number[];
  readonly moment?: Partial<Moment>;
  readonly context?: Partial<RuleContext>;
}
function answerOf(text: string, { guard = 'outside', ratesKbps = [3000, 800], moment, context }: Story = {}) {
  const rule = ruleOf(text, guard);
  const state = ratesKbps.reduce<unknown>(
    (before, kbps) => rule.observe(before, downloadOf(kbps)),
    rule.start(contextOf(LADDER, context)),
  );
  const { rung, because, values } = rule.decide(state, momentOf({ lastRung: 1, ...moment }));
  return { rung, because: typeof because === 'string' ? because : because(), values: values! };
}

describe('an explanation', () => {
  it('has the probability of each rung, 1 in all, and the highest is chosen', () => {
    const { rung, values } = answerOf(madeUpNet(), { guard: 'off' });
    const odds = LADDER.map((_, each) => values[`probability${each}`]!);
    expect(odds.reduce((sum, each) => sum + each, 0)).toBeCloseTo(1, 6);
    expect(Math.max(...odds)).toBe(odds[rung]);
    expect(values['probability']).toBe(odds[rung]);
  });

  it('names the three inputs that the choice hung on most, as shares of what moves', () => {
    const { because, values } = answerOf(madeUpNet());
    const moved = Object.entries(values).filter(([name]) => /^movedBy[A-Z]\w+Share$/.test(name));
    expect(moved).toHaveLength(3);
    const shares = moved.map(([, share]) => share!);
    expect(shares).toEqual([...shares].sort((one, other) => other - one));
    for (const share of shares) expect(share >= 0 && share <= 1).toBe(true);
    expect(because).toContain(`(${Math.round(shares[0]! * 100)} %)`);
  });

  const rememberedOf = (ratesKbps: readonly number[]): Measured => {
    const rule = ruleOf(madeUpNet(), 'off');
    const { measured } = ratesKbps.reduce<unknown>(
      (before, kbps) => rule.observe(before, downloadOf(kbps)),
      rule.start(contextOf(LADDER)),
    ) as { measured: Measured };
    return measured;
  };
  const often = (kbps: number, times: number): number[] => Array.from({ length: times }, () => kbps);

  it('knows how deep and how often the link failed since it began', () => {
    const { lowestLn, slowMean, dropShare } = rememberedOf([3000, 3000, 200, ...often(3000, 12)]);
    // Twelve downloads ago; one of fifteen.
    expect(slowMean - lowestLn).toBeGreaterThan(Math.log(9));
    expect(slowMean - lowestLn).toBeLessThan(Math.log(15));
    expect(dropShare).toBeCloseTo(1 / 15, 12);
  });

  it('knows that a link once carried little that began so', () => {
    const { lowestLn, slowMean } = rememberedOf([...often(200, 20), ...often(3000, 40)]);
    expect(slowMean - lowestLn).toBeGreaterThan(0.9 * Math.log(15));
  });

  it('forgets in time how low a link once was', () => {
    const { lowestLn, slowMean } = rememberedOf([200, ...often(3000, 1500)]);
    expect(slowMean - lowestLn).toBeLessThan(0.06 * Math.log(15));
  });

  it('hangs on nothing that is at its middling value already', () => {
    const middling = { bufferMs: 15_000, bufferTargetMs: 30_000, lastRung: 2, segmentsLeft: null };
    const { values } = answerOf(madeUpNet(), { ratesKbps: [1200], moment: middling });
    for (const id of ['Buffer', 'LastRung', 'SegmentsLeft', 'Swings', 'Drops', 'Sizes'])
      expect(values[`movedBy${id}Share`] ?? 0).toBe(0);
  });

  /** What a net is asked while one thing after the other is hidden. */
  function hidden(measured: Measured, h2AudioKbps = 0, changes: Partial<Moment> = {}): Asked[] {
    const state = {
      ...contextOf(LADDER),
      worth: LADDER.map((_, rung) => rung),
      measured,
      h2AudioKbps,
      stalled: NEVER_STALLED,
    };
    const moment = momentOf(changes);
    const reported: Asked[] = [];
    const net = { scoresFor: (asked: Asked) => (reported.push(asked), new Float32Array(LADDER.length)) };
    weightiest(net as NeuralNet, { state, measured, moment }, new Float32Array(LADDER.length));
    return reported;
  }

  it('hides whether the connection was new, and nothing else with it', () => {
    const measured = withDownload(null, downloadOf(900, { protocol: 'h2', connectionReused: false }))!;
    const others = hidden(measured, 96).filter(({ measured: { isNew } }) => !isNew);
    expect(others.map(({ measured: each }) => each)).toEqual([{ ...measured, isNew: false }]);
    expect(others.map(({ state }) => state.h2AudioKbps)).toEqual([96]);
  });

  it('hides the audio between the segments, and nothing else with it', () => {
    const measured = withDownload(null, downloadOf(900, { protocol: 'h2' }))!;
    const others = hidden(measured, 96).filter(({ state }) => state.h2AudioKbps === 0);
    expect(others.map(({ measured: each }) => each)).toEqual([measured]);
  });

  it('hides how much audio is loaded, and nothing else with it', () => {
    const measured = withDownload(null, downloadOf(900))!;
    const levels = { bufferMs: 20_000, bufferTargetMs: 30_000, audioBufferMs: 6000 };
    const moments = hidden(measured, 0, levels).map(({ moment: { bufferMs, audioBufferMs } }) => [
      bufferMs,
      audioBufferMs,
    ]);
    expect(moments).toContainEqual([20_000, 20_000]);
    // Hiding the buffer leaves the audio as far behind it as it was.
    expect(moments).toContainEqual([15_000, 1000]);
    expect(moments.filter(([video, audio]) => video === 20_000 && audio === 6000)).toHaveLength(
      moments.length - 2,
    );
    const without = hidden(measured, 0, { bufferMs: 20_000 });
    expect(without.every(({ moment }) => moment.audioBufferMs === undefined)).toBe(true);
  });

  it('hides swings in the rates, and in the times that downloads of such sizes took', () => {
    const measured = [3000, 800, 2000].reduce<ReturnType<typeof withDownload>>(
      (before, kbps) => withDownload(before, downloadOf(kbps, { firstByteMs: null })),
      null,
    )!;
    const reported = hidden(measured);
    const level = reported.filter(({ measured: { rateLn } }) => new Set(rateLn).size === 1);
    expect(level).toHaveLength(1);
    const { rateLn, tookLn } = level[0]!.measured;
    for (const [at, each] of tookLn.entries())
      expect(each + rateLn[at]!).toBeCloseTo(measured.tookLn[at]! + measured.rateLn[at]!, 9);
  });

  it('says what training never saw, and that the weights do not say', () => {
    expect(answerOf(net()).values['outsideInputs']).toBe(0);
    expect(answerOf(net()).because).not.toContain('Outside');
    const { because, values } = answerOf(net({ 5: [3, 4], 11: [3, 4] }));
    expect(values['outsideInputs']).toBe(2);
    expect(because).toContain(
      'Outside what it was trained on: the length of segments, how many levels there are.',
    );
    expect(answerOf(madeUpNet()).values['outsideInputs']).toBeNull();
  });

  it('says that no training had such a buffer target, though buffer and space below it occurred separately', () => {
    const live = { moment: { bufferMs: 3000, bufferTargetMs: 4000 } };
    expect(
      answerOf(net({}, [10, 60]), { moment: { bufferMs: 3000, bufferTargetMs: 14_000 } }).values,
    ).toMatchObject({
      outsideInputs: 0,
    });
    const { because, values } = answerOf(net({}, [10, 60]), live);
    expect(values['outsideInputs']).toBe(1);
    expect(because).toContain('Outside what it was trained on: the buffer target.');
    expect(answerOf(net(), live).values['outsideInputs']).toBe(0);
  });
});

describe('the guard', () => {
  const asked = (ratesKbps: readonly number[], moment: Partial<Moment>) => {
    const measured = ratesKbps.reduce<ReturnType<typeof withDownload>>(
      (before, kbps) => withDownload(before, downloadOf(kbps, { firstByteMs: null })),
      null,
    )!;
    const context = contextOf(LADDER, { segmentMs: 4000 });
    const state = {
      ...context,
      worth: LADDER.map((_, rung) => rung),
      measured,
      h2AudioKbps: 0,
      stalled: NEVER_STALLED,
    };
    return { state, measured, moment: momentOf({ bufferTargetMs: 30_000, ...moment }) };
  };

  it('allows what arrives before the buffer is empty, at the slowest rate of the last five', () => {
    // 4 s of 1200 kbit/s at 1000 kbit/s take 4.8 s and 80 ms, of 1850 kbit/s 7.4 s and 80 ms.
    expect(boundsOf(asked([1000], { bufferMs: 4900 }))).toEqual({ min: 0, max: 2 });
    expect(boundsOf(asked([1000, 9000, 9000], { bufferMs: 4800 }))).toEqual({ min: 0, max: 1 });
    expect(boundsOf(asked([1000, 9000, 9000, 9000, 9000, 9000], { bufferMs: 4900 })).max).toBe(5);
    expect(boundsOf(asked([10], { bufferMs: 0 }))).toEqual({ min: 0, max: 0 });
  });

  it('allows after a seek, with nothing in the buffer, what comes four times as fast as it plays', () => {
    // 4 s of 2850 kbit/s at 13 Mbit/s take 0.88 s and 80 ms, of 4300 kbit/s 1.3 s.
    expect(boundsOf(asked([13_000], { bufferMs: 0 }))).toEqual({ min: 0, max: 4 });
    expect(boundsOf(asked([100_000], { bufferMs: 0 })).max).toBe(5);
  });

  it('asks for what comes twice as fast as it plays while the buffer stays half full', () => {
    // Under a target of 30 s segments of 4 s fill it to 26 s. At 2600 kbit/s 4 s of 750 kbit/s take 1.2 s, of
    // 1200 kbit/s 1.9 s, of 1850 kbit/s 2.9 s.
    expect(boundsOf(asked([2600], { bufferMs: 26_000 }))).toEqual({ min: 2, max: 5 });
    expect(boundsOf(asked([2600], { bufferMs: 14_500 }))).toEqual({ min: 1, max: 5 });
    expect(boundsOf(asked([2600], { bufferMs: 13_000 }))).toEqual({ min: 0, max: 5 });
    expect(boundsOf(asked([9000], { bufferMs: 26_000 })).min).toBe(5);
  });

  it('holds the net only where it is asked to', () => {
    const starved = { ratesKbps: [800, 800], moment: { bufferMs: 300, lastRung: 5 } };
    const free = answerOf(net(), { guard: 'off', ...starved });
    const odd = net({ 5: [3, 4] });
    expect(free.rung).toBe(5);
    expect(answerOf(net(), starved).rung).toBe(free.rung);
    expect(answerOf(odd, { guard: 'off', ...starved }).rung).toBe(free.rung);
    // What nobody knows the training of may be at home nowhere.
    for (const { rung, because, values } of [
      answerOf(madeUpNet({ from: 0 }), starved),
      answerOf(odd, starved),
      answerOf(net(), { guard: 'always', ...starved }),
    ]) {
      expect([rung, values['wishedRung']]).toEqual([0, 5]);
      expect(because).toContain('The guard takes level 1 instead');
    }
  });
});
