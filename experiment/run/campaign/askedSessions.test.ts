import { expect, test } from 'vitest';
import { sessionsOfBlock } from './sessionsOfBlock.ts';
import { planCampaign } from '../../plan/planCampaign.ts';
import { startingFile } from '../../plan/startingFile.ts';
import { valueOf } from '../../../src/shared/result.ts';

const without = valueOf(planCampaign({ ...startingFile, repeats: 3, seeds: [1] }, []));
const plan = valueOf(planCampaign({ ...startingFile, repeats: 3, seeds: [1], blocks: 2 }, []));
const file = 'c.json';

test('a block has its own sessions, and all blocks have all', () => {
  const parts = [1, 2].map((block) => sessionsOfBlock(plan, { block, file }));
  expect(parts.map(({ length }) => length)).toEqual([8, 4]);
  expect(parts.flat()).toEqual(plan.sessions);
  expect(sessionsOfBlock(plan, { file })).toEqual(plan.sessions);
});

test('a block that there is not is one sentence', () => {
  expect(() => sessionsOfBlock(plan, { block: 3, file })).toThrow('--block 3: c.json has 2 blocks.');
  expect(() => sessionsOfBlock(without, { block: 1, file })).toThrow(
    '--block 1: c.json has no blocks; add "blocks": 2 to it, before it is played.',
  );
});
