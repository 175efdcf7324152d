import { defineConfig } from 'vitest/config';

export default defineConfig({
  define: { __PITWALL_VERSION__: JSON.stringify('0.0.0-test') },
  test: {
    include: [
      'src/**/*.test.ts',
      'lab/**/*.test.ts',
      'cli/**/*.test.ts',
      'bench/**/*.test.ts',
      'setup/**/*.test.ts',
      'e2e/**/*.test.ts',
    ],
    testTimeout: 20_000,
  },
});
