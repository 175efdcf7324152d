import { describe, expect, test } from 'vitest';
import { exampleLog, exampleRequest } from '../exampleLog.testing.ts';
import { checkSession } from '../schema/readSession.ts';
import { createRequestRanges, jointTiming, type RangeEnd } from './requestRanges.ts';
import type { TimingEntry } from './resourceTiming.ts';

const entry = (changes: Partial<TimingEntry> = {}): TimingEntry => ({
  name: 'https://o.test/1.m4s',
  startTime: 10,
  redirectStart: 0,
  redirectEnd: 0,
  fetchStart: 10,
  domainLookupStart: 10,
  domainLookupEnd: 10,
  connectStart: 10,
  connectEnd: 10,
  secureConnectionStart: 10,
  requestStart: 12,
  responseStart: 30,
  responseEnd: 50,
  nextHopProtocol: 'h2',
  transferSize: 1300,
  encodedBodySize: 1000,
  decodedBodySize: 1000,
  ...changes,
});

describe('several requests as one', () => {
  /** The second opens a connection, the third has the first byte. */
  const three = [
    entry({ responseStart: 40, responseEnd: 45 }),
    entry({ startTime: 11, connectStart: 12, connectEnd: 20, responseStart: 44, responseEnd: 90 }),
    entry({ startTime: 11.5, requestStart: 13, responseStart: 25, responseEnd: 60, decodedBodySize: 1002 }),
  ];

  test('last from the first start to the last byte, with the bytes of all', () => {
    expect(jointTiming(three)).toMatchObject({
      startTime: 10,
      responseEnd: 90,
      transferSize: 3900,
      encodedBodySize: 3000,
      decodedBodySize: 3002,
    });
  });

  test('have the phases of the one with the first byte: a later connection does not delay them', () => {
    expect(jointTiming(three)).toMatchObject({ requestStart: 13, responseStart: 25, connectEnd: 10 });
  });

  test('have the protocol of the largest body', () => {
    const mixed = [entry(), entry({ nextHopProtocol: 'h3', decodedBodySize: 1001 })];
    expect(jointTiming(mixed)).toMatchObject({ nextHopProtocol: 'h3' });
  });

  test('are unknown where one is, for its reason', () => {
    expect(jointTiming([entry(), 'range-ambiguous', 'no-entry'])).toBe('range-ambiguous');
    expect(jointTiming([])).toBe('no-entry');
  });

  test('are read from what browsers give, whose fields are getters', () => {
    const given = Object.create(Object.defineProperties({}, descriptorsOf(entry()))) as TimingEntry;
    expect({ ...given }).toEqual({});
    expect(jointTiming([given])).toEqual(entry());
  });
});

const descriptorsOf = (from: object): PropertyDescriptorMap =>
  Object.fromEntries(Object.entries(from).map(([name, value]) => [name, { get: () => value as unknown }]));

const end = (changes: Partial<RangeEnd> = {}): RangeEnd => ({
  outcome: 'ok',
  status: 206,
  receivedBytes: 1000,
  endMs: 51,
  ...changes,
});

/** Three ranges: one came, one was cancelled, one is in flight. */
function ranges() {
  const kept = createRequestRanges();
  const url = 'https://o.test/1.m4s';
  const [first, second] = ['0-999', '1000-2000'].map((range) => kept.sending({ range, url, sentMs: 10 }));
  kept.sending({ range: '2001-', url, sentMs: 10 });
  first!(end());
  second!(end({ outcome: 'aborted', status: 0, receivedBytes: 0 }));
  // It has ended: nothing changes that.
  second!(end());
  kept.sent[0]!.timing = entry({ serverTiming: [{ name: 'connection', duration: 0, description: '7' }] });
  kept.sent[1]!.timing = 'no-entry';
  return kept;
}

describe('each range in the log', () => {
  const recorded = ranges().recorded((ms) => ms + 1000);

  test('has its bytes and the timing of its own request, or why not', () => {
    expect(recorded.ranges).toMatchObject([
      {
        range: '0-999',
        status: 206,
        receivedBytes: 1000,
        protocol: 'h2',
        connectionReused: true,
        startMs: 1010,
        firstByteMs: 1030,
        lastByteMs: 1050,
        serverTiming: [{ name: 'connection', durationMs: 0, description: '7' }],
        missing: {},
      },
      { range: '1000-2000', status: null, receivedBytes: 0, protocol: null, startMs: null },
      { range: '2001-', status: null, receivedBytes: 0, lastByteMs: null },
    ]);
    expect(recorded.ranges.map(({ missing }) => [missing['status'], missing['protocol']])).toEqual([
      [undefined, undefined],
      ['aborted', 'no-entry'],
      ['in-flight', 'in-flight'],
    ]);
    expect(recorded.timing).toBe('no-entry');
  });

  test('makes a valid log, and one with a null without a reason does not', () => {
    const logOf = (made: typeof recorded.ranges) =>
      checkSession(exampleLog({ segments: 0, extra: [exampleRequest({ id: 'a', ranges: made })] }));
    expect(logOf(recorded.ranges)).toMatchObject({ ok: true });
    const [first, ...others] = recorded.ranges;
    expect(logOf([{ ...first!, protocol: null }, ...others])).toMatchObject({
      error: expect.stringContaining('/ranges: protocol is null and /missing gives no reason.') as string,
    });
  });
});
