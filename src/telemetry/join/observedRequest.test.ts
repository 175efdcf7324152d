import { describe, expect, test } from 'vitest';
import { observedRequest, outcomeOf } from './observedRequest.ts';
import type { TimingEntry } from './resourceTiming.ts';

const NONE = {
  redirectStart: 0,
  redirectEnd: 0,
  fetchStart: 10,
  domainLookupStart: 0,
  domainLookupEnd: 0,
  connectStart: 0,
  secureConnectionStart: 0,
  connectEnd: 0,
  requestStart: 0,
  responseStart: 0,
  nextHopProtocol: '',
  transferSize: 0,
  encodedBodySize: 0,
  decodedBodySize: 0,
  serverTiming: [],
};
const SENT = { ...NONE, requestStart: 12, responseStart: 30, nextHopProtocol: 'h2' };

const entry = (facts: Partial<TimingEntry>): TimingEntry => ({
  ...SENT,
  name: 'https://cdn.example/v/1.m4s?token=secret',
  startTime: 10,
  responseEnd: 50,
  ...facts,
});
const body = (sizeBytes: number) => ({
  transferSize: sizeBytes + 300,
  encodedBodySize: sizeBytes,
  decodedBodySize: sizeBytes,
});
const draft = (facts: Partial<TimingEntry>, type: 'media' | 'manifest' = 'media') =>
  observedRequest(entry(facts), { type, sessionMs: (ms) => ms + 1000, keepQueryValues: false });

/** What Chromium 156 reports, as it was read from it. */
describe('the outcome of a request', () => {
  test.each([
    ['a whole answer', { responseStatus: 200, ...body(400) }, 'ok'],
    ['a byte range through the cache', { responseStatus: 206, ...body(100), nextHopProtocol: '' }, 'ok'],
    ['an answer from the cache', { responseStatus: 200, ...body(400), transferSize: 0 }, 'ok'],
    ['an answer that hides its timing', { ...NONE, responseStatus: 200 }, 'ok'],
    ['an answer without a body', { responseStatus: 204, transferSize: 300 }, 'ok'],
    ['an error', { responseStatus: 404, ...body(2) }, 'http-error'],
    ['an error that hides its timing', { ...NONE, responseStatus: 404 }, 'http-error'],
    ['a refused connection, or an abort before the answer', { ...NONE, responseStatus: 0 }, null],
    ['an abort, or a time-out, in the body', { responseStatus: 0, transferSize: 300 }, null],
    ['a body that the page cancelled', { responseStatus: 200, transferSize: 300 }, null],
    ['a browser that names no status', body(400), null],
  ])('%s', (_name, facts, outcome) => expect(outcomeOf(entry(facts))).toBe(outcome));
});

test('a request has its timing, and a reason for all that Resource Timing has no field for', () => {
  const { missing, ...request } = draft({ responseStatus: 200, ...body(400) });
  expect(request).toMatchObject({
    kind: 'request',
    type: 'media',
    url: 'https://cdn.example/v/1.m4s?token=*',
    outcome: 'ok',
    status: 200,
    protocol: 'h2',
    atMs: 1010,
    startMs: 1010,
    firstByteMs: 1030,
    lastByteMs: 1050,
    endMs: 1050,
    receivedBytes: 400,
    transferSizeBytes: 700,
    redirectStartMs: null,
  });
  for (const field of [
    'method',
    'range',
    'attempt',
    'finalUrl',
    'mediaType',
    'segment',
    'rung',
    'cmsdStatic',
  ])
    expect([field, missing[field]]).toEqual([field, 'not-supported']);
  expect(missing).toMatchObject({ redirectStartMs: 'not-applicable' });
  expect(missing).not.toHaveProperty('receivedBytes');
});

test('what a manifest has no value of does not apply', () => {
  const { missing } = draft({ responseStatus: 200, ...body(400) }, 'manifest');
  expect(missing).toMatchObject({
    mediaType: 'not-applicable',
    segment: 'not-applicable',
    method: 'not-supported',
  });
});

test('what an origin hides has its reason, also whether it redirected', () => {
  const { missing, endMs } = draft({ ...NONE, responseStatus: 200 });
  expect(endMs).toBe(1050);
  for (const field of ['protocol', 'firstByteMs', 'receivedBytes', 'transferSizeBytes', 'redirectStartMs'])
    expect([field, missing[field]]).toEqual([field, 'no-tao']);
});

test('what broke off or was cancelled claims neither', () => {
  const { missing, outcome, status, lastByteMs } = draft({ ...NONE, responseStatus: 0 });
  expect([outcome, status, lastByteMs]).toEqual([null, null, null]);
  expect(
    new Set(['outcome', 'status', 'protocol', 'lastByteMs', 'receivedBytes'].map((each) => missing[each])),
  ).toEqual(new Set(['not-supported']));
});

test('an element that plays a file of another origin names no status, and the body is there', () => {
  expect(draft({ responseStatus: 0, ...body(400) })).toMatchObject({
    outcome: null,
    status: null,
    receivedBytes: 400,
    lastByteMs: 1050,
  });
});
