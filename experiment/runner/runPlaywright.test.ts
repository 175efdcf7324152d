import { expect, test } from 'vitest';
import { runnerArguments } from './runPlaywright.ts';

const asked = { root: process.cwd(), workers: 2 };

test('a run has no limit unless it is given one', () => {
  expect(runnerArguments(asked)).toEqual([
    'test',
    '--config=experiment/session/playwright.config.ts',
    '--workers=2',
  ]);
});

test.each([
  [1, '--global-timeout=1'],
  [0.2, '--global-timeout=1'],
  [239_999.5, '--global-timeout=240000'],
])('after %d ms what still plays is cut off; 0 would be no limit', (limitMs, argument) => {
  expect(runnerArguments({ ...asked, limitMs, shard: '1/2' }).slice(3)).toEqual(['--shard=1/2', argument]);
});
