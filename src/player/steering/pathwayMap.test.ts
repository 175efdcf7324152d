import { describe, expect, test } from 'vitest';
import { createDeclaredMap, createPathwayMap, declaredPathways } from './pathwayMap.ts';
import { readPathways } from './pathways.ts';

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

test('between two pathways of which one has a folder, the folder of the MPD is replaced', () => {
  const map = mapWith('one=https://one.example', 'two=https://two.example/other');
  expect(map.to('https://one.example/show/one/v/1.m4s', 'two', false)).toBe(
    'https://two.example/other/v/1.m4s',
  );
  expect(map.to('https://two.example/other/v/1.m4s', 'one', false)).toBe(
    'https://one.example/show/one/v/1.m4s',
  );
});

describe('the BaseURL elements of an MPD', () => {
  const A = { url: 'https://a.example/show/', serviceLocation: 'alpha' };
  const TCP = { url: 'https://tcp.example/x/show/', serviceLocation: 'tcp' };

  test('are pathways in their order; the id says what they carry', () => {
    expect(declaredPathways([A, TCP])).toEqual([
      { id: 'alpha', base: 'https://a.example/show', carries: 'any' },
      { id: 'tcp', base: 'https://tcp.example/x/show', carries: 'tcp' },
    ]);
  });

  test.each([
    ['one alone', [A]],
    ['one without a name', [A, { url: 'https://b.example/', serviceLocation: 'https://b.example/' }]],
    ['two of one name', [A, { ...TCP, serviceLocation: 'alpha' }]],
    ['two of one address', [A, { ...A, serviceLocation: 'tcp' }]],
    ['one that is no web address', [A, { url: 'ftp://b.example/', serviceLocation: 'tcp' }]],
    ['one that has not been resolved', [A, { url: 'video/', serviceLocation: 'tcp' }]],
  ])('are none: %s', (_, baseUrls) => expect(declaredPathways(baseUrls)).toEqual([]));

  test('replace each other, whichever dash.js chose', () => {
    const map = createDeclaredMap(declaredPathways([A, TCP]));
    const [one, other] = ['https://a.example/show/v/1.m4s?a=1', 'https://tcp.example/x/show/v/1.m4s?a=1'];
    expect([map.of(one), map.of(other), map.of('https://c.example/1.m4s')]).toEqual(['alpha', 'tcp', null]);
    expect(map.to(one, 'tcp', true)).toBe(other);
    expect(map.to(other, 'alpha', true)).toBe(one);
    expect(map.to(one, 'alpha', true)).toBe(one);
    expect(map.to('https://c.example/1.m4s', 'tcp', true)).toBe('https://c.example/1.m4s');
  });

  test('of which one begins like another are not mixed up', () => {
    const inner = { url: 'https://a.example/show/tcp/', serviceLocation: 'tcp' };
    const map = createDeclaredMap(declaredPathways([A, inner]));
    expect(map.of('https://a.example/show/tcp/1.m4s')).toBe('tcp');
    expect(map.to('https://a.example/show/tcp/1.m4s', 'alpha', true)).toBe('https://a.example/show/1.m4s');
  });

  test('name a file, whose folder counts', () => {
    const file = (host: string, id: string) => ({ url: `https://${host}/v.mp4`, serviceLocation: id });
    expect(
      declaredPathways([file('a.example', 'a'), file('b.example', 'b')]).map(({ base }) => base),
    ).toEqual(['https://a.example', 'https://b.example']);
  });
});
