import { expect, it } from 'vitest';
import { startingTrial } from '../design/startingTrial.ts';
import { drawViewers } from './drawViewers.ts';
import { scenarios } from './scenarios.ts';

it('draws viewers by whole days only', () => {
  const trial = startingTrial('salt of the drawn viewers');
  const part = { ...trial, stopping: { ...trial.stopping, days: 1.5 } };
  expect(() => drawViewers(part, scenarios[0]!, { sessions: 100, seed: 1 })).toThrow(
    'Viewers are drawn by whole days, and not for 1.5 of them.',
  );
});
