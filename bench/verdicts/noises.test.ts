import { expect, test } from 'vitest';
import { mean } from '../../src/analysis/statistics/summaries.ts';
import { noises, recordedDifferences } from './noises.ts';

const DRAWS = 40_000;

test.each(noises(process.cwd()))('$label: its mean is 0, and a seed gives the same again', ({ draw }) => {
  const values = draw(1)(DRAWS);
  const deviation = Math.sqrt(mean(values.map((each) => each ** 2)));
  expect(deviation).toBeGreaterThan(0);
  expect(Math.abs(mean(values)) / (deviation / Math.sqrt(DRAWS))).toBeLessThan(4);
  expect(draw(1)(5)).toEqual(values.slice(0, 5));
  expect(draw(2)(5)).not.toEqual(values.slice(0, 5));
});

test('differences are h3-only less h1 of each pair, by rule, less their mean', () => {
  const table = [
    'rule,transport,pair,"mean bitrate, kbit/s"',
    'bola,h1,"one, with a comma",100',
    'bola,h3-only,"one, with a comma",130',
    'bola,h3-only,two,90',
    'bola,h1,two,80',
    'bola,h1,alone,70',
    'mpc,h1,two,50',
    'mpc,h3-only,two,51',
    '',
  ].join('\r\n');
  expect([...recordedDifferences(table)]).toEqual([
    ['bola', [10, -10]],
    ['mpc', [0]],
  ]);
});
