import { describe, expect, it } from 'vitest';
import type { Answer, Moment, Rule, RuleContext, RuleEvent } from '../../rule.ts';
import { contextOf, downloadOf, ladderOf, momentOf } from '../../testMoments.testing.ts';
import { base64, testWeights } from '../../testWeights.testing.ts';
import type { Result } from '../../../shared/result.ts';
import { pensieve } from './pensieve.ts';
import { weightedPensieve } from './weightedPensieve.ts';

const KBPS = [300, 750, 1200, 1850, 2850, 4300];

/** A net of which nothing counts but the biases of its logits, and one input of the state. */
function probe(
  prefers: readonly number[],
  segmentsLeftAdds: readonly number[] = prefers.map(() => 0),
): string {
  const file = testWeights(KBPS);
  for (const layer of Object.values(file.layers))
    for (const tensor of [layer.kernel, layer.bias])
      tensor.data = base64(new Float32Array(sizeOf(tensor.shape)));
  const set = (layer: string, part: 'kernel' | 'bias', numbers: Record<number, number>) => {
    const tensor = file.layers[layer]![part];
    const values = new Float32Array(sizeOf(tensor.shape));
    for (const [at, value] of Object.entries(numbers)) values[Number(at)] = value;
    tensor.data = base64(values);
  };
  set('logits', 'bias', { ...prefers });
  // Row 5 alone reaches the logits: by the first unit of its branch and the first of the merging layer.
  set('segmentsLeft', 'kernel', { 0: 1 });
  set('merge', 'kernel', { [5 * 128 * 128]: 1 });
  set('logits', 'kernel', { ...segmentsLeftAdds });
  return JSON.stringify({ ...file, name: 'probe' });
}
const sizeOf = (shape: readonly number[]): number => shape.reduce((product, size) => product * size, 1);

function weighted(text: string): Rule {
  const rule: Result<Rule> = weightedPensieve(text) as Result<Rule>;
  if (!rule.ok) throw new Error(rule.error);
  return rule.value;
}

interface Story {
  readonly context?: Partial<RuleContext>;
  readonly events?: readonly RuleEvent[];
  readonly moment?: Partial<Moment>;
}
function answerOf(rule: Rule, { context, events = [downloadOf(2000)], moment }: Story = {}): Answer {
  const start = rule.start(contextOf(ladderOf(...KBPS), context));
  return rule.decide(
    events.reduce((state, event) => rule.observe(state, event), start),
    momentOf(moment),
  );
}
const reasonOf = ({ because }: Answer): string => (typeof because === 'string' ? because : because());

describe('pensieve', () => {
  it('says what it lacks where it has no weights', async () => {
    expect(() => pensieve.start(contextOf(ladderOf(300)))).toThrow(
      'The rule pensieve needs a file of weights before it can decide; it was given none.',
    );
    expect(await pensieve.withWeights!('{}')).toEqual({
      ok: false,
      error: '"format" is missing; "pitwall-pensieve/1" is needed.',
    });
  });

  it('takes the most probable rung, and the lower of two', () => {
    expect(answerOf(weighted(probe([0, 1, 3, 2, 0, 0]))).rung).toBe(2);
    expect(answerOf(weighted(probe([0, 3, 0, 3, 0, 0]))).rung).toBe(1);
  });

  it('reads the segments left', () => {
    const rule = weighted(probe([1, 0, 0, 0, 0, 0], [0, 0, 0, 2, 0, 0]));
    expect(answerOf(rule, { moment: { segmentsLeft: 40 } }).rung).toBe(3);
    expect(answerOf(rule, { moment: { segmentsLeft: 4 } }).rung).toBe(0);
    expect(answerOf(rule, { moment: { segmentsLeft: null } }).rung).toBe(3);
  });

  it('stays where playback starts until something is measured', () => {
    const rule = weighted(probe([0, 0, 9, 0, 0, 0]));
    expect(answerOf(rule, { events: [], moment: { lastRung: 4 } }).rung).toBe(4);
    const nothing = [
      downloadOf(0),
      downloadOf(900, { aborted: true }),
      downloadOf(900, { mediaType: 'audio' }),
    ];
    expect(reasonOf(answerOf(rule, { events: nothing, moment: { lastRung: 4 } }))).toBe(
      'No download measured yet, so level 5 of 6, where playback starts.',
    );
  });

  it('looks back on eight downloads, from request to last byte', () => {
    const rule = weighted(JSON.stringify(testWeights(KBPS)));
    const steady = Array.from({ length: 8 }, () => downloadOf(1000, { firstByteMs: 1900 }));
    const oddsOf = (events: readonly RuleEvent[]) => answerOf(rule, { events }).values?.['probability'];
    expect(oddsOf([downloadOf(90), ...steady])).toBe(oddsOf(steady));
    expect(oddsOf([...steady.slice(1), downloadOf(1000, { firstByteMs: 1001 })])).toBe(oddsOf(steady));
    expect(oddsOf([...steady, downloadOf(90)])).not.toBe(oddsOf(steady));
    expect(answerOf(rule, { events: steady }).values?.['lastRateKbps']).toBe(1000);
  });

  it('answers in another ladder by the nearest of its rungs, and says so', () => {
    const audio = { mediaType: 'audio' as const, ladder: ladderOf(64, 128) };
    const rule = weighted(probe([0, 0, 0, 5, 0, 0]));
    const answer = answerOf(rule, { context: audio, events: [downloadOf(900, { mediaType: 'audio' })] });
    expect(answer.rung).toBe(0);
    expect(answer.values).toMatchObject({ trainedRung: 3, ladderScale: 4300 / 128 });
    expect(reasonOf(answer)).toBe(
      'The net "probe" gives level 1 of 2 (0.06 Mbit/s) a probability of 97 %, more than any other (it was trained on 6 levels ' +
        'from 0.30 Mbit/s to 4.30 Mbit/s; rates and sizes are read × 33.6, and each of its levels stands for the nearest here) ' +
        '(sizes not known: bitrate × duration assumed).',
    );
    const known = { sizeBytes: () => 500_000 };
    expect(reasonOf(answerOf(rule, { context: known }))).toBe(
      'The net "probe" gives level 4 of 6 (1.85 Mbit/s) a probability of 97 %, more than any other.',
    );
  });

  it('goes on in a new ladder with what it has measured', () => {
    const ladder = { kind: 'ladder' as const, atMs: 0, ladder: ladderOf(600, 8600), segmentMs: 2000 };
    const answer = answerOf(weighted(probe([0, 0, 0, 0, 0, 5])), { events: [downloadOf(900), ladder] });
    expect(answer.rung).toBe(1);
    expect(answer.values).toMatchObject({ ladderScale: 0.5, lastRateKbps: 900 });
  });

  it('says that its weights are too large where no finite odds come of them', () => {
    expect(() => answerOf(weighted(probe([3e38, 0, 0, 0, 0, 0], [3e38, 0, 0, 0, 0, 0])))).toThrow(
      'no finite answer',
    );
  });
});
