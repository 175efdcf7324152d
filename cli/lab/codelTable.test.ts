import { expect, it } from 'vitest';
import { codelCase } from '../../lab/link/calibrate/codelCase.ts';
import { judgeCodel } from '../../lab/link/calibrate/judgeCodel.ts';
import { codelTable } from './codelTable.ts';

it('has a line per link and way, and a cross at each figure outside', () => {
  const asked = codelCase(5000, 20, 1.2);
  const expected = { peakMs: 138, backAfterMs: 3250, drops: 268 };
  const down = { tailWaitMs: 251.6, hump: expected, expected };
  const up = { tailWaitMs: 252, hump: { peakMs: 252, backAfterMs: null, drops: 268 }, expected };
  const verdicts = { down: judgeCodel(asked, down), up: judgeCodel(asked, up) };
  const table = codelTable([{ asked, figures: { down, up }, verdicts, machineDrops: 0, again: false }]);
  const [, ...lines] = table.split('\n').map((line) => line.trim().split(/ {2,}/));
  expect(lines).toEqual([
    ['5 Mbit/s, 20 ms, load 1.2', 'down', '252 of 252', '138 of 138', '3.25 of 3.25', '268 of 268', 'within'],
    [
      '5 Mbit/s, 20 ms, load 1.2',
      'up',
      '252 of 252',
      '252 of 138 ✗',
      'never of 3.25 ✗',
      '268 of 268',
      '2 OUTSIDE',
    ],
  ]);
});
