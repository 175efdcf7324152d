import { expect, test } from 'vitest';
import type { DecisionEvent, RequestEvent } from '../../telemetry/event.ts';
import { decisionsCsvHead, decisionsCsvLine } from './decisionsCsv.ts';
import { requestsCsvHead, requestsCsvLine } from './requestsCsv.ts';

const cells = (line: string) => line.trimEnd().split(',');

test('a request has a cell for every head, and a reason beside every empty one', () => {
  const request = {
    kind: 'request',
    id: 'r1',
    atMs: 12.5,
    protocol: null,
    connectionReused: true,
    serverTiming: [{ name: 'edge', durationMs: 3, description: '' }],
    missing: { protocol: 'no-tao', status: 'failed' },
  } as unknown as RequestEvent;
  const row = Object.fromEntries(
    cells(requestsCsvHead).map((name, at) => [name, cells(requestsCsvLine(request))[at]]),
  );
  expect(row).toMatchObject({
    id: 'r1',
    atMs: '12.5',
    protocol: '',
    connectionReused: 'true',
    serverTiming: 'edge;dur=3',
    missing: 'protocol:no-tao status:failed',
  });
});

test('a decision has its inputs, every vote and its sentence', () => {
  const decision = {
    kind: 'decision',
    id: 'd1',
    rung: 4,
    because: 'The buffer is low, so be careful.',
    votes: [
      { rule: 'ThroughputRule', rung: 4 },
      { rule: 'BolaRule', rung: null },
    ],
    values: { safetyFactor: 0.9 },
    moment: { bufferMs: 4000, lastRung: null },
    missing: {},
  } as unknown as DecisionEvent;
  const line = decisionsCsvLine(decision);
  expect(line).toContain('"The buffer is low, so be careful."');
  expect(line).toContain('ThroughputRule=4 BolaRule=-,safetyFactor=0.9,');
  const commasOutsideQuotes = line.replace(/"[^"]*"/g, '').split(',').length;
  expect(commasOutsideQuotes).toBe(cells(decisionsCsvHead).length);
});
