import { expect, test } from 'vitest';
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
