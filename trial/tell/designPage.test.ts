import { expect, it, test } from 'vitest';
import { drawViewers } from '../simulate/drawViewers.ts';
import { scenarios } from '../simulate/scenarios.ts';
import { startingTrial } from '../design/startingTrial.ts';
import { formatDesign } from './designPage.ts';
import { trialPower } from './power.ts';

const trial = startingTrial('salt of the design page');
const power = { ...trialPower(trial), chanceAtMargin: 1 };

test.each([
  [1, 'over 99 %'],
  [0.992, 'over 99 %'],
  [0.986, '99 %'],
  [0.8, '80 %'],
  [0.004, 'under 1 %'],
])('a chance of %d is %s: a simulated one is never certain', (chanceAtMargin, words) =>
  expect(formatDesign(trial, { ...power, chanceAtMargin })).toContain(
    `the margin, 0.20 percentage points: with a chance of ${words} by day 14`,
  ),
);

it('draws viewers by whole days only', () => {
  const part = { ...trial, stopping: { ...trial.stopping, days: 1.5 } };
  expect(() => drawViewers(part, scenarios[0]!, { sessions: 100, seed: 1 })).toThrow(
    'Viewers are drawn by whole days, and not for 1.5 of them.',
  );
});
