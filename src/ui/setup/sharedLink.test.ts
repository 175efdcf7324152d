import { expect, test } from 'vitest';
import { linkedSetup, needsOtherPlayer, sharedLink } from './sharedLink.ts';

const PAGE = 'https://pitwall.example/app/?old=1#stack';
const SETUP = {
  mpd: 'https://cdn.example/a b/m.mpd?x=1&y=2#z',
  player: '',
  rule: 'bola',
  preset: 'experiment',
  cmcd: 'off',
  sizes: '',
  seed: '1',
  weights: '',
  pathways: '',
  steering: '',
  viewer: '',
  split: '',
};

test('a link leads back to the same set-up, whatever the MPD address holds', () => {
  const link = sharedLink(PAGE, SETUP);
  expect(linkedSetup(new URL(link).search)).toEqual({
    mpd: SETUP.mpd,
    player: null,
    rule: 'bola',
    preset: 'experiment',
    cmcd: null,
    sizes: null,
    seed: null,
    weights: null,
    pathways: null,
    steering: null,
    viewer: null,
    split: null,
    autoplay: null,
  });
});

test('the link stays readable and drops what the page had in its own query', () => {
  const link = sharedLink(PAGE, { ...SETUP, mpd: 'https://cdn.example/m.mpd' });
  expect(link).toBe('https://pitwall.example/app/?mpd=https://cdn.example/m.mpd&rule=bola&preset=experiment');
});

test('CMCD goes along when it is on', () => {
  expect(sharedLink(PAGE, { ...SETUP, cmcd: 'v2-query' })).toContain('&cmcd=v2-query');
});

test('what the rule needs goes along: parameters, sizes, seed, weights', () => {
  const asked = {
    ...SETUP,
    rule: 'fixed:level=4',
    sizes: 'sizes.json',
    seed: '7',
    weights: 'https://a.example/w.json?v=1',
  };
  const link = sharedLink(PAGE, asked);
  expect(link).toContain('&rule=fixed:level=4&');
  expect(linkedSetup(new URL(link).search)).toMatchObject({
    ...asked,
    player: null,
    cmcd: null,
    pathways: null,
    steering: null,
    viewer: null,
    split: null,
  });
});

test('a viewer’s script goes along', () => {
  const asked = { viewer: 'position-40:seek-to-100,time-60:pause-35' };
  const link = sharedLink(PAGE, { ...SETUP, ...asked });
  expect(linkedSetup(new URL(link).search)).toMatchObject(asked);
});

test('the ranges of a segment go along where there are several', () => {
  const page = sharedLink(PAGE, { ...SETUP, split: '6' });
  expect(linkedSetup(new URL(page).search)).toMatchObject({ split: '6' });
  expect(sharedLink(PAGE, { ...SETUP, split: '1' })).not.toContain('split');
});

test('pathways and their policy go along, one parameter each', () => {
  const asked = {
    pathways: 'tcp=https://tcp.example\nbackup=https://b.example/x',
    steering: 'fixed:pathway=tcp',
  };
  const link = sharedLink(PAGE, { ...SETUP, ...asked });
  expect(link).toContain('&pathway=tcp=https://tcp.example&pathway=backup=https://b.example/x');
  expect(linkedSetup(new URL(link).search)).toMatchObject(asked);
});

test.each([
  ['', null],
  ['?autoplay=1', 'muted'],
  ['?autoplay=muted', 'muted'],
  ['?autoplay=0', 'off'],
  ['?autoplay=', null],
])('autoplay of "%s" is %s', (search, autoplay) => expect(linkedSetup(search).autoplay).toBe(autoplay));

test.each([
  ['https://cdn.example/main.m3u8', null, true],
  ['https://cdn.example/main.M3U8?token=1', '', true],
  ['https://cdn.example/m.mpd', 'shaka', true],
  ['https://cdn.example/m.mpd', 'dashjs', false],
  ['https://cdn.example/m.mpd?next=main.m3u8x', null, false],
  [null, null, false],
])('%s with the player %s needs another player: %s', (address, player, needed) => {
  expect(needsOtherPlayer(address, player)).toBe(needed);
  if (address === null || player === null) return;
  const link = new URL(sharedLink(PAGE, { ...SETUP, mpd: address, player }));
  expect(linkedSetup(link.search)).toMatchObject({ mpd: address, player: player || null });
});
