import { test } from '@playwright/test';
import { readPlan } from './plan.ts';
import { recordSession } from './recordSession.ts';

const plan = readPlan();

for (const cell of plan.cells) {
  test(`${cell.rule} over ${cell.transport}`, async () => {
    await recordSession(plan, cell);
  });
}
