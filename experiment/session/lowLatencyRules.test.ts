import { expect, test } from 'vitest';
import { LOW_LATENCY_RULES, lowLatencyFaults } from '../design/lowLatency.ts';
import { playerRules } from '../../src/player/rules.ts';

test('the rules that campaigns keep to low latency are those that dash.js runs alone', () =>
  expect(playerRules.filter(({ builtIns }) => builtIns?.kind === 'lone').map(({ id }) => id)).toEqual(
    LOW_LATENCY_RULES,
  ));

test.each([
  ['live:low-latency', 0],
  ['https://cdn.example/live.mpd', 0],
  ['live', 2],
  ['live:padded:envivio', 2],
  ['padded:envivio', 2],
  ['demo', 2],
])('over %s they make %i faults', (content, faults) => {
  const rules = ['dashjs-dynamic', ...LOW_LATENCY_RULES];
  expect(lowLatencyFaults({ rules, contents: [content] })).toHaveLength(faults);
});
