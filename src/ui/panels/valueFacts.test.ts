import { expect, test } from 'vitest';
import { valueFacts } from './valueFacts.ts';

test('odds by rung stand in the ladder', () => {
  expect(valueFacts({ probability: 0.5, probability0: 0.5, probability12: 0.5 })).toHaveLength(1);
});

test.each([
  ['estimateKbps', 2310, 'Estimate', '2.31 Mbit/s'],
  ['cushionEndMs', 14_000, 'Cushion end', '14.0 s'],
  ['planStallMs', 0, 'Plan stall', '0 ms'],
  ['vpMs', 312.4, 'Vp', '312 ms'],
  ['nextBytes', 412_300, 'Next', '412 kB'],
  ['guardRung', 0, 'Guard', 'rung 1'],
  ['cushionShare', 0.4567, 'Cushion share', '45.7 %'],
  ['errorMax', 0.123_647, 'Error max', '0.124'],
  ['planQoe', -11.6, 'Plan QoE', '−11.6'],
  ['samples', 5, 'Samples', '5'],
  ['score2', 1234.5, 'Score2', '1235'],
  ['probability', 1e-9, 'Probability', '< 0.001'],
  ['drift', -1e-9, 'Drift', '> −0.001'],
  ['zero', 0, 'Zero', '0'],
  ['placeholderMs', null, 'Placeholder', 'none'],
  ['Ms', 3, 'Ms', '3'],
  ['outsideInputs', null, 'Outside inputs', 'unknown: not in the weights'],
])('%s: %d is "%s" "%s"', (name, value, label, text) =>
  expect(valueFacts({ [name]: value })).toEqual([[label, text]]),
);
