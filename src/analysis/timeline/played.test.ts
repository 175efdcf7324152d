import { describe, expect, test } from 'vitest';
import { exampleRequest } from '../../telemetry/exampleLog.testing.ts';
import type { SessionEvent, SessionLog } from '../../telemetry/schema/sessionLog.ts';
import { exampleSession, playback, stalled } from './example.testing.ts';
import { gaveUp, playSpans, stallSpans, whyNotPlayed } from './played.ts';
import { playingSpans, totalMs, type Span } from './spans.ts';
import { seededRandom } from '../statistics/random.ts';
import { seriesOf } from './appendEvent.ts';

const span = (fromMs: number, toMs: number) => ({ fromMs, toMs });

/** Reads turns of playback from the events, without the series: a second way to the same spans. */
function oracle({ events, parts }: SessionLog): Span[] {
  const states = events
    .filter((event) => event.kind === 'playback')
    .filter(({ state }) => !['sample', 'rate', 'play-requested'].includes(state))
    .map(({ atMs, state }) => ({ atMs, plays: state === 'playing' }));
  const ends = parts.flatMap(({ endMs }) => (endMs === null ? [] : [{ atMs: endMs, plays: false }]));
  const spans: Span[] = [];
  let fromMs: number | null = null;
  for (const { atMs, plays } of [...states, ...ends].sort((a, b) => a.atMs - b.atMs)) {
    if (plays) fromMs ??= atMs;
    else if (fromMs !== null) {
      if (atMs > fromMs) spans.push({ fromMs, toMs: atMs });
      fromMs = null;
    }
  }
  return spans;
}

/** The metrics read logs, the page reads series: both must see the same picture move. */
const both = (log: SessionLog) => {
  const series = seriesOf(log);
  expect(playingSpans(series, series.lastMs)).toEqual(playSpans(log));
  expect(playSpans(log)).toEqual(oracle(log));
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
  test('asking to play what plays ends nothing', () =>
    expect(
      spans(playback(500, 'playing'), playback(900, 'play-requested'), playback(1500, 'paused')),
    ).toEqual([span(500, 1500)]));
  test('two times playing are one', () =>
    expect(spans(playback(500, 'playing'), playback(900, 'playing'), playback(1500, 'paused'))).toEqual([
      span(500, 1500),
    ]));
  test('any order of states: series and events give the same', () => {
    const random = seededRandom(3);
    const states = ['play-requested', 'playing', 'waiting', 'paused', 'sample', 'rate', 'stopped'] as const;
    for (let round = 0; round < 100; round += 1) {
      const events = Array.from({ length: 12 }, (_, index) =>
        playback(100 * (index + 1), states[Math.floor(random() * states.length)]!),
      );
      spans(...events, playback(1300, 'stopped'));
    }
  });
  test('never', () => expect(spans(playback(0, 'play-requested'), playback(9, 'stopped'))).toEqual([]));
  test('until the end of the log, not until the last thing asked for', () => {
    const late = [playback(1000, 'playing'), playback(9000, 'sample'), exampleRequest({ atMs: 5000 })];
    const log = exampleSession(late);
    const recording = { ...log, parts: [{ ...log.parts[0]!, endMs: null }] };
    expect(playSpans(recording)).toEqual([span(1000, 9000)]);
  });
  test('not beyond the end of the recording, where an event of a later moment was joined', () => {
    const log = exampleSession([playback(1000, 'playing'), exampleRequest({ atMs: 5000 })]);
    expect(playSpans({ ...log, parts: [{ ...log.parts[0]!, endMs: 2000 }] })).toEqual([span(1000, 2000)]);
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
  test('what was recorded inside a gap of the parts counts', () => {
    const log = exampleSession([
      playback(5000, 'playing'),
      playback(7000, 'paused'),
      playback(9500, 'stopped'),
    ]);
    const [first] = log.parts;
    const parts = [
      { ...first!, endMs: 3000 },
      { ...first!, startMs: 8000, endMs: 9500, gapMs: 5000 },
    ];
    expect(playSpans({ ...log, parts })).toEqual([span(5000, 7000)]);
  });
  test('in all', () => expect(totalMs([span(0, 10), span(20, 25)])).toBe(15));
});

const error = (message: string, fatal: boolean) => ({ kind: 'error', message, fatal });
const playing = { kind: 'playback', state: 'playing' };
const log = (...events: object[]): SessionLog => ({ environment: {}, events }) as unknown as SessionLog;

test.each([
  ['a frame, and an end after it', log(playing, error('Gone.', true)), null],
  [
    'what ended playback, not what came before or after',
    log(error('a', false), error('b', true), error('c', false)),
    'b',
  ],
  [
    'the player’s sentence, not the words of dash.js',
    log(error('parsing failed', true), {
      ...error('It is a web page.', true),
      source: 'player',
      code: 'ended',
    }),
    'It is a web page.',
  ],
  ['the last error where none ended it', log(error('a', false), error('b', false)), 'b'],
  ['several lines', log(error('One\n  two.', true)), 'One two.'],
  ['no error', log(), 'Nothing was shown, and the log names no error.'],
])('%s', (_, session, words) => expect(whyNotPlayed(session)).toBe(words));

test.each([
  [
    'an error of the player that ended it',
    [{ ...error('Gone.', true), source: 'player', code: 'ended' }],
    true,
  ],
  ['an error of dash.js, after which the player went on', [error('Gone.', true)], false],
  ['none', [], false],
])('whether an error ended playback: %s', (_, errors, ended) =>
  expect(gaveUp(log(playing, ...errors))).toBe(ended),
);

describe('when playback stalled', () => {
  test('an open stall lasts until recording broke off, or to the end of the log', () => {
    const log = exampleSession([playback(0, 'playing'), stalled(5000, null), playback(9000, 'sample')]);
    expect(stallSpans(log)).toEqual([span(5000, Math.max(9000, log.parts[0]!.endMs ?? 0))]);
    const [first] = log.parts;
    const parts = [
      { ...first!, endMs: 6000 },
      { ...first!, startMs: 8000, endMs: 9500, gapMs: 2000 },
    ];
    expect(stallSpans({ ...log, parts })).toEqual([span(5000, 6000)]);
  });
  test('time that two stalls have counts once', () => {
    const log = exampleSession([
      ...[playback(0, 'playing'), stalled(3000, 5000), stalled(5000, 5000), stalled(6000, 1000)],
      ...[playback(20_000, 'ended')],
    ]);
    expect(stallSpans(log)).toEqual([span(3000, 8000), span(8000, 10_000)]);
  });
  test('one that ended is as long as it was, also beyond the last event', () =>
    expect(stallSpans(exampleSession([playback(0, 'playing'), stalled(5000, 700_000)]))).toEqual([
      span(5000, 705_000),
    ]));
});

describe('why a session without media downloaded nothing', () => {
  const session = (...outcomes: string[]): SessionLog => ({
    ...log(...outcomes.map((outcome) => ({ kind: 'request', outcome }))),
    environment: { transfer: 'objects' } as SessionLog['environment'],
  });
  test('says how its requests ended', () =>
    expect(whyNotPlayed(session('network-error', 'aborted', 'aborted'))).toBe(
      'No object arrived; its requests ended with: network-error, aborted.',
    ));
  test('one request that was answered is enough', () =>
    expect(whyNotPlayed(session('network-error', 'ok'))).toBeNull());
});
