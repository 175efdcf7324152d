import { expect, test } from 'vitest';
import { createSeries } from '../../analysis/timeline/series.ts';
import { SHAPES } from '../../analysis/timeline/columns.ts';
import { insertRow } from '../../analysis/timeline/table.ts';
import type { DecisionEvent, RequestEvent } from '../../telemetry/event.ts';
import { exampleRequest } from '../../telemetry/exampleLog.testing.ts';
import { decisionFacts, requestFacts, valueFacts } from './facts.ts';

const DECISION = {
  kind: 'decision',
  atMs: 5000,
  estimateKbps: null,
  missing: { estimateKbps: 'too-early' },
  tookMs: 0.14,
  moment: { bufferMs: 4000, bufferTargetMs: 20_000, lastRung: 4, segmentsLeft: null },
} as unknown as DecisionEvent;
const REQUEST = { protocol: 'h3', connectionReused: false, startMs: 5000, firstByteMs: 5495.4, missing: {} };
const facts = (request: object | null, series = createSeries()) =>
  Object.fromEntries(decisionFacts(DECISION, request as RequestEvent | null, series));

test('inputs are read with their units, levels from 1', () => {
  expect(facts(REQUEST)).toEqual({
    Buffer: '4.0 of 20 s',
    'Last level': '5',
    Estimate: 'not known yet',
    Measured: 'nothing yet',
    Latency: '495 ms',
    Protocol: 'h3, new',
    'Segments left': 'unknown',
    'Decided in': '0.1 ms',
  });
});

test('where pathways are chosen: the one of the segment, or the two of a rescued one', () => {
  const series = createSeries();
  series.steering.push({ atMs: 0, pathway: 'main', probe: null, rescuedId: null, because: '' });
  expect(facts(null, series)).toMatchObject({ Pathway: 'not known yet' });
  const request = { ...REQUEST, id: 'r7', pathway: 'main' };
  expect(facts(request, series)).toMatchObject({ Pathway: 'main', Protocol: 'h3, new' });
  series.steering.push({ atMs: 9, pathway: 'tcp', probe: null, rescuedId: 'r7', because: '' });
  expect(facts(request, series)).toMatchObject({ Pathway: 'main, rest over tcp' });
  expect(facts(request)).not.toHaveProperty('Pathway');
});

test('what is left is said in segments', () => {
  const last = { ...DECISION, moment: { ...DECISION.moment, segmentsLeft: 1 } };
  expect(decisionFacts(last, null, createSeries())).toContainEqual(['Segments left', '1 segment']);
});

test('a rule of ours says where its sizes come from and whether it waits', () => {
  const ours = { ...DECISION, inputId: 't1', mediaType: 'video', holdUntilBufferMs: 12_040 } as DecisionEvent;
  const series = createSeries();
  const said = () => Object.fromEntries(decisionFacts(ours, null, series));
  expect(said()).toMatchObject({
    'Segment sizes': 'assumed',
    Hold: 'to 12.0 s',
  });
  series.sizes.push({ fromMs: 5001, mediaType: 'video', from: 'side-file' });
  expect(said()).toMatchObject({ 'Segment sizes': 'sizes file' });
  expect(facts(null)).not.toHaveProperty('Segment sizes');
});

test('the last measured rate is of the last video segment that had arrived', () => {
  const series = createSeries();
  const zeros = Object.fromEntries(Object.keys(SHAPES.requests).map((name) => [name, 0]));
  const row = (atMs: number, endMs: number, carriedBytes: number) =>
    insertRow(series.requests, {
      ...(zeros as Record<keyof typeof SHAPES.requests, number>),
      atMs,
      firstByteMs: atMs + 100,
      endMs,
      carriedBytes,
    });
  row(1000, 2100, 250_000); // 2 Mbit/s
  row(2500, 2700, NaN); // from the cache
  row(4000, 6000, 999_999); // still on its way at 5000
  expect(facts(null, series)['Measured']).toBe('2.00 Mbit/s');
});

test.each([
  [null, 'not known yet'],
  [{ ...REQUEST, protocol: null, missing: { protocol: 'no-tao' } }, 'unknown, no Timing-Allow-Origin'],
  [{ ...REQUEST, connectionReused: null }, 'h3'],
  [{ ...REQUEST, connectionReused: true }, 'h3, reused'],
])('%j is carried by "%s"', (request, said) => expect(facts(request)['Protocol']).toBe(said));

test('a request that was redirected says how long that took', () => {
  const redirected = exampleRequest({ redirectStartMs: 100, redirectEndMs: 403.6 });
  expect(requestFacts(redirected)).toContainEqual(['Redirect', '304 ms']);
  expect(requestFacts(exampleRequest({})).map(([label]) => label)).not.toContain('Redirect');
});

test('odds by rung stand in the ladder', () => {
  expect(valueFacts({ probability: 0.5, probability0: 0.5, probability12: 0.5 })).toHaveLength(1);
});

test.each([
  ['estimateKbps', 2310, 'Estimate', '2.31 Mbit/s'],
  ['cushionEndMs', 14_000, 'Cushion end', '14.0 s'],
  ['planStallMs', 0, 'Plan stall', '0 ms'],
  ['vpMs', 312.4, 'Vp', '312 ms'],
  ['nextBytes', 412_300, 'Next', '412 kB'],
  ['guardRung', 0, 'Guard', 'level 1'],
  ['cushionShare', 0.4567, 'Cushion share', '45.7 %'],
  ['errorMax', 0.123_647, 'Error max', '0.124'],
  ['planQoe', -11.6, 'Plan QoE', '−11.6'],
  ['samples', 5, 'Samples', '5'],
  ['score2', 1234.5, 'Score2', '1235'],
  ['probability', 1e-9, 'Probability', '< 0.001'],
  ['drift', -1e-9, 'Drift', '> −0.001'],
  ['zero', 0, 'Zero', '0'],
  ['placeholderMs', null, 'Virtual buffer', 'none'],
  ['Ms', 3, 'Ms', '3'],
  ['outsideInputs', null, 'Outside inputs', 'unknown: not in the weights'],
])('%s: %d is "%s" "%s"', (name, value, label, text) =>
  expect(valueFacts({ [name]: value })).toEqual([[label, text]]),
);
