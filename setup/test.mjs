// `npm test`: set-up, then every test; closes with one plain line that sums the runners.
//   npm test            all      npm test -- unit      Vitest      npm test -- e2e      Playwright
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { runChecks } from './check.mjs';
import { playwrightCounts, sumCounts, vitestCounts } from './testCounts.mjs';

const [which = 'all', ...rest] = process.argv.slice(2);
const { root, setUp } = await import('./setup.mjs');
const reports = path.join(root, '.pitwall', 'reports');

const RUNNERS = {
  unit: () =>
    runner('vitest', {
      args: [
        'vitest/vitest.mjs',
        'run',
        '--reporter=default',
        '--reporter=json',
        `--outputFile.json=${path.join(reports, 'vitest.json')}`,
      ],
      counts: vitestCounts,
    }),
  e2e: () =>
    runner('playwright', {
      args: ['@playwright/test/cli.js', 'test', '--reporter=list,json'],
      environment: { PLAYWRIGHT_JSON_OUTPUT_NAME: path.join(reports, 'playwright.json') },
      counts: playwrightCounts,
    }),
};

function runner(name, { args: [script, ...args], environment = {}, counts }) {
  const report = path.join(reports, `${name}.json`);
  rmSync(report, { force: true });
  const program = path.join(root, 'node_modules', script);
  const { status } = spawnSync(process.execPath, [program, ...args, ...rest], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...environment },
  });
  const found = existsSync(report)
    ? counts(JSON.parse(readFileSync(report, 'utf8')))
    : { passed: 0, failed: 0, skipped: 0 };
  // A runner that ends badly without a failed test (a crash, no tests at all) is a failure itself.
  return status !== 0 && found.failed === 0 ? { ...found, failed: 1 } : found;
}

async function main() {
  if (which !== 'all' && !(which in RUNNERS))
    throw new Error(`"${which}" is no part of the tests: say unit, e2e or nothing`);
  await setUp();
  mkdirSync(reports, { recursive: true });
  const all = [];
  if (process.env.CI === 'true' && which === 'all') all.push({ ...runChecks(), skipped: 0 });
  for (const [name, start] of Object.entries(RUNNERS))
    if (which === 'all' || which === name) all.push(start());
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
