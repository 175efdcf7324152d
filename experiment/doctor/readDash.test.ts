import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { testFolder } from '../../lab/content/testStreams.ts';
import { requireTool } from '../../lab/tools.ts';
import { LimitReached } from './ask.ts';
import { openTimeline } from './filePlants.testing.ts';
import { readDash } from './readDash.ts';

describe('an MPD is read', () => {
  const textOf = (): Promise<string> =>
    readFile(path.join(testFolder(requireTool('cacheFolder')), 'timeline', 'manifest.mpd'), 'utf8');
  const newest = { '$Number$.m4s': /video-1\/10\.m4s$/, '$Time$.m4s': /video-1\/44457984\.m4s$/ };

  test.each(Object.entries(newest))('whose live timeline goes on, with %s', async (media, last) => {
    const read = readDash(openTimeline(media)(await textOf()), 'https://localhost/timeline.mpd');
    expect(read.last).toMatch(last);
    expect(read).toMatchObject({ isLive: true, gaps: [], times: { seconds: 4, segments: 2 } });
  });

  test('whose oldest files are gone, and one that began a year ago', async () => {
    const text = openTimeline('$Number$.m4s')(await textOf());
    const { media, last } = readDash(text, 'https://localhost/timeline.mpd');
    expect([media[0]!.resolvedUri, last]).toEqual([
      expect.stringMatching(/video-1\/8\.m4s$/),
      expect.stringMatching(/video-1\/10\.m4s$/),
    ]);
    const old = text.replace(/availabilityStartTime="\d+/, 'availabilityStartTime="2025');
    expect(() => readDash(old, 'https://localhost/timeline.mpd')).toThrow(LimitReached);
  });

  test('of which an earlier period ends where the next begins, however long ago', async () => {
    const text = openTimeline('$Number$.m4s')(await textOf());
    const [period] = /<Period[^]*<\/Period>/.exec(text)!;
    const next = period
      .replace(/<Period[^>]*>/, '<Period id="next" start="PT6S">')
      .replaceAll('r="-1"', 'r="4"');
    const old = text.replace(/availabilityStartTime="\d+/, 'availabilityStartTime="2025');
    const { last } = readDash(old.replace(period, period + next), 'https://localhost/timeline.mpd');
    expect(last).toMatch(/video-1\/5\.m4s$/);
  });

  test('whose entry goes on to the next one, in ticks of its set', async () => {
    const text = (await textOf())
      .replace('<S t="0" d="24576" r="11"/>', '<S t="0" d="24576" r="-1"/><S t="147456" d="24576" r="5"/>')
      .replace('<Representation', '<SegmentTemplate timescale="12288"/><Representation')
      .replaceAll('<SegmentTemplate timescale="12288" init', '<SegmentTemplate init');
    expect(readDash(text, 'https://localhost/timeline.mpd').gaps).toEqual([]);
  });
});
