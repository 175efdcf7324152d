import { describe, expect, test } from 'vitest';
import { mpdFault } from './mpdFault.ts';

const mpd = (inside: string): string =>
  `<?xml version="1.0"?><MPD mediaPresentationDuration="PT1H"><Period><AdaptationSet>${inside}</AdaptationSet></Period></MPD>`;
const template = (attributes: string, inside = ''): string =>
  mpd(`<SegmentTemplate ${attributes}>${inside}</SegmentTemplate>`);

describe('an MPD is read', () => {
  test.each([
    ['with a template of 2 s', template('duration="2000" timescale="1000"')],
    ['with a timeline that repeats', template('', '<SegmentTimeline><S d="2" r="1799"/></SegmentTimeline>')],
    ['with a timeline to the end', template('', '<SegmentTimeline><S d="2" r="-1"/></SegmentTimeline>')],
    [
      'with 60,000 segments in each of two sets',
      template('duration="0.06"').replace(
        '</AdaptationSet>',
        '</AdaptationSet><AdaptationSet><SegmentTemplate duration="0.06"/></AdaptationSet>',
      ),
    ],
  ])('%s', (_what, text) => expect(mpdFault(text)).toBeNull());
});

describe('an MPD is refused', () => {
  test.each([
    ['that is cut off', mpd('').slice(0, -12), /unclosed tag|end/i],
    ['that is a web page', '<!DOCTYPE html><html></html>', /document type/],
    ['with entities', '<!DOCTYPE MPD [<!ENTITY a "b">]><MPD>&a;</MPD>', /document type/],
    ['that is deeper than any', mpd('<a>'.repeat(200) + '</a>'.repeat(200)), /more than 100 deep/],
    [
      'whose template would never end',
      template('duration="1" timescale="100000"'),
      /100000 segments in SegmentTemplate/,
    ],
    [
      'whose timeline would never end',
      template('', '<SegmentTimeline><S d="1" r="100000000"/></SegmentTimeline>'),
      /100000 segments in S$/,
    ],
    [
      'whose last entry fills an hour',
      template('timescale="1000000"', '<SegmentTimeline><S d="1" r="-1"/></SegmentTimeline>'),
      /100000 segments in S$/,
    ],
  ])('%s', (_what, text, fault) => expect(mpdFault(text)).toMatch(fault));
});
