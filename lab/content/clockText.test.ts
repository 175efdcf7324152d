import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { clockText } from './clockText.ts';

describe('clockText', () => {
  test.each([-15, 0, 15])(
    'an answer asked for %s ms after a whole second waits until it is clear of it',
    async (fromMs) => {
      await sleep(1000 - ((Date.now() - fromMs) % 1000));
      const beforeUnixMs = Date.now();
      const unixMs = Date.parse(await clockText());
      expect(unixMs).toBeGreaterThanOrEqual(beforeUnixMs);
      expect(Math.min(unixMs % 1000, 1000 - (unixMs % 1000))).toBeGreaterThan(10);
    },
  );
});
