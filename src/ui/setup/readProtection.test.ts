import { expect, test } from 'vitest';
import { readProtection } from './readProtection.ts';

test('nothing is no protection, an object by key system is taken', () => {
  expect(readProtection(' ')).toEqual({ ok: true, value: null });
  const settings = { 'com.widevine.alpha': { serverURL: 'https://licence.example' } };
  expect(readProtection(JSON.stringify(settings))).toEqual({ ok: true, value: settings });
});

test.each([
  ['{', /not JSON/],
  ['[]', /should be an object/],
  ['"x"', /should be an object/],
  ['{"com.widevine.alpha":"https://licence.example"}', /“com.widevine.alpha” should be an object/],
])('%s is refused', (text, why) => {
  const result = readProtection(text);
  expect(result.ok ? '' : result.error).toMatch(why);
});
