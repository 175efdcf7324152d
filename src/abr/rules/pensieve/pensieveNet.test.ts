import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { testWeights, unit } from '../../testWeights.testing.ts';
import { PensieveNet } from './pensieveNet.ts';
import { readPensieveWeights } from './pensieveWeights.ts';

const golden = JSON.parse(
  readFileSync(new URL('./pensieveNet.golden.json', import.meta.url), 'utf8'),
) as number[][];

const read = readPensieveWeights(JSON.stringify(testWeights()));
if (!read.ok) throw new Error(read.error);
const net = new PensieveNet(read.value);

/** The states of `pensieveNet.golden.py`: 25 numbers from 0 to 2, with zeros before a young session's first download. */
function stateOf(index: number): Float32Array {
  const state = Float32Array.from({ length: 25 }, (_, at) => 2 * unit(1000 + index, at));
  const unknown = Math.max(0, 7 - index);
  state.fill(0, 2, 2 + unknown).fill(0, 10, 10 + unknown);
  return state;
}

describe("Pensieve's net", () => {
  it('has the 103,174 numbers of the paper with its effective layers, and 25 inputs', () => {
    const numbers = Object.values(read.value.layers).map(({ kernel, bias }) => kernel.length + bias.length);
    expect(numbers.reduce((sum, count) => sum + count, 0)).toBe(103_174);
    expect(net.inputs).toBe(25);
  });

  it('answers as numpy does, in double precision, to 20 states', () => {
    expect(golden).toHaveLength(20);
    golden.forEach((odds, index) => {
      const found = net.oddsFor(stateOf(index));
      odds.forEach((share, rung) => expect(Math.abs(found[rung]! - share)).toBeLessThanOrEqual(2e-6));
    });
  });

  it('sees each of its inputs', () => {
    const before = [...net.oddsFor(stateOf(19))];
    for (let input = 0; input < net.inputs; input += 1) {
      const state = stateOf(19);
      state[input]! += 0.5;
      expect([...net.oddsFor(state)], `input ${input}`).not.toEqual(before);
    }
  });
});
