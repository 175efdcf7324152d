import { expect, test } from 'vitest';
import { unknownId } from './unknownId.ts';

const RULES = [
  'dashjs-dynamic',
  'bba-2',
  'bola',
  'festive',
  'mpc-fast',
  'mpc-robust',
  'pensieve',
  'throughput',
];

test.each([
  ['mpc-robus', 'mpc-robust'],
  ['mcp-fast', 'mpc-fast'],
  ['obla', 'bola'],
  ['BOLA', 'bola'],
  ['bba2', 'bba-2'],
  ['dashjs-dynamik', 'dashjs-dynamic'],
  ['pensive', 'pensieve'],
  ['mpc', 'mpc-fast'],
])('"%s" is asked about as "%s"', (given, meant) => {
  expect(unknownId('rule', given, RULES)).toBe(
    `Unknown rule "${given}": did you mean "${meant}"? Known: ${RULES.join(', ')}.`,
  );
});

test.each(['magic', 'x', '', 'the-fastest-of-all', '__proto__', 'mpc-robust'.repeat(1000)])(
  '"%s" resembles nothing',
  (given) => {
    expect(unknownId('rule', given, RULES)).toBe(`Unknown rule "${given}"; known: ${RULES.join(', ')}.`);
  },
);

test('two letters that changed places are one slip: dlv is nearer to dvl than to dl', () =>
  expect(unknownId('profile', 'dlv', ['lte', 'dl', 'dvl'])).toContain('did you mean "dvl"?'));

test('with nothing known there is nothing to ask about', () =>
  expect(unknownId('rule', 'bola', [])).toBe('Unknown rule "bola"; known: .'));
