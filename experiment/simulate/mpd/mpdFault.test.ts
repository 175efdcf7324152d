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
      'with a template in ticks of its set',
      template(
        'timescale="90000"',
        '</SegmentTemplate><Representation><SegmentTemplate duration="180000"/></Representation><SegmentTemplate>',
      ),
    ],
    [
      'with 60,000 segments in each of two sets',
      template('duration="0.06"').replace(
        '</AdaptationSet>',
        '</AdaptationSet><AdaptationSet><SegmentTemplate duration="0.06"/></AdaptationSet>',
      ),
    ],
    [
      'with a day in 2 s at eleven levels, in a hundred periods',
      `<MPD mediaPresentationDuration="P1D">${Array.from(
        { length: 100 },
        (_, place) =>
          `<Period start="PT${864 * place}S"><AdaptationSet><SegmentTemplate duration="2"/>${'<Representation/>'.repeat(11)}</AdaptationSet></Period>`,
      ).join('')}</MPD>`,
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
    [
      'whose rate comes from the set and from the period',
      `<MPD mediaPresentationDuration="PT1H"><Period><SegmentTemplate timescale="1000000"/><AdaptationSet><SegmentTemplate duration="9"/>
      <Representation><SegmentTemplate media="a"/></Representation></AdaptationSet></Period></MPD>`,
      /100000 segments in SegmentTemplate/,
    ],
    [
      'whose entry has the timescale of the set',
      template(
        'timescale="1000000"',
        '</SegmentTemplate><Representation><SegmentTemplate><SegmentTimeline><S d="1" r="-1"/></SegmentTimeline></SegmentTemplate></Representation><SegmentTemplate>',
      ),
      /100000 segments in S$/,
    ],
    ...['1x', '1e9', 'PT1S'].map((duration) => [
      `with the duration ${duration}`,
      template(`duration="${duration}" timescale="100000"`),
      /100000 segments in SegmentTemplate/,
    ]),
    [
      'with a count that mpd-parser reads',
      template('', '<SegmentTimeline><S d="1" r="100000000x"/></SegmentTimeline>'),
      /100000 segments in S$/,
    ],
    ...['P1Y', 'P9Y', 'P2M', 'P1DT4H', 'PT100001S'].map((long) => [
      `that lasts ${long}`,
      template('duration="1"').replace('PT1H', long),
      /100000 segments in SegmentTemplate/,
    ]),
    [
      'with a period of years',
      template('duration="1"').replace('<Period>', '<Period duration="P5Y">'),
      /100000 segments in SegmentTemplate/,
    ],
    [
      'with many representations of one template',
      template('duration="0.04"').replace(
        '</AdaptationSet>',
        `${'<Representation/>'.repeat(400)}</AdaptationSet>`,
      ),
      /1000000 segments in all representations together/,
    ],
    [
      'with many representations of a template that comes after them, or stands in the period',
      mpd('').replace(
        '<AdaptationSet></AdaptationSet>',
        `<AdaptationSet>${'<Representation/>'.repeat(400)}</AdaptationSet><AdaptationSet/><SegmentTemplate duration="0.04"/>`,
      ),
      /1000000 segments in all representations together/,
    ],
    [
      'with many representations of one list',
      template('').replace(
        '<SegmentTemplate ></SegmentTemplate>',
        `<SegmentList duration="4">${'<SegmentURL/>'.repeat(2000)}</SegmentList>${'<Representation/>'.repeat(600)}`,
      ),
      /1000000 segments in all representations together/,
    ],
  ] as [string, string, RegExp][])('%s', (_what, text, fault) => expect(mpdFault(text)).toMatch(fault));
});
