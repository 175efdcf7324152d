import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { PITWALL_VERSION } from './versions.ts';

test('the recorder is of the version that package.json says', () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  expect(PITWALL_VERSION).toBe(version);
});
