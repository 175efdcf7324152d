import { expect, test } from 'vitest';
import { createLevelModel, type LoadedSegment } from './shownLevel.ts';

const segment = (fromMs: number, rung: number): LoadedSegment => ({
  fromMs,
  toMs: fromMs + 2000,
  rung,
  bitrateKbps: 100 * (rung + 1),
  height: 90 * (rung + 1),
});

/** Loads two segments and says which level is shown at each media time; session time is 1000 ms ahead. */
function shown(loaded: readonly LoadedSegment[]) {
  const model = createLevelModel();
  for (const each of loaded) model.append(each);
  const at = (mediaMs: number, height?: number) => {
    const frame = height === undefined ? {} : { height };
    const level = model.moveTo({ atMs: mediaMs + 1000, mediaMs, rate: 1, ...frame });
    return level && { atMs: level.atMs, rung: level.segment.rung, from: level.before?.rung ?? null };
  };
  return { model, at };
}

test('a level is entered where its segment begins, also when it is looked at later', () => {
  const { at } = shown([segment(0, 1), segment(2000, 3), segment(4000, 3)]);
  expect(at(0)).toEqual({ atMs: 1000, rung: 1, from: null });
  expect([at(1900), at(2150), at(4100)]).toEqual([null, { atMs: 3000, rung: 3, from: 1 }, null]);
});

test('a segment that is replaced before it plays is never shown', () => {
  const { model, at } = shown([segment(0, 1), segment(2000, 2)]);
  at(0);
  model.append(segment(2000, 4));
  expect(at(2100)).toMatchObject({ rung: 4, from: 1 });
});

test('a segment that is replaced while it plays stays until its end', () => {
  const { model, at } = shown([segment(0, 1), segment(2000, 1)]);
  at(500);
  model.append(segment(0, 4));
  expect(at(1900)).toBeNull();
  expect(at(2100)).toBeNull();
  model.leave();
  expect(at(100)).toMatchObject({ rung: 4, from: 1 });
});

test('what is cleared is not shown, and what is not known keeps the level', () => {
  const { model, at } = shown([segment(0, 1), segment(2000, 2)]);
  at(0);
  model.clear(2000, 10_000);
  expect(at(2100)).toBeNull();
  model.append(segment(2000, 3));
  expect(at(2200)).toMatchObject({ rung: 3, from: 1 });
});

test('a segment that is appended in chunks is shown while it arrives', () => {
  const { model, at } = shown([segment(0, 1)]);
  at(0);
  model.expect(segment(2000, 2));
  expect(at(2100)).toMatchObject({ rung: 2 });
});

test('a segment that is replaced when the decoder has begun to read it is still shown', () => {
  const { model, at } = shown([segment(0, 1), segment(2000, 1)]);
  at(1600);
  model.append(segment(2000, 4));
  expect(at(2100)).toBeNull();
  expect(at(3900)).toBeNull();
});

test('where sizes differ, the frames say which of two segments is shown', () => {
  const { model, at } = shown([segment(0, 1), segment(2000, 1)]);
  at(1200);
  model.append(segment(2000, 4));
  expect(at(2100, 180)).toBeNull();
  const other = shown([segment(0, 1), segment(2000, 1)]);
  other.at(1600);
  other.model.append(segment(2000, 4));
  expect(other.at(2100, 450)).toMatchObject({ rung: 4 });
});

test('frames of a size that no segment has say nothing', () => {
  const { at } = shown([segment(0, 1), segment(2000, 2)]);
  at(100, 720);
  expect(at(2100, 720)).toMatchObject({ rung: 2, from: 1 });
});

test('a frame that is a little behind the playhead brings no level back', () => {
  const { at } = shown([segment(0, 1), segment(2000, 3)]);
  at(1900);
  expect(at(2010)).toMatchObject({ rung: 3 });
  expect([at(1980, 180), at(2100, 360)]).toEqual([null, null]);
});

test.each([
  ['where the picture stood before its end', 1900, { atMs: 4960, rung: 3, from: 1 }],
  ['where it was replaced under the standing picture', 2020, { atMs: 5000, rung: 3, from: 1 }],
])('after a stall a level is entered where its segment begins, %s', (_, stoodAtMs, level) => {
  const { model, at } = shown([segment(0, 1), segment(2000, 1)]);
  at(0);
  at(stoodAtMs);
  model.pause();
  model.clear(2000, 4000);
  model.append(segment(2000, 3));
  // It stood for some seconds, and moves again: session time is further ahead now.
  const entered = model.moveTo({ atMs: 5000, mediaMs: 2040, rate: 1, height: 360 });
  expect(entered && { atMs: entered.atMs, rung: entered.segment.rung, from: entered.before?.rung }).toEqual(
    level,
  );
  expect(at(3900)).toBeNull();
});

test('after a seek a level is entered when its first frame is shown', () => {
  const { model, at } = shown([segment(0, 1), segment(2000, 3)]);
  at(1900);
  model.leave();
  expect(at(2500)).toEqual({ atMs: 3500, rung: 3, from: 1 });
});
