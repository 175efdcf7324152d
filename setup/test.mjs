// `npm test`: set-up, then every test; closes with one plain line that sums the runners.
//   npm test            all      npm test -- unit      Vitest      npm test -- e2e      Playwright
import { mkdirSync } from 'node:fs';
import { runChecks } from './check.mjs';
import { playwrightStages, reportsFolder, runPlaywright, runVitest, sumCounts } from './testRunners.mjs';

const [which = 'all', ...rest] = process.argv.slice(2);
const { root, setUp } = await import('./setup.mjs');

const RUNNERS = {
  unit: () => [runVitest(root, { args: rest })],
  // Specs that are named are played alone: those that measure time would first play all others.
  e2e: () => (rest.length > 0 ? [rest] : playwrightStages).map((args) => runPlaywright(root, { args })),
};

async function main() {
  if (which !== 'all' && !(which in RUNNERS))
    throw new Error(`"${which}" is no part of the tests: say unit, e2e or nothing`);
  await setUp({ forTests: true });
  mkdirSync(reportsFolder(root), { recursive: true });
  const all = [];
  if (process.env.CI === 'true' && which === 'all') all.push({ ...runChecks(), skipped: 0 });
  for (const [name, start] of Object.entries(RUNNERS))
    if (which === 'all' || which === name) all.push(...start());
  for (const title of all.flatMap(({ skips = [] }) => skips))
    process.stdout.write(`test: skipped ${title}\n`);
  for (const title of all.flatMap(({ failures = [] }) => failures))
    process.stdout.write(`test: FAILED ${title}\n`);
  return sumCounts(all);
}

try {
  const { passed, failed, skipped } = await main();
  process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
  process.stdout.write(`\n${passed} passed, ${failed} failed, ${skipped} skipped\n`);
} catch (error) {
  process.stderr.write(`test: ${error.message}\n`);
  process.stdout.write('\n0 passed, 1 failed, 0 skipped\n');
  process.exitCode = 1;
}
