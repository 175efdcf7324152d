import { expect, test } from 'vitest';
import { cpuTicksIn, processUse, residentBytesIn } from './processUse.ts';

test('reads processor time behind any name', () =>
  expect(cpuTicksIn('7 (a) (b c) S 1 7 7 0 -1 4194560 100 0 0 0 250 50 3 4 20 0 1 0 5')).toBe(300));

test('reads what is resident', () =>
  expect(residentBytesIn('VmPeak:\t 9 kB\nVmRSS:\t  2048 kB\n')).toBe(2 ** 21));

test.runIf(process.platform === 'linux')('agrees with Node about this process', () => {
  const [use, own] = [processUse(process.pid), process.memoryUsage().rss];
  expect(use.residentBytes / own).toBeGreaterThan(0.5);
  expect(use.residentBytes / own).toBeLessThan(2);
  expect(use.cpuSeconds).toBeLessThanOrEqual(
    process.cpuUsage().user / 1e6 + process.cpuUsage().system / 1e6 + 0.05,
  );
  expect(use.cpuSeconds).toBeGreaterThan(0);
});
