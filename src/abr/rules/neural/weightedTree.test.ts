import { describe, expect, it } from 'vitest';
import { contextOf, downloadOf, ladderOf, momentOf } from '../../testMoments.testing.ts';
import { madeUpTree } from './madeUpWeights.testing.ts';
import { readNeuralTree } from './weightedTree.ts';
import { neuralTree } from './neural.ts';

async function answerFor(rateKbps: number) {
  const rule = await neuralTree.withWeights!(madeUpTree());
  if (!rule.ok) throw new Error(rule.error);
  const start = rule.value.start(contextOf(ladderOf(300, 750, 1200, 1850, 2850, 4300)));
  const { rung, because, values } = rule.value.decide(
    rule.value.observe(start, downloadOf(rateKbps)),
    momentOf(),
  );
  return { rung, values, because: typeof because === 'string' ? because : because() };
}

describe('neural-tree', () => {
  it('takes the rung with the highest value, of equal ones the lowest', async () => {
    // Below 1500 kbit/s nothing is worth 0.25 more than the lowest: 1850 of 4300 is 0.36.
    expect((await answerFor(1500)).rung).toBe(0);
    expect((await answerFor(2000)).rung).toBe(3);
    expect((await answerFor(9000)).rung).toBe(3);
  });

  it('says how it came there', async () => {
    const { because, values } = await answerFor(2000);
    expect(because).toBe(
      'The tree puts level 4 of 6 (1.85 Mbit/s) closest to what the net would choose (sizes not known: bitrate × duration assumed): 2 questions, the last about sizes against rates, then what the levels are worth.',
    );
    expect(values).toMatchObject({ behind: -0.5, questions: 2 });
  });

  it('needs its tree, and keeps its name', async () => {
    expect(() => neuralTree.start(contextOf(ladderOf(300)))).toThrow('needs the file of its tree');
    expect(() => neuralTree.tuned!({ qoe: 'best' })).toThrow(
      'The parameter qoe of neural-tree is one of lin, log, hd, not "best".',
    );
    const rule = await neuralTree.withWeights!(madeUpTree());
    expect(rule.ok && rule.value.parameters).toEqual({ qoe: 'lin', weights: 'made up' });
    expect(() => rule.ok && rule.value.tuned!({ weights: 'another' })).toThrow(
      'is the name of its tree, made up.',
    );
  });
});

describe('a file of a tree', () => {
  it.each([
    [{ format: 'pitwall-neural/6' }, '"format" is "pitwall-neural/6"; "pitwall-tree/5" is needed.'],
    [{ name: '' }, '"name" must be the name of the tree.'],
    [{ inputs: 49 }, '"inputs" must be 58: the number of inputs of the net.'],
    [{ value: [1, null] }, '"value" must be a list of numbers, one per node.'],
    [{ value: [1] }, 'its lists must have one number per node each.'],
    [{ feature: [58, -1, -1, -1, -1] }, 'node 0 asks for an input, or leads to a node, that there is not.'],
    [{ below: [0, 3, 0, 0, 0] }, 'node 0 asks for an input, or leads to a node, that there is not.'],
    [{ below: [1, 4, 0, 0, 0] }, 'node 1 asks for an input, or leads to a node, that there is not.'],
  ])('with %j is refused', (changes, sentence) => {
    expect(readNeuralTree(madeUpTree(changes))).toEqual({
      ok: false,
      error: sentence,
    });
  });

  it('that is no JSON object is refused', () => {
    expect(readNeuralTree('[]')).toMatchObject({ error: 'the file is no JSON object.' });
  });
});
