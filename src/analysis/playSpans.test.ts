import { describe, expect, test } from 'vitest';
import { exampleRequest } from '../telemetry/exampleLog.ts';
import type { SessionEvent, SessionLog } from '../telemetry/schema/sessionLog.ts';
import { exampleSession, playback } from './exampleEvents.ts';
import { playingSpans } from './playingSpans.ts';
import { playedMs, playSpans } from './playSpans.ts';
import { seriesOf } from './series.ts';

const span = (fromMs: number, toMs: number) => ({ fromMs, toMs });

/** The metrics read logs, the page reads series: both must see the same picture move. */
const both = (log: SessionLog) => {
  const series = seriesOf(log);
  expect(playingSpans(series, series.lastMs)).toEqual(playSpans(log));
  return playSpans(log);
};
const spans = (...events: SessionEvent[]) => both(exampleSession(events));

describe('when the picture moved', () => {
  test('from playing to whatever ends it; samples and rates end nothing', () =>
    expect(
      spans(
        playback(0, 'play-requested'),
        playback(500, 'playing'),
        playback(900, 'sample'),
        playback(1000, 'rate'),
        playback(1500, 'waiting'),
        playback(2500, 'playing'),
        playback(4000, 'paused'),
      ),
    ).toEqual([span(500, 1500), span(2500, 4000)]));
  test('never', () => expect(spans(playback(0, 'play-requested'), playback(9, 'stopped'))).toEqual([]));
  test('until the end of the log, not until the last thing asked for', () => {
    const late = [playback(1000, 'playing'), playback(9000, 'sample'), exampleRequest({ atMs: 5000 })];
    const log = exampleSession(late);
    const recording = { ...log, parts: [{ ...log.parts[0]!, endMs: null }] };
    expect(playSpans(recording)).toEqual([span(1000, 9000)]);
  });
  test('nothing is known of the gap before a resumed part', () => {
    const log = exampleSession([
      playback(1000, 'playing'),
      playback(9000, 'playing'),
      playback(9500, 'stopped'),
    ]);
    const [first] = log.parts;
    const parts = [
      { ...first!, endMs: 3000 },
      { ...first!, startMs: 8000, endMs: 9500, gapMs: 5000 },
    ];
    expect(both({ ...log, parts })).toEqual([span(1000, 3000), span(9000, 9500)]);
  });
  test('in all', () => expect(playedMs([span(0, 10), span(20, 25)])).toBe(15));
});
