import { defineConfig } from '@playwright/test';
import { readPlan } from './plan.ts';

const { seconds, outDir } = readPlan();

/** One session is one test: `--shard`, `--workers` and `--retries` are Playwright's own. */
export default defineConfig({
  testDir: '.',
  testMatch: 'compare.spec.ts',
  outputDir: `${outDir}/.playwright`,
  timeout: seconds * 1000 + 120_000,
  fullyParallel: true,
  // Sessions that share two cores and a loopback disturb each other; asking for more workers is the user's choice.
  workers: 1,
  retries: 0,
  reporter: [['list']],
});
