import { describe, expect, test } from 'vitest';
import type { MediaPlayerClass } from 'dashjs';
import type { Draft } from '../event.ts';
import type { Surroundings } from './surroundings.ts';
import { createLadders, ladderOf } from './trackPresentation.ts';

test('a ladder ascends by bitrate, whatever order dash.js has', () => {
  const rungs = ladderOf([
    { id: 'high', bandwidth: 4_000_000, width: 1280, height: 720, codecs: 'vp09' },
    { id: 'low', bandwidth: 200_000, width: NaN, height: 0 },
  ]);
  expect(rungs).toEqual([
    { representationId: 'low', bitrateKbps: 200, width: null, height: null, codecs: '' },
    { representationId: 'high', bitrateKbps: 4000, width: 1280, height: 720, codecs: 'vp09' },
  ]);
});

test('it leaves its argument alone', () => {
  const given = [
    { id: 'b', bandwidth: 2 },
    { id: 'a', bandwidth: 1 },
  ] as const;
  ladderOf(given);
  expect(given[0].id).toBe('b');
});

test('another source has a ladder and a length of segments of its own', () => {
  const lengths: (number | null)[] = [];
  const around = {
    player: { getRepresentationsByType: () => [{ id: 'a', bandwidth: 1 }] } as unknown as MediaPlayerClass,
    clock: { nowMs: () => 0 },
    recording: { record: (draft: Draft) => void (draft.kind === 'ladder' && lengths.push(draft.segmentMs)) },
  };
  const ladders = createLadders(around as unknown as Surroundings);
  ladders.refresh('video', '0', 2000);
  ladders.refresh('video', '0');
  ladders.forget();
  expect(ladders.rungOf('video', '0', 'a')).toBeNull();
  ladders.refresh('video', '0', 4000);
  expect(lengths).toEqual([2000, 4000]);
});

describe('the length of a segment', () => {
  const written = () => {
    const state = { lengths: [] as (number | null)[], seconds: 0 };
    const around = {
      player: {
        getRepresentationsByType: () => [{ id: 'a', bandwidth: 1, segmentDuration: state.seconds }],
      } as unknown as MediaPlayerClass,
      clock: { nowMs: () => 0 },
      recording: {
        record: (draft: Draft) => void (draft.kind === 'ladder' && state.lengths.push(draft.segmentMs)),
      },
    };
    return { state, ladders: createLadders(around as unknown as Surroundings) };
  };
  test('that changes with each refresh of an uneven live stream makes no new ladder', () => {
    const { state, ladders } = written();
    for (let refresh = 0; refresh < 10; refresh += 1) {
      state.seconds = refresh % 2 === 0 ? 1 : 3;
      ladders.refresh('video', '0');
      ladders.refresh('video', '0', refresh % 2 === 0 ? 3000 : 1000);
    }
    expect(state.lengths).toEqual([1000]);
  });
  test('is another one in another period, and is learned where the manifest does not say it', () => {
    const { state, ladders } = written();
    ladders.refresh('video', '0');
    ladders.refresh('video', '0', 8000);
    state.seconds = 4;
    ladders.refresh('video', '1');
    ladders.refresh('video', '0', 4000);
    expect(state.lengths).toEqual([null, 8000, 4000, 8000]);
  });
  test('is kept over many periods that end', () => {
    const { state, ladders } = written();
    for (let period = 0; period < 40; period += 1)
      for (const seconds of [1, 3]) {
        state.seconds = seconds;
        ladders.refresh('video', String(period));
      }
    expect(state.lengths).toEqual(Array.from({ length: 40 }, () => 1000));
  });
});
