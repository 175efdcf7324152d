import { expect, test } from 'vitest';
import { startingTrial } from '../design/startingTrial.ts';
import { formatDesign } from './designPage.ts';
import { trialPower } from './power.ts';

const trial = startingTrial('salt of the design page');
const power = { ...trialPower(trial), chanceAtMargin: 1 };

test('a design that never has enough pairs of periods promises nothing, and says when it would', () => {
  const of = { ...trial, unit: { kind: 'switchback', periodMinutes: 1440, washoutMinutes: 20 } } as const;
  const text = formatDesign(of);
  expect(text).toContain(
    'No verdict by day 14, if the expected numbers are right: it needs 40 pairs of periods in each arm, and 7 are expected in the smallest. They are there on day 80, or sooner with shorter periods.',
  );
  expect(text).not.toContain('chance');
  expect(trialPower(of)).toMatchObject({ firstVerdictDay: 80, chanceAtMargin: 0, canShowInside: false });
});

test('looks before there are enough are in no chance, and the day is told', () => {
  const of = { ...trial, unit: { kind: 'switchback', periodMinutes: 240, washoutMinutes: 20 } } as const;
  expect(formatDesign(of)).toContain(
    'nothing before day 14: a verdict needs 40 pairs of periods in each arm',
  );
  const hourly = { ...of, unit: { ...of.unit, periodMinutes: 60 } };
  expect(trialPower(of).chanceAtMargin).toBeLessThan(trialPower(hourly).chanceAtMargin);
});

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

test.each([
  [0.05, '5 %'],
  [0.0125, '1.25 %'],
  [0.0001, '0.01 %'],
])('an alpha of %d is %s, and never 0 %', (alpha, words) =>
  expect(formatDesign({ ...trial, stopping: { ...trial.stopping, alpha } }, power)).toContain(
    `false alarm over all looks at most ${words}\n`,
  ),
);
