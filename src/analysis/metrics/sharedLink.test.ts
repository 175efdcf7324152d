import { describe, expect, test } from 'vitest';
import { pick } from '../../shared/registry.ts';
import { exampleRequest } from '../../telemetry/exampleLog.testing.ts';
import type { SessionEvent, SessionLog } from '../../telemetry/schema/sessionLog.ts';
import {
  besideFlows,
  besidePlayers,
  exampleSession,
  linked,
  playback,
  rung,
} from '../timeline/example.testing.ts';
import { metrics } from './registry.ts';
import { jainIndex } from './sharedLink.ts';
import { playedBySecond } from '../transport/sharedLink.ts';

const of = (id: string, log: SessionLog) => pick(metrics, id).of(log);

/** Asked for at the first moment; bytes come between the other two. */
const media = (
  startMs: number,
  firstByteMs: number,
  lastByteMs: number,
  receivedBytes: number,
): SessionEvent =>
  exampleRequest({ atMs: startMs, startMs, firstByteMs, lastByteMs, endMs: lastByteMs, receivedBytes });

/** 1 MB from 1 to 2 s, of which the first 0.5 s were a wait; 1 MB from 3 to 4 s. */
const twoSegments = exampleSession([media(1000, 1500, 2000, 1_000_000), media(3000, 3000, 4000, 1_000_000)]);
const whole = { fromMs: 0, toMs: 5000 };

describe('the share of the link', () => {
  test.each([
    // in 1 to 2 s and 3 to 4 s the flow has 1 MB + 2 MB
    ['one flow', [{ ...whole, bytesBySecond: [9e6, 1e6, 9e6, 2e6, 9e6] }], 40],
    [
      'two flows',
      [
        { ...whole, bytesBySecond: [0, 1e6, 0, 2e6, 0] },
        { ...whole, bytesBySecond: [0, 2e6, 0, 3e6, 0] },
      ],
      20,
    ],
    // from 1.5 to 2 s: all of the first segment, and all that the flow had by then
    ['a flow that begins in a download', [{ fromMs: 1500, toMs: 2500, bytesBySecond: [0, 1e6, 1e6] }], 50],
    // from 3 to 3.5 s: half of the second segment
    ['a flow that ends in a download', [{ fromMs: 2500, toMs: 3500, bytesBySecond: [0, 0, 1e6, 1.5e6] }], 25],
    ['a flow that receives nothing', [{ ...whole, bytesBySecond: [0, 0, 0, 0, 0] }], 100],
  ])('counts while the viewer downloads: %s', (_what, flows, share) =>
    expect(of('link-share', besideFlows(twoSegments, flows)).value).toBeCloseTo(share, 9),
  );

  test('is unknown without a flow, or where none runs while the viewer downloads', () => {
    const none = 'Nothing ran beside the viewer while it downloaded.';
    const between = [{ fromMs: 2000, toMs: 3000, bytesBySecond: [0, 0, 1e6] }];
    for (const log of [twoSegments, besideFlows(twoSegments, []), besideFlows(twoSegments, between)])
      expect(of('link-share', log)).toEqual({ value: null, why: none });
  });

  test('counts what came in one moment where that moment is', () => {
    const log = exampleSession([media(1000, 2000, 2000, 1_000_000)]);
    expect(of('link-share', besideFlows(log, [{ ...whole, bytesBySecond: [0, 3e6] }])).value).toBe(25);
  });
});

test('the rate of a flow is that while the viewer downloads', () => {
  const flows = [
    { ...whole, bytesBySecond: [9e6, 1e6, 9e6, 2e6, 9e6] },
    { fromMs: 3000, toMs: 5000, bytesBySecond: [0, 0, 0, 500_000, 0] },
  ];
  // 3 MB in 2 s are 12 Mbit/s, 0.5 MB in 1 s are 4 Mbit/s.
  expect(of('flow-throughput', besideFlows(twoSegments, flows)).value).toBeCloseTo(8000, 9);
});

describe('the fairness index', () => {
  test.each([
    [[1, 1, 1, 1], 1],
    [[1, 0, 0, 0], 0.25],
    // 36 / (3 × 14)
    [[1, 2, 3], 36 / 42],
    [[0, 0], null],
  ])('of %j is %s', (rates, index) => expect(jainIndex(rates)).toBe(index));

  test('compares the viewer with each flow', () => {
    // 1 MB/s and 3 MB/s: 16 / (2 × 10)
    const log = besideFlows(twoSegments, [{ ...whole, bytesBySecond: [0, 3e6, 0, 3e6, 0] }]);
    expect(of('fairness-index', log).value).toBeCloseTo(0.8, 9);
  });
});

test('the overhead of protocols has no value where flows used the link too', () => {
  const log = linked(twoSegments, []);
  expect(of('protocol-overhead', log).value).not.toBeNull();
  expect(of('protocol-overhead', besideFlows(log, [{ ...whole, bytesBySecond: [1] }])).why).toMatch(
    /together/,
  );
  expect(of('protocol-overhead', besideFlows(log, [])).value).not.toBeNull();
});

describe('several viewers of a link', () => {
  // 1000 kbit/s from 0.5 s on, 4000 from 2.5 s on
  const events = [playback(500, 'playing'), rung(500, 1), rung(2500, 2), playback(5000, 'stopped')];
  const viewer = exampleSession([...events, media(0, 0, 4000, 4_000_000)]);

  test('what one of them saw and received is told by seconds of another clock', () =>
    expect(playedBySecond(viewer, { fromUnixMs: viewer.clock.startedAtUnixMs - 1000, seconds: 7 })).toEqual({
      bitrateKbpsBySecond: [null, null, 1000, 1000, 4000, 4000, 4000],
      bytesBySecond: [0, 1e6, 1e6, 1e6, 1e6, 0, 0],
    }));

  test('unfairness is a mean of √(1 − J), by seconds in which all see a picture', () => {
    // 1000 and 1000: 0; 1000 and 400: J = 1400² / (2 × 1,160,000); 4000 and 4000: 0
    const log = besidePlayers(viewer, [[400, 1000, 400, 4000, null]], 5000);
    const j = 1400 ** 2 / (2 * (1000 ** 2 + 400 ** 2));
    expect(of('unfairness', log).value).toBeCloseTo(Math.sqrt(1 - j) / 3, 12);
  });

  test('inefficiency is how far all of them are from the rate of the link', () => {
    const log = besidePlayers(viewer, [[null, 1000, 400, 4000, null]], 5000);
    expect(of('inefficiency', log).value).toBeCloseTo((3000 + 3600 + 3000) / 5000 / 3, 12);
    expect(of('inefficiency', besidePlayers(viewer, [[400, 400]], null)).value).toBeNull();
  });

  test('nobody else is no value', () => {
    for (const log of [viewer, besideFlows(viewer, []), besidePlayers(viewer, [[null, null]], 5000)])
      expect(of('unfairness', log).value).toBeNull();
  });

  test('another viewer takes a share of the link', () => {
    // 1 MB against 50,000 bytes in each of four seconds
    const log = besidePlayers(viewer, [[400, 400, 400, 400]], 5000);
    expect(of('link-share', log).value).toBeCloseTo(100 * (1 / 1.05), 9);
    expect(of('flow-throughput', log).value).toBeNull();
  });
});
