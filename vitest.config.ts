import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/** Tests that hold links, origins and a busy machine to the clock: they run by themselves, one file after the other. */
const timed = ['lab/{link,origin,machine}/**/*.test.ts'];

export default defineConfig({
  define: { __PITWALL_VERSION__: JSON.stringify('0.0.0-test') },
  test: {
    // Guards against a hang: how fast something is, benches say. A busy machine takes several times as long.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'together',
          include: [
            '{src,experiment,trial,node,lab,cli,bench,baseline,setup,e2e,packages,research}/**/*.test.ts',
          ],
          exclude: timed,
          // Vitest leaves one core free, which of two is half of the machine.
          maxWorkers: Math.max(2, availableParallelism() - 1),
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: { name: 'alone', include: timed, maxWorkers: 1, sequence: { groupOrder: 1 } },
      },
    ],
  },
});
