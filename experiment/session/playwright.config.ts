import path from 'node:path';
import { defineConfig } from '@playwright/test';
import { joinLimitMs, PLAN_VARIABLE, readPlan } from './plan.ts';
import { LONGEST_WAIT_MS } from './takeTurn.ts';
import { MAX_REPEATS } from '../design/failure.ts';

const { seconds, groups } = readPlan();
/** `.ts`, and `.mjs` in the npm package. */
const end = path.extname(import.meta.filename);
/** A session that fails may have to play those before it in its pair again. */
const sessionsOfPair = Math.max(1, ...groups.map(({ isPair, cells }) => (isPair ? cells.length : 1)));
const longestJoinMs = groups
  .flatMap(({ cells }) => cells)
  .reduce((longestMs, cell) => Math.max(longestMs, joinLimitMs(cell)), 0);

/** One session is one test: `--shard` and `--workers` are Playwright's own. */
export default defineConfig({
  testDir: '.',
  testMatch: `compare.spec${end}`,
  // Playwright empties it at its start; shards may share the folder of the logs.
  outputDir: path.join(path.dirname(process.env[PLAN_VARIABLE]!), 'results'),
  // Every try waits for its turn, starts a browser and waits for the first frame.
  timeout: (1 + MAX_REPEATS) * sessionsOfPair * (LONGEST_WAIT_MS + longestJoinMs + seconds * 1000 + 60_000),
  fullyParallel: true,
  // Sessions that share two cores and a loopback disturb each other; asking for more workers is the user's choice.
  workers: 1,
  // Playwright cannot tell the laboratory's failures from outcomes: `playCell` repeats pairs and sessions that may be.
  retries: 0,
  reporter: [[`./progress/progressReporter${end}`]],
});
