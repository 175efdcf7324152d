import { expect, test } from 'vitest';
import { EMPTY, FRAMES, play, type Step } from './screen.testing.ts';

test('the picture stands where media has nearly run out and few frames were presented', () => {
  const steps = (loadedToMs: number, count: number, playingMs = 860): Step[] => [
    ['playing', 860],
    ['frame', 900, { count: 11 }],
    ['frame', 940, { count: 12 }],
    ['playing', playingMs],
    ['look', 1140, { loadedToMs }],
    ['frame', 1329, { count, playheadMs: 1329, loadedToMs: 1371 }],
  ];
  expect(play(steps(1371, 13), FRAMES).drafts).toMatchObject([
    { kind: 'stall', atMs: 980, playheadMs: 940, durationMs: 349, stands: 'picture' },
  ]);
  expect(play(steps(1371, 16), FRAMES).drafts).toEqual([]);
  expect(play(steps(1371, 13, 950), FRAMES).drafts).toEqual([]);
  const enough = steps(1e6, 13).map(([what, atMs, more]): Step => [what, atMs, { ...more, loadedToMs: 1e6 }]);
  expect(play(enough, FRAMES).drafts).toEqual([]);
  // Of a minute without reports some frames are lost.
  const long: Step[] = [...steps(1371, 13).slice(0, 3), ['look', 60_900, { loadedToMs: 61_000 }]];
  const late: Step = ['frame', 60_940, { count: 1480, loadedToMs: 61_000 }];
  expect(play([...long, late], FRAMES).drafts).toEqual([]);
});

test.each([
  ['the playhead has no media', EMPTY],
  ['a seek goes on', { isSeeking: true }],
])('frames for 3 s end a stand of the picture though the element says that %s', (_, said) => {
  const frames = (untilMs: number): Step[] =>
    Array.from({ length: (untilMs - 7000) / 40 + 1 }, (_, index): Step => ['frame', 7000 + 40 * index, said]);
  const steps = (untilMs: number): Step[] => [
    ['playing', 100, { loadedToMs: 5000 }],
    ['look', 5400, EMPTY],
    ...frames(untilMs),
    ['stop', untilMs + 1000, said],
  ];
  expect(play(steps(12_000), FRAMES).drafts).toMatchObject([
    { kind: 'stall', atMs: 5000, durationMs: 2000, stands: 'picture' },
  ]);
  // Fewer may be what the decoder still had.
  expect(play(steps(9960), FRAMES).drafts).toMatchObject([{ atMs: 5000, durationMs: 5960 }]);
});
