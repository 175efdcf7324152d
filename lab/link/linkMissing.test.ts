import { expect, it } from 'vitest';
import type { Tools } from '../tools.ts';
import { linkMissing } from './linkMissing.ts';

const found: Tools = {
  chromium: null,
  firefox: null,
  caddy: null,
  ffmpeg: null,
  fontFile: null,
  tc: null,
  cacheFolder: null,
  nginx: null,
  apache: null,
  hypercorn: null,
  shakaPackager: null,
  ip: process.execPath,
  nft: process.execPath,
  rattan: process.execPath,
  origin: null,
  missing: {},
};

it.each(['root', 'user-namespace'] as const)('misses nothing where all is there: %s', (kind) =>
  expect(linkMissing(found, { kind })).toBeNull(),
);
it('says what set-up said', () =>
  expect(
    linkMissing({ ...found, rattan: null, missing: { rattan: 'there is no cargo' } }, { kind: 'root' }),
  ).toBe('an emulated link needs rattan, which is missing: there is no cargo'));
it('says when a tool went away since', () =>
  expect(linkMissing({ ...found, rattan: '/nowhere/rattan' }, { kind: 'root' })).toBe(
    'an emulated link needs rattan, which is missing: run "npm run setup" again',
  ));
it('says why there are no namespaces', () =>
  expect(linkMissing(found, { kind: 'none', why: 'network namespaces need Linux' })).toBe(
    'no link can be emulated here: network namespaces need Linux',
  ));
