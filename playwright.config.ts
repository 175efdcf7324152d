import { defineConfig } from '@playwright/test';

/** End-to-end tests: real Chromium, real Caddy, real streams. They assert on session logs. */
export default defineConfig({
  testDir: 'e2e/specs',
  outputDir: 'test-results',
  globalSetup: './e2e/fixtures/globalSetup.ts',
  timeout: 120_000,
  expect: { timeout: 15_000 },
  fullyParallel: false,
  // One browser at a time per core; specs that measure time run alone, in the second project.
  workers: 2,
  retries: 0,
  forbidOnly: Boolean(process.env['CI']),
  reporter: [['list']],
  projects: [
    { name: 'behaviour', testMatch: '**/*.spec.ts', testIgnore: '**/*.alone.spec.ts' },
    { name: 'alone', testMatch: '**/*.alone.spec.ts', dependencies: ['behaviour'], workers: 1 },
  ],
});
