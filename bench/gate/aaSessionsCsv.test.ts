import { expect, test } from 'vitest';
import { aaPairsIn } from './aaPairs.ts';
import { formatAaSessions } from './aaSessionsCsv.ts';
import { usualGate } from '../../experiment/design/gateFile.ts';
import type { Cell } from '../../experiment/report/reportTable.ts';

const columns = [
  ...['session', 'rule', 'page', 'pair', 'state'],
  ...['mean bitrate, kbit/s', 'rebuffer rate, %', 'join time, ms'],
].map((label) => ({ label }));

/** The sessions of a gate: one pair that was played, and one that was not. */
function gateOf(seed: number): { columns: typeof columns; rows: Cell[][] } {
  const pair = (repeat: number) => `np2b/padded-envivio/${repeat}/${seed}`;
  return {
    columns,
    rows: [
      [`new-${seed}`, 'dashjs-dynamic', 'new', pair(0), 'finished', 2000, 0, 500],
      [`base-${seed}`, 'dashjs-dynamic', 'base', pair(0), 'finished', 2100, 0, 510],
      [`new-${seed}-1`, 'dashjs-dynamic', 'new', pair(1), 'not-played', null, null, null],
      [`base-${seed}-1`, 'dashjs-dynamic', 'base', pair(1), 'not-played', null, null, null],
    ],
  };
}

test('pairs of several gates are A/A pairs of one table, without sessions that were not played', () => {
  const text = formatAaSessions([gateOf(1), gateOf(2)]);
  const [head, ...lines] = text.trimEnd().split('\r\n');
  expect(head).toContain('session,rule,A/A,pair,state');
  expect(lines.map((line) => line.split(',')[0])).toEqual(['new-1', 'base-1', 'new-2', 'base-2']);
  expect(aaPairsIn(text, usualGate.metrics)).toHaveLength(2);
});
