import { describe, expect, test } from 'vitest';
import { drawViewerScript, faultOfViewerScript, hasDrawnTimes, parseViewerScript } from './viewerScript.ts';

test('a script is a list of steps', () =>
  expect(
    parseViewerScript('position-40:seek-to-100, time-60:seek-by--10,time-90:pause-35,time-120.5:leave'),
  ).toEqual({
    ok: true,
    value: [
      { when: { kind: 'position', ms: 40_000 }, action: 'seek-to', ms: 100_000 },
      { when: { kind: 'time', ms: 60_000 }, action: 'seek-by', ms: -10_000 },
      { when: { kind: 'time', ms: 90_000 }, action: 'pause', ms: 35_000 },
      { when: { kind: 'time', ms: 120_500 }, action: 'leave', ms: 0 },
    ],
  }));

test.each([
  ['', 'is no step'],
  ['at-30:pause-3', 'is no step'],
  ['time-30:pause', 'needs a number of seconds'],
  ['time-30:pause-0', 'not above 0 s'],
  ['time-30:seek-by-0', 'seeks by nothing'],
  ['time-30:seek-to--1', 'negative position'],
  ['time-30:leave-3', 'does not need'],
  ['time-90000:leave', 'later than a day'],
  ['time-3:pause-90000', 'above a day'],
  ['time-30:pause-3,time-20:pause-3', 'is before the step ahead of it'],
  ['time-30:leave,time-40:pause-3', 'after the viewer has left'],
  ['time-30~40:pause-3', 'only a campaign can draw'],
  ['time-40~30:pause-3', 'ends before it begins'],
  ['position-4~30:pause-3', 'only times can be drawn'],
])('“%s” is refused in one sentence', (text, words) => {
  const parsed = parseViewerScript(text);
  expect(parsed.ok ? '' : parsed.error).toContain(words);
});

describe('in a campaign', () => {
  const text = 'time-20~60:seek-to-100,time-60~80:pause-35,position-120:leave';
  test.each([
    [undefined, false],
    ['time-20:seek-to-100', false],
    [text, true],
  ])('%s: draws times is %s', (script, isDrawn) => expect(hasDrawnTimes(script)).toBe(isDrawn));
  test('each range becomes a time in it', () => {
    expect(drawViewerScript(text, () => 0)).toBe(
      'time-20.0:seek-to-100,time-60.0:pause-35,position-120:leave',
    );
    expect(drawViewerScript(text, (index) => (index === 0 ? 0.5 : 1))).toBe(
      'time-40.0:seek-to-100,time-80.0:pause-35,position-120:leave',
    );
    expect(parseViewerScript(drawViewerScript(text, () => 0.333)).ok).toBe(true);
  });
  test('no step is after the end of the session', () => {
    const long = { seconds: 90, contentSeconds: 600 };
    expect(faultOfViewerScript(text, long)).toBeNull();
    expect(faultOfViewerScript(text, { ...long, seconds: 80 })).toContain(
      'is after the end of the session at 80 s',
    );
    expect(faultOfViewerScript('time-20~60:leave,time-1:leave', long)).toContain('has left');
  });
  test('no step is beyond the end of the stream', () => {
    const short = { seconds: 300, contentSeconds: 72 };
    expect(faultOfViewerScript('time-3:seek-to-72', short)).toContain('beyond the end of the stream at 72 s');
    expect(faultOfViewerScript('position-80:pause-3', short)).toContain('beyond the end of the stream');
    expect(faultOfViewerScript('time-80:seek-to-71', short)).toBeNull();
  });
});
