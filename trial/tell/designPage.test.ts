import { expect, test } from 'vitest';
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
