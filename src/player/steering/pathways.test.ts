import { expect, test } from 'vitest';
import { readPathway, readPathways } from './pathways.ts';

test('the id says what a pathway carries', () => {
  expect(readPathway('tcp=https://a.example')).toMatchObject({ ok: true, value: { carries: 'tcp' } });
  expect(readPathway('tcp-2=https://a.example')).toMatchObject({ ok: true, value: { carries: 'tcp' } });
  expect(readPathway('backup=https://a.example')).toMatchObject({ ok: true, value: { carries: 'any' } });
});

test.each([
  ['https://a.example', 'The pathway “https://a.example” is not of the form tcp=https://tcp.cdn.example.'],
  [
    'A=https://a.example',
    'The pathway “A=https://a.example” has no id of small letters, digits and hyphens before the “=”.',
  ],
  ['main=https://a.example', 'The pathway “main” is that of the MPD: give this one another id.'],
  [
    'tcp=a.example',
    'The pathway tcp leads to “a.example”, which is not an address such as https://tcp.cdn.example.',
  ],
  [
    'tcp=javascript:1',
    'The pathway tcp leads to “javascript:1”, which is not an address such as https://tcp.cdn.example.',
  ],
  [
    'tcp=https://u:p@a.example',
    'The pathway tcp is a server, or a folder of one: “https://u:p@a.example” says more.',
  ],
])('%s is refused', (text, error) => {
  expect(readPathway(text)).toEqual({ ok: false, error });
});

test('two pathways of one id are refused', () => {
  expect(readPathways(['tcp=https://a.example', 'tcp=https://b.example'])).toEqual({
    ok: false,
    error: 'There are two pathways “tcp”.',
  });
});
