import { describe, expect, it } from 'vitest';
import { isProtected, refusalOf } from './manifestGuard.ts';

const mpd =
  '<?xml version="1.0"?><MPD><Period><AdaptationSet><Representation id="0"/></AdaptationSet></Period></MPD>';

describe('a manifest on its way to the parser', () => {
  it.each([
    ['an MPD', mpd],
    ['an MPD with a prefix', mpd.replaceAll('</', '</d:').replace(/<(?=[A-Z])/g, '<d:')],
    ['an MPD with a comment behind it', `${mpd}<!-- made by hand -->\n`],
    ['a patch', '<Patch mpdId="x"><add sel="/MPD"/></Patch>'],
    ['a remote period', '<MPD xmlns:xlink="x"><Period xlink:href="https://a.example/p"/></MPD>'],
    ['a byte order mark', `\uFEFF${mpd}`],
  ])('passes: %s', (_, text) => expect(refusalOf(text)).toBeNull());

  it.each([
    ['', /empty/],
    ['  \n', /empty/],
    ['{"a":1}', /not XML/],
    ['<html><body>no MPD here</body></html>', /no MPD element/],
    ['<!doctype html><html></html>', /document type/],
    [`<!DOCTYPE l [<!ENTITY a "&b;&b;">]>${mpd}`, /document type or entities/],
    [mpd.slice(0, -5), /cut off/],
    [mpd.slice(0, 60), /cut off/],
    ['<MPD></MPD>', /no period/],
    ['<MPD/>', /no period/],
    ['<MPD><Period></Period></MPD>', /empty ladder/],
    ['<SmoothStreamingMedia MajorVersion="2"></SmoothStreamingMedia>', /Smooth Streaming/],
    [`<MPD>${' '.repeat(30_000_001)}</MPD>`, /larger than 30 million/],
  ])('is refused with one sentence', (text, sentence) => {
    expect(refusalOf(text)).toMatch(sentence);
    expect(refusalOf(text)).toMatch(/^The .*\.$/);
  });

  it('tells whether it announces encryption', () => {
    expect(isProtected(mpd)).toBe(false);
    expect(isProtected('<MPD><ContentProtection schemeIdUri="urn:x"/></MPD>')).toBe(true);
  });
});
