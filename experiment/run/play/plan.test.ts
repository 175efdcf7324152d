import { expect, test } from 'vitest';
import { titleOf } from './plan.ts';
import { planCampaign } from '../../plan/planCampaign.ts';
import { startingFile } from '../../plan/startingFile.ts';

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
