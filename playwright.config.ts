import { defineConfig } from '@playwright/test';

// The guard of a campaign in one spec takes the browsers of another for its own: both belong to the tests.
process.env['PITWALL_RUN_ROOT'] ??= String(process.pid);

/** End-to-end tests: real Chromium, real Caddy, real streams. They assert on session logs. */
export default defineConfig({
  testDir: 'e2e/specs',
  outputDir: 'test-results',
  globalSetup: './e2e/fixtures/globalSetup.ts',
  // Guards against a hang: a busy machine takes several times as long.
  timeout: 300_000,
  expect: { timeout: 30_000 },
  fullyParallel: false,
  // One browser at a time per core, and one more for specs that mostly wait (for a limit of seconds to pass). Specs that
  // play over links of their own run after those, two at a time: a linked session needs a quarter of a core, but not
  // beside a build. Specs that measure time run alone, after all others.
  workers: 3,
  retries: 0,
  forbidOnly: Boolean(process.env['CI']),
  reporter: [['list']],
  projects: [
    {
      name: 'behaviour',
      testMatch: '**/*.spec.ts',
      testIgnore: ['**/*.waiting.spec.ts', '**/*.linked.spec.ts', '**/*.alone.spec.ts'],
      workers: 2,
    },
    { name: 'waiting', testMatch: '**/*.waiting.spec.ts', workers: 1 },
    {
      name: 'linked',
      testMatch: '**/*.linked.spec.ts',
      dependencies: ['behaviour', 'waiting'],
      fullyParallel: true,
      workers: 2,
    },
    { name: 'alone', testMatch: '**/*.alone.spec.ts', dependencies: ['linked'], workers: 1 },
  ],
});
