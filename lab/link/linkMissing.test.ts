import { expect, it } from 'vitest';
import type { Tools } from '../tools.ts';
import { linkMissing } from './linkMissing.ts';

const found: Tools = {
  ...{ chromium: null, caddy: null, ffmpeg: null, fontFile: null, tc: null, cacheFolder: null },
  ...{ nginx: null, apache: null, hypercorn: null, shakaPackager: null },
  ...{ ip: process.execPath, nft: process.execPath, rattan: process.execPath, origin: null },
  missing: {},
};
const able = process.platform === 'linux' && process.getuid?.() === 0;

if (able) {
  it('misses nothing where all is there', () => expect(linkMissing(found)).toBeNull());
  it('says what set-up said', () =>
    expect(linkMissing({ ...found, rattan: null, missing: { rattan: 'there is no cargo' } })).toBe(
      'an emulated link needs rattan, which is missing: there is no cargo',
    ));
  it('says when a tool went away since', () =>
    expect(linkMissing({ ...found, rattan: '/nowhere/rattan' })).toBe(
      'an emulated link needs rattan, which is missing: run "npm run setup" again',
    ));
} else {
  it('says that it needs Linux and root', () =>
    expect(linkMissing(found)).toMatch(/^an emulated link needs (Linux|root)/));
}
