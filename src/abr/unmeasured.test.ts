import { expect, it } from 'vitest';
import { ladderOf, momentOf } from './testMoments.ts';
import { unmeasured } from './unmeasured.ts';

it.each([
  { name: 'where the player starts', lastRung: 1, rung: 1 },
  { name: 'the lowest when nothing was requested', lastRung: null, rung: 0 },
  { name: 'inside a ladder that became shorter', lastRung: 5, rung: 1 },
])('an unmeasured path: $name', ({ lastRung, rung }) => {
  const answer = unmeasured(ladderOf(300, 800), momentOf({ lastRung }));
  expect(answer.rung).toBe(rung);
  expect(answer.values).toEqual({ estimateKbps: null });
});
