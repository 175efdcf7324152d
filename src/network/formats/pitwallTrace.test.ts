import { describe, expect, it } from 'vitest';
import { pitwallTrace } from './pitwallTrace.ts';
import { errorOf, piecesOf } from './testReading.ts';

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
    ['{"pieces": []}', 'x, line 1, column 1: The field schema is to be "pitwall-trace/1".'],
    ['{"schema": "pitwall-trace/2"}', 'x, line 1, column 12: The field schema is to be "pitwall-trace/1".'],
    ['{"schema": "pitwall-trace/1"}', 'x, line 1, column 1: The field pieces is missing.'],
    [trace('7'), 'x, line 1, column 57: pieces is to be a list.'],
    [trace('[]'), 'x: It holds no piece of a trace.'],
    [trace('[{"durationMs": 5}]'), 'x, line 1, column 58: The field rateKbps is missing.'],
  ])('refuses %j', (text, sentence) => expect(errorOf(pitwallTrace.read(text, 'x'))).toBe(sentence));
});
