import { describe, expect, test } from 'vitest';
import { createPathwayMap, readPathway, readPathways } from './pathways.ts';

const MPD = 'https://cdn.example/show/one/manifest.mpd?token=1';

const mapWith = (...texts: string[]) => {
  const given = readPathways(texts);
  if (!given.ok) throw new Error(given.error);
  return createPathwayMap(MPD, given.value);
};

describe('a file over another pathway', () => {
  test.each([
    ['tcp=https://tcp.example', 'https://tcp.example/show/one/v/1.m4s'],
    ['tcp=https://tcp.example:8444/', 'https://tcp.example:8444/show/one/v/1.m4s'],
    ['tcp=https://tcp.example/other', 'https://tcp.example/other/v/1.m4s'],
  ])('%s', (text, expected) => {
    const map = mapWith(text);
    const url = 'https://cdn.example/show/one/v/1.m4s';
    expect(map.of(url)).toBe('main');
    expect(map.to(url, 'tcp', false)).toBe(expected);
    expect(map.of(expected)).toBe('tcp');
    expect(map.to(expected, 'main', false)).toBe(url);
  });

  test('keeps its query only where that may be', () => {
    const url = 'https://cdn.example/show/one/1.m4s?signature=a/b?c';
    const map = mapWith('tcp=https://tcp.example');
    expect(map.to(url, 'tcp', true)).toBe('https://tcp.example/show/one/1.m4s?signature=a/b?c');
    expect(map.to(url, 'tcp', false)).toBe('https://tcp.example/show/one/1.m4s');
    expect(map.to(url, 'main', false)).toBe(url);
  });

  test('keeps CMCD, which is the player’s own', () => {
    const url = 'https://cdn.example/show/one/1.m4s?token=1&CMCD=br%3D300%2Csid%3D%22x%22&v=2';
    expect(mapWith('tcp=https://tcp.example').to(url, 'tcp', false)).toBe(
      'https://tcp.example/show/one/1.m4s?CMCD=br%3D300%2Csid%3D%22x%22',
    );
  });

  test('of another server stays where it is', () => {
    const url = 'https://ads.example/1.m4s';
    const map = mapWith('tcp=https://tcp.example');
    expect(map.of(url)).toBeNull();
    expect(map.to(url, 'tcp', true)).toBe(url);
  });

  test('outside the folder that a pathway replaces stays where it is', () => {
    const url = 'https://cdn.example/elsewhere/1.m4s';
    expect(mapWith('tcp=https://tcp.example/other').to(url, 'tcp', true)).toBe(url);
  });

  test('of a host whose name begins like another is not taken for it', () => {
    expect(mapWith('tcp=https://tcp.example').of('https://cdn.example.evil/1.m4s')).toBeNull();
  });
});

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
