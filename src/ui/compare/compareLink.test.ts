import { describe, expect, test } from 'vitest';
import { isCompareLink } from '../setup/sharedLink.ts';
import { readCompareLink, writeCompareLink } from './compareLink.ts';

const nothing = { logs: [], lists: [], reference: null, view: null, alignment: null, range: null };

test('a link is read as it was written', () => {
  const link = {
    logs: ['runs/a b.json', 'https://x.test/b.json?sig=1&n=2'],
    lists: ['logs.txt'],
    reference: 'B',
    view: 'arms',
    alignment: 'wall',
    range: { fromMs: 12_500, toMs: 60_000 },
  } as const;
  const query = writeCompareLink(link);
  expect(query).toBe(
    'logs=logs.txt&log=runs/a%20b.json&log=https://x.test/b.json%3Fsig=1%26n=2&ref=B&view=arms&align=wall&from=12.5&to=60',
  );
  expect(readCompareLink(`?${query}`)).toEqual(link);
});

test('what is usual is not said', () =>
  expect(writeCompareLink({ ...nothing, logs: ['a.json'], reference: 'A' })).toBe('log=a.json'));

test('what was chosen is said, also where it is usual', () =>
  expect(writeCompareLink({ ...nothing, view: 'sessions', alignment: 'playback' })).toBe(
    'compare&view=sessions&align=playback',
  ));

test('without an address there is still the view', () => {
  expect(writeCompareLink(nothing)).toBe('compare');
  expect(isCompareLink('?compare')).toBe(true);
});

describe('what makes no sense counts as absent', () => {
  test.each([
    ['?ref=7&view=wide&align=moon'],
    ['?from=9&to=3'],
    ['?from=&to='],
    ['?from=-1&to=4'],
    ['?from=a&to=b'],
    ['?log=&logs=%20'],
  ])('%s', (search) => expect(readCompareLink(search)).toEqual(nothing));
});

test.each([
  ['', false],
  ['?mpd=https://x.test/log=1.mpd', false],
  ['?logger=1', false],
  ['?log=a.json', true],
  ['?x=1&logs=a', true],
])('%s asks for the view: %s', (search, asks) => expect(isCompareLink(search)).toBe(asks));
