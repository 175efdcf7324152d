import { describe, expect, test } from 'vitest';
import { waitingFacts, waitingReason } from './waiting.ts';

const NOW = Date.parse('2026-11-01T12:00:00Z');
const reasonFor = (mpd: string) => waitingReason(waitingFacts(mpd), NOW);
const mpd = (attributes: string, inside = '') =>
  `<?xml version="1.0"?>\n<MPD ${attributes}>${inside}<Period/></MPD>`;

describe('what a player waits for that asks for nothing', () => {
  test.each([
    [mpd('type="static"', '<BaseURL>javascript:alert(1)//</BaseURL>'), /begin with "javascript:"/],
    [mpd('type="static"', '<BaseURL serviceLocation="a">\n FILE:///etc/</BaseURL>'), /begin with "FILE:"/],
    [mpd('', '<SegmentTemplate media="ftp://a.test/$Number$.m4s"/>'), /begin with "ftp:"/],
    [mpd('mediaPresentationDuration="-PT10S"'), /lasts -PT10S: there is nothing to play/],
  ])('without hope: %s', (text, sentence) => {
    expect(reasonFor(text)).toMatchObject({ isHopeless: true, sentence: expect.stringMatching(sentence) });
  });

  test.each([
    [
      mpd('type="dynamic" availabilityStartTime="2030-01-01T00:00:00Z"'),
      /has not begun: its manifest is available from 2030-01-01T00:00:00\.000Z/,
    ],
    [mpd('type="dynamic" availabilityStartTime="2020-01-01T00:00:00Z"'), /asks for no segment/],
    [mpd('type="static" availabilityStartTime="2030-01-01T00:00:00Z"'), /asks for no segment/],
    [mpd('', '<BaseURL>https://a.test/x:y/</BaseURL><BaseURL>v/a:b/</BaseURL>'), /asks for no segment/],
    [mpd('', '<SegmentTemplate media="video/$RepresentationID$/$Number$.m4s"/>'), /asks for no segment/],
  ])('with some: %s', (text, sentence) => {
    expect(reasonFor(text)).toMatchObject({ isHopeless: false, sentence: expect.stringMatching(sentence) });
  });

  test('without a manifest nothing is known', () =>
    expect(waitingReason(null, NOW)).toMatchObject({ isHopeless: false }));
});
