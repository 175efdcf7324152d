import { describe, expect, it } from 'vitest';
import { isProtected, refusalOf } from './manifestGuard.ts';

const mpd =
  '<?xml version="1.0"?><MPD><Period><AdaptationSet><Representation id="0"/></AdaptationSet></Period></MPD>';

/** Three representations a period; `more`: what is added to their bitrates, as where those are measured. */
function periodsOf(count: number, more: (period: number) => number): string {
  const periods = Array.from({ length: count }, (_, period) => {
    const rungs = [100_000, 250_000, 500_000].map(
      (rate, rung) =>
        `<Representation id="v${rung}" bandwidth="${rate + more(period)}" startWithSAP="${period}"/>`,
    );
    return `<Period><AdaptationSet mimeType="video/mp4">${rungs.join('')}</AdaptationSet></Period>`;
  });
  return `<MPD>${periods.join('')}</MPD>`;
}

/** Makes a manifest that repeats its representations, as two periods have them. */
function ladderOf(count: number, times = 2): string {
  const rungs = Array.from(
    { length: count },
    (_, rung) => `<Representation id="v${rung}" bandwidth="${1000 + rung}"/>`,
  );
  const again = rungs.map((rung) => rung.replace('id="', 'id="again-'));
  return `<MPD><Period><AdaptationSet>${rungs.join('')}${again.join('').repeat(times - 1)}</AdaptationSet></Period></MPD>`;
}

describe('a manifest on its way to the parser', () => {
  it.each([
    ['an MPD', mpd],
    ['many representations', ladderOf(2000)],
    ['700 periods with three bitrates of their own', periodsOf(700, (period) => period * 17)],
    ['10,000 periods alike', periodsOf(10_000, () => 0)],
    ['an MPD that mentions HTML', mpd.replace('<Period>', '<Period><!-- <html> -->')],
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
    ['<rss><body>no MPD here</body></rss>', /no MPD element/],
    ['<html><body>no MPD here</body></html>', /web page \(HTML\), not a manifest/],
    ['\n<!doctype html>\n<html lang="en"></html>', /web page \(HTML\), not a manifest/],
    [
      '<?xml version="1.0"?><!DOCTYPE html PUBLIC "x" "y"><html xmlns="z"/>',
      /web page \(HTML\), not a manifest/,
    ],
    ['#EXTM3U\n#EXT-X-VERSION:3\n', /HLS, not DASH/],
    [ladderOf(5000), /has 10000 representations of 5000 kinds .* longer than 5 s\.$/],
    [ladderOf(2000, 20), /has 40000 representations of 2000 kinds/],
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
