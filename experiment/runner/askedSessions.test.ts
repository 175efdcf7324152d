import { expect, test } from 'vitest';
import { askedSessions, formatPairs, pairNamed, pairsOf } from './askedSessions.ts';
import type { CampaignFile } from '../design/campaignFile.ts';
import { planCampaign } from '../design/planCampaign.ts';
import { networksOf } from '../design/networks.ts';
import { startingFile } from '../design/startingFile.ts';
import { valueOf } from '../../src/shared/result.ts';

const without = valueOf(planCampaign({ ...startingFile, repeats: 3, seeds: [1] }, []));
const plan = valueOf(planCampaign({ ...startingFile, repeats: 3, seeds: [1], blocks: 2 }, []));
const file = 'c.json';

test('a block has its own sessions, and all blocks have all', () => {
  const parts = [1, 2].map((block) => askedSessions(plan, { block, file }).sessions);
  expect(parts.map(({ length }) => length)).toEqual([8, 4]);
  expect(parts.flat()).toEqual(plan.sessions);
  expect(askedSessions(plan, { file })).toEqual({ sessions: plan.sessions, part: undefined, pair: null });
  expect(askedSessions(plan, { shard: '1/2', block: 2, file })).toMatchObject({ part: '1/2', pair: null });
});

test('a block that there is not is one sentence', () => {
  expect(() => askedSessions(plan, { block: 3, file })).toThrow('--block 3: c.json has 2 blocks.');
  expect(() => askedSessions(without, { block: 1, file })).toThrow(
    '--block 1: c.json has no blocks; add "blocks": 2 to it, before it is played.',
  );
});

test('pairs share the sessions out among them, each whole', () => {
  const pairs = pairsOf(plan);
  expect(pairs.flatMap((pair) => askedSessions(plan, { pair, file }).sessions)).toEqual(plan.sessions);
  for (const [index, pair] of pairs.entries()) {
    const { sessions: own, ...named } = askedSessions(plan, { pair, file });
    expect(named).toEqual({ part: `pair-${index + 1}`, pair: { id: pair, name: `pair ${pair}` } });
    expect(new Set(own.map(({ design }) => design.pair))).toEqual(new Set([pair]));
    expect(own).toHaveLength(plan.sessions.length / pairs.length);
  }
});

test('a pair has its id and its place as names', () => {
  const pairs = pairsOf(plan);
  expect(formatPairs(plan).split('\n')).toEqual(pairs.map((id, index) => `${index + 1}\t${id}`));
  for (const [index, id] of pairs.entries())
    for (const pair of [id, String(index + 1)])
      expect(pairNamed(plan, { pair, file })).toEqual({ id, place: index + 1 });
});

test.each(['0', '99', '-1', '1.5', '', 'somewhere/demo/0/1'])('"%s" is no pair', (pair) =>
  expect(() => askedSessions(plan, { pair, file })).toThrow(
    `--pair ${pair}: c.json has pairs 1 to ${pairsOf(plan).length}; --list-pairs names them.`,
  ),
);

test('pairs that are played again come after all others, and each can be played alone', () => {
  const campaign: CampaignFile = {
    ...startingFile,
    profiles: ['dvl'],
    repeats: 4,
    blocks: 2,
    seeds: [1],
    robustTo: { variants: ['rtt'], pairs: 3 },
  };
  const again = valueOf(planCampaign(campaign, networksOf(campaign)));
  const { sessions } = askedSessions(again, { file });
  expect(sessions).toHaveLength((4 + 3) * 4);
  const listed = formatPairs(again).split('\n');
  expect(listed.filter((line) => line.includes('dvl+rtt/'))).toEqual(listed.slice(4));
  const alone = askedSessions(again, { pair: '5', file });
  expect(alone.sessions.map(({ link }) => link!.network)).toEqual(Array(4).fill('dvl+rtt'));
  const parts = [1, 2].flatMap((block) => askedSessions(again, { block, file }).sessions);
  expect(new Set(parts)).toEqual(new Set(sessions));
});
