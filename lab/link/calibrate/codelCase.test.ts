import { describe, expect, it } from 'vitest';
import { codelCase, judgeCodel, type CodelFigures } from './codelCase.ts';

const asked = codelCase(5000, 20, 1.2);
const hump = { peakMs: 138, backAfterMs: 3250, drops: 268 };
const good: CodelFigures = { tailWaitMs: 252, hump, expected: hump };
const outside = (changes: Partial<CodelFigures>): string[] =>
  judgeCodel(asked, { ...good, ...changes })
    .filter(({ within }) => !within)
    .map(({ quantity }) => quantity);

describe('judgeCodel', () => {
  it('takes what is as on paper', () => expect(outside({})).toEqual([]));

  it.each([
    [
      'a queue that drops at its tail instead',
      { hump: { peakMs: 252, backAfterMs: null, drops: 230 } },
      ['peak', 'back', 'drops'],
    ],
    ['a fall that takes 11 % longer', { hump: { ...hump, backAfterMs: 3610 } }, ['back']],
    ['a peak that is 25 ms higher', { hump: { ...hump, peakMs: 163 } }, ['peak']],
    ['11 % less dropped', { hump: { ...hump, drops: 237 } }, ['drops']],
    ['a tail that is four packets shorter', { tailWaitMs: 242 }, ['tail-wait']],
    ['a tail of which nothing came', { tailWaitMs: null }, ['tail-wait']],
  ] as const)('refuses %s', (_, changes, wanted) => expect(outside(changes)).toEqual(wanted));
});

describe('codelCase', () => {
  it('has space for the highest queue, and lasts until it is gone', () =>
    // 83.3 packets a second too many: a queue of 69.4, gone after 3.33 s.
    expect(asked).toMatchObject({ limitPackets: 105, loadMs: 4167 }));
});
