import { expect, it } from 'vitest';
import { logFiles } from './simInputs.ts';

const namesOf = (ruleNames: string[], traceNames: string[]) => logFiles('logs', { ruleNames, traceNames });

it('names a log after its rule and its trace', () =>
  expect(namesOf(['bola:gp=5', 'sara'], ['bus.json', 'fähre'])).toEqual([
    ['logs/bola_gp=5~bus.json', 'logs/bola_gp=5~fähre.json'],
    ['logs/sara~bus.json', 'logs/sara~fähre.json'],
  ]));

it('gives no two logs the same name', () =>
  expect(namesOf(['sara'], ['a b', 'a_b', 'A b', 'a.json', 'a'])).toEqual([
    [
      'logs/sara~a_b.json',
      'logs/sara~a_b~2.json',
      'logs/sara~A_b~3.json',
      'logs/sara~a.json',
      'logs/sara~a~2.json',
    ],
  ]));

it('keeps names short enough for a file system', () => {
  const [[file = ''] = []] = namesOf([`pensieve:weights=/${'w'.repeat(300)}.json`], ['t'.repeat(300)]);
  expect(file.length).toBeLessThan(230);
});
