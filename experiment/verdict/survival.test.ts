import { expect, test } from 'vitest';
import { survivalsOf, type Survival } from './survival.ts';
import type { VerdictRow } from './verdicts.ts';
import { networksOf } from '../design/networks.ts';
import { planCampaign } from '../design/planCampaign.ts';
import { planOfSamePairs } from '../design/variants.ts';
import { startingFile } from '../design/startingFile.ts';
import type { CampaignFile } from '../design/campaignFile.ts';
import type { Judgement } from '../../src/analysis/statistics/verdict.ts';
import { valueOf } from '../../src/shared/result.ts';

const campaign: CampaignFile = {
  ...startingFile,
  transports: ['h2', 'h3-only'],
  profiles: ['dvl', 'dl'],
  robustTo: { variants: ['rtt'] },
};
const plan = valueOf(planCampaign(campaign, networksOf(campaign)));

type Words = `${Judgement['direction']} ${Judgement['relevance']}` | null;

/** A row of so many pairs with a judgement. */
const row = (words: Words, pairs: number): VerdictRow => {
  const [direction, relevance] = (words?.split(' ') ?? []) as [
    Judgement['direction'],
    Judgement['relevance'],
  ];
  const none = { missing: 0, flagged: 0, copies: 0, unknown: { first: 0, second: 0, both: 0 } };
  return {
    comparison: { first: 'a', second: 'b' },
    pairs: { unit: 'pair', values: Array<[number, number]>(pairs).fill([2, 1]), planned: pairs, ...none },
    statistics: null,
    judgement: words === null ? null : { direction, relevance },
    withheld: null,
  } as unknown as VerdictRow;
};

/** The sentence about a verdict of 24 pairs, and eight of them that are played again; `before` as they were first played. */
function sentenceOf(verdict: Words, again: Words, before: Words = verdict): string {
  const survivals = survivalsOf(plan, [row(verdict, 24)], ({ networks }) => [
    row(networks === plan.networks ? before : again, 8),
  ]);
  const [{ sentence }] = survivals[0] as [Survival];
  expect(sentence).toMatch(/^With round trips 15 % longer \(8 of 24 pairs\): .*\.$/);
  return sentence.slice('With round trips 15 % longer (8 of 24 pairs): '.length, -1);
}

test.each<[Words, Words, string]>([
  ['higher beyond', 'higher beyond', 'same direction, still beyond the margin'],
  ['lower inside', 'lower inside', 'same direction, still inside the margin'],
  ['lower undecided', 'lower undecided', 'same direction, against the margin undecided as before'],
  ['lower undecided', 'lower beyond', 'same direction, now beyond the margin'],
  ['higher beyond', 'higher inside', 'same direction, now inside the margin'],
  [
    'higher beyond',
    'higher undecided',
    'same direction, cannot tell with 8 pairs whether still beyond the margin',
  ],
  ['higher beyond', 'lower beyond', 'the direction turns, beyond the margin on the other side'],
  ['higher beyond', 'lower inside', 'the direction turns, now inside the margin'],
  ['higher inside', 'lower inside', 'the direction turns, still inside the margin'],
  [
    'higher beyond',
    'lower undecided',
    'the direction turns, cannot tell with 8 pairs whether still beyond the margin',
  ],
  ['higher beyond', 'cannot-tell inside', 'no direction with 8 pairs, now inside the margin'],
  ['higher inside', 'cannot-tell inside', 'no direction with 8 pairs, still inside the margin'],
  ['higher beyond', 'cannot-tell undecided', 'cannot tell with 8 pairs'],
  ['cannot-tell inside', 'cannot-tell inside', 'still inside the margin'],
  ['cannot-tell inside', 'lower inside', 'now lower, still inside the margin'],
  ['cannot-tell inside', 'lower beyond', 'now lower, now beyond the margin'],
  ['cannot-tell inside', 'cannot-tell undecided', 'cannot tell with 8 pairs'],
  ['higher beyond', null, 'cannot tell with 8 pairs'],
  ['cannot-tell undecided', 'lower beyond', 'the verdict itself cannot tell'],
  [null, 'lower beyond', 'there is no verdict to compare with'],
])('%s, and then %s: %s', (verdict, again, words) => expect(sentenceOf(verdict, again)).toBe(words));

test('a change that these pairs show without the variant, too, is not laid to it', () => {
  const same = '; as first played, these pairs say the same';
  expect(sentenceOf('higher beyond', 'lower beyond', 'lower beyond')).toContain(same);
  expect(sentenceOf('higher beyond', 'cannot-tell undecided', 'cannot-tell undecided')).toContain(same);
  expect(sentenceOf('higher beyond', 'higher beyond', 'higher beyond')).not.toContain(same);
  expect(sentenceOf('higher beyond', 'lower beyond', 'cannot-tell undecided')).not.toContain(same);
  expect(sentenceOf(null, null, null)).not.toContain(same);
});

test('a campaign without variants has no sentence', () => {
  expect(
    survivalsOf(planOfSamePairs(plan, plan.variants![0]!), [row('higher beyond', 24)], () => []),
  ).toEqual([[]]);
});
