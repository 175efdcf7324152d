import { describe, expect, it, test } from 'vitest';
import { hasTimeFor, joinLimitMs, titleOf } from './plan.ts';
import { planCampaign } from '../design/planCampaign.ts';
import { startingFile } from '../design/startingFile.ts';

const titlesOf = (changes: Partial<typeof startingFile>): string[] => {
  const plan = planCampaign({ ...startingFile, transports: ['h2'], repeats: 1, seeds: [1], ...changes }, []);
  if (!plan.ok) throw new Error(plan.error);
  return plan.value.sessions.map(titleOf).sort();
};

test('each arm of a pair has a title of its own, also by controller and by A/A label', () => {
  expect(titlesOf({ rules: ['bola:gp=5'] })).toEqual(['bola:gp=5 over h2']);
  expect(titlesOf({ controllers: ['bbr', 'reno'], aaLabels: ['a', 'b'] })).toEqual([
    'dashjs-dynamic over h2 by bbr, label a',
    'dashjs-dynamic over h2 by bbr, label b',
    'dashjs-dynamic over h2 by reno, label a',
    'dashjs-dynamic over h2 by reno, label b',
  ]);
});

test('outside campaigns a session is its rule over its transport', () =>
  expect(titleOf({ rule: 'bba-2', transport: 'h1', design: null })).toBe('bba-2 over h1'));

test.each([
  ['nobody pauses', undefined, 60],
  ['a seek takes no time', 'time-2:seek-to-100', 60],
  ['a pause that may come before the first frame', 'time-0:pause-90', 150],
  ['a pause that begins within those before it', 'time-0:pause-90,time-100:pause-10', 160],
  ['a pause after the limit', 'time-70:pause-300', 60],
  ['a pause at a position may follow a seek before the first frame', 'position-0:pause-5', 65],
])('the first frame is waited for: %s', (_what, viewer, seconds) =>
  expect(joinLimitMs(viewer === undefined ? {} : { viewer })).toBe(seconds * 1000),
);

describe('the time of a run', () => {
  const budget = { untilUnixMs: 100_000, sessionMs: 20_000 };
  it.each([
    ['both sessions of a pair end in it', 2, 60_000, true],
    ['the second one would not', 2, 60_001, false],
    ['one alone would', 1, 80_000, true],
    ['it is over', 1, 100_000, false],
  ])('%s', (_, sessions, nowUnixMs, has) => expect(hasTimeFor({ budget }, sessions, nowUnixMs)).toBe(has));
  it('is without an end where there is no budget', () => expect(hasTimeFor({}, 9, 1e15)).toBe(true));
});
