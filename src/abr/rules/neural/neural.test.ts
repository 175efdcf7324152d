import { describe, expect, it } from 'vitest';
import type { Moment, Rule } from '../../rule.ts';
import { contextOf, downloadOf, ladderOf, momentOf } from '../../testMoments.testing.ts';
import { neural } from './neural.ts';
import { madeUpNet } from './madeUpWeights.testing.ts';
import { NeuralNet } from './neuralNet.ts';
import type { NeuralState } from './neuralState.ts';
import { readNeuralWeights } from './neuralWeights.ts';
import { weightedNeural } from './weightedNeural.ts';

const able = (text: string = madeUpNet(), qoe = 'lin', live = 'player'): Rule => {
  const rule = weightedNeural({ qoe, guard: 'outside', live }, text);
  if (!rule.ok) throw new Error(rule.error);
  return rule.value as Rule;
};

describe('neural', () => {
  it('says what it lacks where it has no weights', () => {
    expect(() => neural.start(contextOf(ladderOf(300)))).toThrow(
      'The rule neural needs a file of weights before it can decide; it was given none.',
    );
  });

  it('lets stalls count more after stalls where nobody says otherwise', () =>
    expect(neural.parameters).toEqual({ qoe: 'lin', guard: 'stalls', live: 'player' }));

  it('loads what decides, with the parameters that it was given', async () => {
    const rule = await neural.tuned!({ qoe: 'hd', guard: 'off' }).withWeights!(madeUpNet());
    expect(rule.ok && rule.value.parameters).toEqual({
      qoe: 'hd',
      guard: 'off',
      live: 'player',
      weights: 'made up',
    });
  });

  it('decides for the QoE of its parameters, and for no other', () => {
    const worthFor = (qoe: string): unknown =>
      (able(madeUpNet(), qoe).start(contextOf(ladderOf(300, 4300))) as { worth: unknown }).worth;
    expect(worthFor('lin')).toEqual([0.3 / 4.3, 1]);
    expect(worthFor('log')).toEqual([0, Math.log(4300 / 300) / 2.66]);
    expect(worthFor('hd')).toEqual([1 / 8, 20 / 8]);
    expect(() => neural.tuned!({ qoe: 'best' })).toThrow(
      'The parameter qoe of neural is one of lin, log, hd, not "best".',
    );
    expect(() => neural.tuned!({ guard: 'maybe' })).toThrow(
      'The parameter guard of neural is one of stalls, outside, always, off, not "maybe".',
    );
  });

  it('keeps the name of its net: that is no setting', () => {
    expect(able().parameters).toEqual({ qoe: 'lin', guard: 'outside', live: 'player', weights: 'made up' });
    expect(() => able().tuned!({ weights: 'another' })).toThrow(
      'The parameter weights of neural is the name of its net, made up.',
    );
  });

  it('decides alike where ladder, sizes and rates are all ten times as high', () => {
    const rule = able();
    const rungsAt = (factor: number): number[] =>
      [400, 900, 2000, 5000].map((rateKbps) => {
        const context = contextOf(ladderOf(...[300, 750, 1200, 1850].map((kbps) => kbps * factor)), {
          sizeBytes: (_, rung) => (rung + 1) * 150_000 * factor,
        });
        const reported = [rateKbps, 800].reduce(
          (state, kbps) => rule.observe(state, downloadOf(kbps * factor)),
          rule.start(context),
        );
        const { values } = rule.decide(reported, momentOf({ lastRung: 1 }));
        return values!['probability']!;
      });
    rungsAt(10).forEach((odds, index) => expect(odds).toBeCloseTo(rungsAt(1)[index]!, 5));
    expect(new Set(rungsAt(1)).size).toBe(4);
  });
});

describe('the playback rate of a live stream', () => {
  const live = { targetMs: 2000, minRate: 0.9, maxRate: 1.1 };
  /** After two downloads of 800 kbit in 1 s each, 0.1 s before the first byte; with 150 kB to come at any level. */
  const decision = (of: string, over: Partial<Moment>) => {
    const rule = able(madeUpNet(), 'lin', of);
    const context = contextOf(ladderOf(600, 1200), { segmentMs: 2000, sizeBytes: () => 150_000, live: true });
    const state = [800, 800].reduce(
      (before, kbps) => rule.observe(before, downloadOf(kbps)),
      rule.start(context),
    );
    return rule.decide(state, momentOf({ bufferMs: 1500, liveLatencyMs: 2000, ...over }));
  };

  it('is left to the player, unless the rule is to set it', () => {
    expect(able().setsPlaybackRate).toBeUndefined();
    expect(able(madeUpNet(), 'lin', 'rate').setsPlaybackRate).toBe(true);
    expect(decision('rate', {})).not.toHaveProperty('playbackRate');
    expect(() => neural.tuned!({ live: 'fast' })).toThrow(
      'The parameter live of neural is one of player, rate, not "fast".',
    );
  });

  it('goes by the latency, and by what the next download leaves of the buffer', () => {
    expect(decision('rate', { live }).playbackRate).toBe(1);
    expect(decision('rate', { live, liveLatencyMs: 2100 }).playbackRate).toBe(1.05);
    const slow = decision('rate', { live, bufferMs: 300, segment: 1 });
    // 800 kbit came in 900 ms after the first byte: 150 kB take 1350 ms, and 100 ms before.
    expect(slow.values!['downloadMs']).toBeCloseTo(1450, 0);
    expect(slow.playbackRate).toBe(0.9);
    expect((slow.because as () => string)()).toContain('The playback rate is 0.9: the next segment may take');
  });
});

describe('several nets', () => {
  const decision = () => {
    const context = contextOf(ladderOf(300, 750, 1850), { sizeBytes: (_, rung) => (rung + 1) * 150_000 });
    const state = able().observe(able().start(context), downloadOf(900)) as NeuralState;
    return { state, measured: state.measured!, moment: momentOf({ lastRung: 1 }) };
  };
  const scoresOf = (text: string): number[] => {
    const weights = readNeuralWeights(text);
    if (!weights.ok) throw new Error(weights.error);
    return [...new NeuralNet(weights.value).scoresFor(decision())];
  };

  it('answer with the mean of their scores', () => {
    const first = scoresOf(madeUpNet());
    const second = scoresOf(madeUpNet({ from: 1 }));
    expect(second).not.toEqual(first);
    const both = scoresOf(madeUpNet({ nets: 2 }));
    // The second's score is not rounded before it is added: a bit of single precision may be another.
    for (const [rung, score] of both.entries())
      expect(score).toBeCloseTo((first[rung]! + second[rung]!) / 2, 6);
  });

  it('may be one and the same', () => {
    const { data } = JSON.parse(madeUpNet()) as { data: string };
    const twice = Buffer.concat([Buffer.from(data, 'base64'), Buffer.from(data, 'base64')]).toString(
      'base64',
    );
    const text = JSON.stringify({ ...JSON.parse(madeUpNet()), nets: 2, data: twice });
    expect(scoresOf(text)).toEqual(scoresOf(madeUpNet()));
  });
});

const RANGES = '"ranges" must have [least, most] for 29 inputs in "context" and 26 in "rung".';
const pairs = (count: number, pair: readonly [number, number]) => Array.from({ length: count }, () => pair);

describe('a file of weights', () => {
  const file = JSON.parse(madeUpNet()) as Record<string, unknown>;
  const refusal = (changes: Record<string, unknown>): string => {
    const read = readNeuralWeights(JSON.stringify({ ...file, ...changes }));
    return read.ok ? 'it was taken' : read.error;
  };
  it.each([
    [{ format: 'pitwall-neural/6' }, '"format" is "pitwall-neural/6"; "pitwall-neural/7" is needed.'],
    [{ format: undefined }, '"format" is missing; "pitwall-neural/7" is needed.'],
    [{ name: ' ' }, '"name" must be the name of the net.'],
    [{ width: 0 }, '"width" and "narrow" must be whole numbers from 1 to 1024.'],
    [{ narrow: 2.5 }, '"width" and "narrow" must be whole numbers from 1 to 1024.'],
    [{ nets: 0 }, '"nets" must be a whole number from 1 to 8.'],
    [{ nets: 9 }, '"nets" must be a whole number from 1 to 8.'],
    [{ nets: 2 }, '"data" has 307 numbers; 2 nets of this width have 614.'],
    [{ data: '!' }, '"data" is no base64 of whole 16-bit floats.'],
    [{ data: 'AAA=' }, '"data" has 1 numbers; a net of this width has 307.'],
    [{ ranges: { context: [[0, 1]], rung: [] } }, RANGES],
    [{ ranges: { context: pairs(29, [0, 1]), rung: pairs(26, [1, 0]) } }, RANGES],
    [
      { ranges: { context: pairs(29, [0, 1]), rung: pairs(26, [0, 1]), bufferTargetS: [60] } },
      '"ranges" must have [least, most] in "bufferTargetS", or none.',
    ],
    [{ data: Buffer.alloc(614, 0xff).toString('base64') }, '"data" has NaN in place 1.'],
  ])('with %j is refused', (changes, sentence) => {
    expect(refusal(changes)).toBe(sentence);
  });

  it('that is no JSON object is refused', () => {
    for (const text of ['', '[]', 'null', '{'])
      expect(readNeuralWeights(text)).toEqual({
        ok: false,
        error: 'the file is no JSON object.',
      });
  });
});
