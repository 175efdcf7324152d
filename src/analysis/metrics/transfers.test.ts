import { describe, expect, it, test } from 'vitest';
import { exampleLog } from '../../telemetry/exampleLog.testing.ts';
import { checkSession } from '../../telemetry/schema/readSession.ts';
import { pick } from '../../shared/registry.ts';
import type { RequestEvent } from '../../telemetry/event.ts';
import { transferRequest, transferSession } from '../transport/transfers.testing.ts';
import { isMeasuredIn, metrics } from './registry.ts';

const of = (id: string, transfer: string, events: readonly RequestEvent[]) =>
  pick(metrics, id).of(transferSession(transfer, events));

/** 1 MB in 800 ms after 100 ms, then 2 MB in 1000 ms after 200 ms. */
const TWO = [
  transferRequest([0, 100, 900]),
  transferRequest([1400, 1600, 2600], { object: 1, sizeBytes: 2_000_000 }),
];

test.each([
  ['transfer-time', 1050, { '1 MB': 900, '2 MB': 1200 }],
  ['first-byte-time', 150, { '1 MB': 100, '2 MB': 200 }],
  // 24 Mbit in 1.8 s
  ['transfer-rate', 24_000 / 1.8, { '1 MB': 10_000, '2 MB': 16_000 }],
])('%s of two objects, one after the other', (id, value, by) => {
  const measured = of(id, 'objects:mb=1,2', TWO);
  expect(measured.value).toBeCloseTo(value, 9);
  expect(measured.by).toEqual(by);
});

describe('an object in ranges', () => {
  const ranges = [
    transferRequest([10, 90, 400], { part: 0, parts: 2 }),
    transferRequest([12, 80, 610], { part: 1, parts: 2 }),
  ];
  it('is there when all of them are', () =>
    expect(of('transfer-time', 'ranges:mb=1:ranges=2', ranges).value).toBe(600));
  it('begins with the first byte of any of them', () =>
    expect(of('first-byte-time', 'ranges:mb=1:ranges=2', ranges).value).toBe(70));
  it('has no time without one of them', () =>
    expect(of('transfer-time', 'ranges:mb=1:ranges=2', ranges.slice(1))).toEqual({
      value: null,
      why: '1 of 1 objects did not arrive whole, or their times are unknown.',
    }));
});

test.each<[string, Partial<RequestEvent>]>([
  ['was given up', { outcome: 'aborted', lastByteMs: null }],
  ['was answered with an error', { outcome: 'http-error' }],
  ['came in parts', { receivedBytes: 999_999 }],
  ['has no times', { firstByteMs: null }],
])('a session with an object that %s has no mean of the others', (_, changes) => {
  const events = [TWO[0]!, transferRequest([1400, 1600, 2600], { object: 1 }, changes)];
  for (const id of ['transfer-time', 'first-byte-time', 'transfer-rate'])
    expect(of(id, 'objects:mb=1:count=2', events).value).toBeNull();
});

describe('the share of the slower stream', () => {
  const progress = (bytes: readonly number[]) =>
    bytes.map((each, index) => ({ atMs: 200 + 100 * index, bytes: each }));
  it('counts only the time in which both download', () => {
    // Both from 100 to 500 ms: 0.5 MB of the first, by its samples, and all of the second.
    const first = transferRequest(
      [0, 100, 900],
      {},
      {
        progress: progress([100_000, 200_000, 300_000, 500_000, 600_000]),
      },
    );
    const second = transferRequest([0, 100, 500], { stream: 1 });
    const { value, by } = of('rate-share', 'streams:mb=1:count=1', [first, second]);
    expect(value).toBeCloseTo(100 / 3, 9);
    expect(by).toEqual({ 'stream 1': expect.closeTo(100 / 3, 9), 'stream 2': expect.closeTo(200 / 3, 9) });
  });

  it('is half where both are equal', () =>
    expect(
      of('rate-share', 'streams:mb=1:count=1', [
        transferRequest([0, 100, 900]),
        transferRequest([0, 100, 900], { stream: 1 }),
      ]).value,
    ).toBe(50));

  it('is not known where one waits for the other', () =>
    expect(
      of('rate-share', 'streams:mb=1:count=1', [
        transferRequest([0, 100, 300]),
        transferRequest([0, 400, 900], { stream: 1 }),
      ]),
    ).toEqual({ value: null, why: 'No two streams downloaded at the same time.' }));

  it('is not known of one stream', () => expect(of('rate-share', 'objects:mb=1,2', TWO).value).toBeNull());
});

test('a log without media is a session log, and every metric of a player says why it has no value', () => {
  const log = transferSession('objects:mb=1,2', TWO);
  expect(checkSession(log)).toEqual({ ok: true, value: log });
  const ofPlayers = metrics.filter((metric) => !isMeasuredIn(metric, true));
  const measured = ofPlayers.map((metric) => ({ id: metric.id, ...metric.of(log) }));
  expect(measured.filter(({ value }) => value !== null)).toEqual([]);
  expect(measured.filter(({ why }) => !why?.endsWith('.'))).toEqual([]);
});

test('metrics of transfers say that a session plays a stream', () => {
  const ofTransfers = metrics.filter((metric) => metric.sessions === 'transfers');
  expect(ofTransfers.map(({ id }) => id)).toEqual([
    'first-byte-time',
    'rate-share',
    'transfer-rate',
    'transfer-time',
  ]);
  for (const metric of ofTransfers)
    expect(metric.of(exampleLog()).why).toBe(
      'The session plays a stream; only sessions of pitwall transfer download objects.',
    );
});
