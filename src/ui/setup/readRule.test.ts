import { expect, test } from 'vitest';
import { readSeed } from './readSeed.ts';
import { readSizes } from './readSizes.ts';
import { formatRuleText, splitRuleText } from './formatRule.ts';

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
  ['fixed:rung=3', { id: 'fixed', parameters: 'rung=3' }],
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
