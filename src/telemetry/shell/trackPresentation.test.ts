import { expect, test } from 'vitest';
import { ladderOf } from './trackPresentation.ts';

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
