import { test } from '@playwright/test';
import { beginApart } from './beginApart.ts';
import { isPlayed } from './isPlayed.ts';
import { readPlan, type CompareCell } from './plan.ts';
import { playCell } from './playCell.ts';

const plan = readPlan();

// Every shard and every resumed run sees the same list: what is finished is skipped, not left out, because Playwright
// cuts the list into shards by counting.
for (const { name, isPair, cells } of plan.groups)
  test.describe(name, () => {
    // In one worker, one after the other; Playwright keeps such a group in one shard.
    test.describe.configure({ mode: isPair ? 'default' : 'parallel' });
    for (const cell of cells)
      test(titleOf(cell), async () => {
        test.skip(await isPlayed(plan, cell), 'it has a log already');
        await beginApart(test.info().parallelIndex);
        await playCell(plan, cell);
      });
  });

/** Playwright takes each title once in a group. */
function titleOf({ rule, transport, controller }: CompareCell): string {
  const by = controller === undefined ? '' : ` by ${controller}`;
  return `${rule} over ${transport}${by}`;
}
