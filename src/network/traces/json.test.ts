import { describe, expect, it } from 'vitest';
import { pitwallTrace, sabre } from './json.ts';
import { errorOf, piecesOf } from './trace.testing.ts';

const piece = (more: string): string => `[\n  {"duration_ms": 1000, ${more}}\n]`;

describe('Sabre JSON', () => {
  it('reads durations, rates and latencies', () =>
    expect(
      piecesOf(
        sabre.read(
          '[{"duration_ms": 1013, "bandwidth_kbps": 1285, "latency_ms": 100}, {"duration_ms": 1008, "bandwidth_kbps": 0, "latency_ms": 90}]',
          'x',
        ),
      ),
    ).toEqual([
      [1013, 1285, 100],
      [2021, 0, 90],
    ]));

  it('does without a latency', () =>
    expect(piecesOf(sabre.read(piece('"bandwidth_kbps": 5'), 'x'))).toEqual([[1000, 5]]));

  it.each([
    [piece('"latency_ms": 5'), 'x, line 2, column 3: The field bandwidth_kbps is missing.'],
    [
      piece('"bandwidth_kbps": -5'),
      'x, line 2, column 43: The field bandwidth_kbps is -5; it cannot be negative.',
    ],
    [piece('"bandwidth_kbps": "5"'), 'x, line 2, column 43: The field bandwidth_kbps must be a number.'],
    [piece('"bandwidth_kbps": NaN'), 'x, line 2, column 43: A value is expected, not "NaN".'],
    [piece('"bandwidth_kbps": 0'), 'x: Every rate is 0: nothing would ever arrive.'],
    [
      '[{"duration_ms": 0, "bandwidth_kbps": 5}]',
      'x, line 1, column 2: A piece lasts 0 ms; it must last longer.',
    ],
    ['[5]', 'x, line 1, column 2: An object with the field duration_ms is expected.'],
    ['[]', 'x: It holds no piece of a trace.'],
    ['{}', 'x, line 1, column 1: The trace must be a list.'],
  ])('refuses %j', (text, sentence) => expect(errorOf(sabre.read(text, 'x'))).toBe(sentence));
});

const trace = (pieces: string): string =>
  `{"schema": "pitwall-trace/1", "source": "me", "pieces": ${pieces}}`;

describe('pitwall-trace/1', () => {
  it('reads pieces with and without RTT', () => {
    expect(
      piecesOf(pitwallTrace.read(trace('[{"durationMs": 1000, "rateKbps": 800, "rttMs": 20}]'), 'x')),
    ).toEqual([[1000, 800, 20]]);
    expect(
      piecesOf(pitwallTrace.read(trace('[{"durationMs": 1000, "rateKbps": 800, "rttMs": null}]'), 'x')),
    ).toEqual([[1000, 800]]);
  });

  it.each([
    ['{"pieces": []}', 'x, line 1, column 1: The field schema must be "pitwall-trace/1".'],
    ['{"schema": "pitwall-trace/2"}', 'x, line 1, column 12: The field schema must be "pitwall-trace/1".'],
    ['{"schema": "pitwall-trace/1"}', 'x, line 1, column 1: The field pieces is missing.'],
    [trace('7'), 'x, line 1, column 57: pieces must be a list.'],
    [trace('[]'), 'x: It holds no piece of a trace.'],
    [trace('[{"durationMs": 5}]'), 'x, line 1, column 58: The field rateKbps is missing.'],
  ])('refuses %j', (text, sentence) => expect(errorOf(pitwallTrace.read(text, 'x'))).toBe(sentence));
});
