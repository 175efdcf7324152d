import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { requireTool, tools } from '../../tools.ts';
import { firefox } from './firefox.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const isSetUp = existsSync(path.join(root, '.pitwall', 'tools.json'));
const missing = isSetUp ? (tools().missing['firefox'] ?? null) : 'no set-up';

describe.skipIf(missing !== null)(`Firefox (${missing ?? 'this machine can'})`, () => {
  it.each([false, true])(
    'that was started with HappyEyeballsV3 %s says so',
    { timeout: 90_000 },
    async (isOn) => {
      const browser = await firefox.launch({
        executablePath: requireTool('firefox'),
        flags: firefox.racingFlags(isOn),
        spkiSha256Base64: null,
        hostRules: null,
      });
      try {
        expect(await firefox.readHappyEyeballs?.(browser.context)).toBe(isOn);
      } finally {
        await browser.close();
      }
    },
  );
});
