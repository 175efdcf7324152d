import { test } from '@playwright/test';
import { isPlayed, playCell } from './playCell.ts';
import { readPlan, titleOf } from './plan.ts';
import { NOT_SHOWN } from './progress/sessionWords.ts';
import { recordSession } from './recordSession.ts';
import { whyNotPlayed } from '../../../src/analysis/timeline/played.ts';

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
        const why = whyNotPlayed(await playCell(plan, cell, recordSession));
        if (why !== null) test.info().annotations.push({ type: NOT_SHOWN, description: why });
      });
  });
