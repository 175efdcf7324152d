import { expect, test } from 'vitest';
import {
  formatRuleText,
  mpdAddress,
  readOrigins,
  readProtection,
  readSeed,
  readSizes,
  splitRuleText,
} from './setup.ts';

const PAGE = 'https://pitwall.example/app/';

test.each([
  ['https://cdn.example/m.mpd', 'https://cdn.example/m.mpd'],
  ['  http://cdn.example/m.mpd ', 'http://cdn.example/m.mpd'],
  ['cdn.example/live/m.mpd', 'https://cdn.example/live/m.mpd'],
  ['cdn.example:8443/m.mpd', 'https://cdn.example:8443/m.mpd'],
  ['media/demo/manifest.mpd', 'https://pitwall.example/app/media/demo/manifest.mpd'],
  ['/demo/manifest.mpd', 'https://pitwall.example/demo/manifest.mpd'],
])('%s is %s', (typed, address) => expect(mpdAddress(typed, PAGE)).toEqual({ ok: true, value: address }));

test.each([
  ['', /Enter the address/],
  ['javascript:alert(1)', /begins with “javascript:”/],
  ['file:///etc/passwd', /begins with “file:”/],
  ['https://', /is not an address/],
  ['https://me:secret@cdn.example/m.mpd', /user name or password/],
])('"%s" is refused', (typed, why) => {
  const result = mpdAddress(typed, PAGE);
  expect(result.ok ? '' : result.error).toMatch(why);
});

const row = (origin: string, headers = '', credentials = false) => ({ origin, headers, credentials });

test('rows become headers and credentials by origin, empty rows are skipped', () => {
  const rows = [
    row('https://cdn.example/some/path', 'Authorization: Bearer a:b\n\nX-Key:1'),
    row(''),
    row('http://b.example', '', true),
  ];
  expect(readOrigins(rows)).toEqual({
    ok: true,
    value: {
      'https://cdn.example': { headers: { Authorization: 'Bearer a:b', 'X-Key': '1' } },
      'http://b.example': { credentials: true },
    },
  });
});

test.each([
  [row('cdn.example'), /not an origin/],
  [row('', 'X: 1'), /not an origin/],
  [row('https://cdn.example', 'no colon'), /“no colon” is not of the form/],
  [row('https://cdn.example', 'bad name: 1'), /not of the form/],
])('%j is refused', (bad, why) => {
  const result = readOrigins([bad]);
  expect(result.ok ? '' : result.error).toMatch(why);
});

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

const MPD = 'https://cdn.example/a/m.mpd?token=1';
const errorOf = (result: { ok: boolean; error?: string }): string => result.error ?? '';

test.each([
  ['', 'stream'],
  [' none ', 'none'],
  ['head', 'head'],
  ['sizes.json', { url: 'https://cdn.example/a/sizes.json' }],
  ['https://other.example/s.json', { url: 'https://other.example/s.json' }],
])('sizes "%s" come from %j', (typed, from) =>
  expect(readSizes(typed, MPD)).toEqual({ ok: true, value: from }),
);

test('sizes from anything but http are refused', () => {
  expect(errorOf(readSizes('javascript:alert(1)', MPD))).toContain('neither the address of a file');
});

test.each([
  ['', 1],
  ['0', 0],
  [' 42 ', 42],
])('seed "%s" is %i', (typed, seed) => expect(readSeed(typed)).toEqual({ ok: true, value: seed }));

test.each(['-1', '1.5', 'lucky', '1e3', '12345678901234567890'])('seed "%s" is refused', (typed) =>
  expect(errorOf(readSeed(typed))).toContain('whole number'),
);

test.each([
  ['bola', { id: 'bola', parameters: '' }],
  ['fixed:level=4', { id: 'fixed', parameters: 'level=4' }],
  ['bola:gp=5:bufferMaxMs=25000', { id: 'bola', parameters: 'gp=5:bufferMaxMs=25000' }],
])('%s is taken apart and put together again', (text, parts) => {
  expect(splitRuleText(text)).toEqual(parts);
  expect(formatRuleText(parts)).toBe(text);
});

test('parameters may be separated as people do', () => {
  expect(formatRuleText({ id: 'bola', parameters: ' gp=5, bufferMaxMs=25000 ' })).toBe(
    'bola:gp=5:bufferMaxMs=25000',
  );
});
