import { expect, test } from 'vitest';
import { controllerMissing, instrumentedMissing } from './instrumentedMissing.ts';

test('an origin that was not built is missed in a sentence', () => {
  const why = 'there is no cargo';
  expect(instrumentedMissing({ origin: null, missing: { origin: why } })).toBe(
    `the instrumented origin is missing: ${why}`,
  );
  expect(instrumentedMissing({ origin: '/no/such/program', missing: {} })).toMatch(
    /^the instrumented origin .+ run "npm run setup" again/,
  );
  expect(instrumentedMissing({ origin: process.execPath, missing: {} })).toBeNull();
});

test.runIf(process.platform === 'linux')('so is a controller that the kernel has not', () => {
  expect(controllerMissing('warp')).toMatch(
    /^the kernel has no TCP controller warp, only .*\breno\b.* \("modprobe tcp_warp" as root may add it\)$/,
  );
  // Every kernel has it, and lets everyone take it.
  expect(controllerMissing('reno', { isRoot: false })).toBeNull();
});
