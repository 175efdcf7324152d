import { expect, test } from 'vitest';
import { severityCounts } from './severity.ts';

test('counts what is there, worst first, in singular and plural', () => {
  const of = (...severities: ('problem' | 'warning' | 'note')[]): string =>
    severityCounts(severities.map((severity) => ({ severity })));
  expect(of()).toBe('');
  expect(of('note', 'problem')).toBe('1 problem, 1 note');
  expect(of('warning', 'warning', 'note')).toBe('2 warnings, 1 note');
});
