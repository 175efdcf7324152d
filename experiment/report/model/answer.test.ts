import { expect, test } from 'vitest';
import { answerOf, splitSentence } from './reportModel.ts';
import type { VerdictLine } from './verdictLines.ts';

const line = (sentence: string): VerdictLine => ({ sentence }) as VerdictLine;

test('the claim stands apart from its numbers', () => {
  expect(splitSentence('h3 is higher than h2 by 48 kbit/s, 95 % interval 35 to 61. Ten pairs.')).toEqual([
    'h3 is higher than h2 by 48 kbit/s.',
    '95 % interval 35 to 61. Ten pairs.',
  ]);
  expect(splitSentence('h3 against h2: no verdict')).toEqual(['h3 against h2: no verdict']);
});

test('claims are those of the first comparisons, in their order', () => {
  const verdicts = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => line(`${name} is higher. Numbers.`));
  const answer = answerOf({ verdicts, scope: 'two networks' });
  expect(answer.claims).toEqual(['a is higher.', 'b is higher.', 'c is higher.', 'd is higher.']);
  expect(answer).toMatchObject({ more: 2, scope: 'two networks' });
});

test('without a comparison the first line says so', () =>
  expect(answerOf({ verdicts: [], scope: 'x' }).claims).toEqual([
    'No comparison is declared, so there is no verdict.',
  ]));
