import { describe, expect, test } from 'vitest';
import type { RequestEvent } from '../event.ts';
import { exampleLog } from '../exampleLog.testing.ts';
import { checkSession } from '../schema/readSession.ts';
import { NO_PURPOSE, requestDraft, type RequestAnswer, type RequestFacts } from './requestDraft.ts';
import type { TimingEntry } from './resourceTiming.ts';

describe('a request in the log', () => {
  test('over a new connection has all its phases', () => {
    expect(draft()).toMatchObject({
      protocol: 'h2',
      connectionReused: false,
      startMs: 1010,
      domainLookupStartMs: 1011,
      connectStartMs: 1012,
      secureConnectionStartMs: 1013,
      connectEndMs: 1014,
      requestStartMs: 1015,
      firstByteMs: 1030,
      lastByteMs: 1050,
      transferSizeBytes: 1300,
      encodedBodyBytes: 1000,
      serverTiming: [{ name: 'rtt', durationMs: 20, description: '' }],
    });
  });

  test('over a warm one has no phases of connecting', () => {
    const warm = { domainLookupStart: 10, domainLookupEnd: 10, connectStart: 10, connectEnd: 10 };
    const event = draft({ timing: { ...ENTRY, ...warm, secureConnectionStart: 10 } });
    expect(event).toMatchObject({ protocol: 'h2', connectionReused: true, connectStartMs: null });
    expect(event.missing).toMatchObject({
      domainLookupStartMs: 'not-applicable',
      secureConnectionStartMs: 'not-applicable',
      connectEndMs: 'not-applicable',
    });
  });

  test('of a session without media says which it is, and what had come when, on the clock of the session', () => {
    const transfer = { stream: 1, object: 3, sizeBytes: 5000, part: 0, parts: 2 };
    const purpose = { ...NO_PURPOSE, type: 'probe' as const, transfer };
    expect(draft({ purpose, progress: [{ atMs: 35, bytes: 400 }] })).toMatchObject({
      transfer,
      progress: [{ atMs: 1035, bytes: 400 }],
    });
    expect(draft()).not.toHaveProperty('transfer');
    expect(draft()).not.toHaveProperty('progress');
  });

  test('in chunks has how long its bytes came, without the waits between them', () => {
    expect(draft({ answer: { ...ANSWER, activeMs: 12 } })).toMatchObject({ activeMs: 12 });
    expect(draft()).not.toHaveProperty('activeMs');
  });

  test('without TLS never secured its connection', () => {
    const event = draft({ timing: { ...ENTRY, secureConnectionStart: 0 } });
    expect(event.connectStartMs).toBe(1012);
    expect(event.missing['secureConnectionStartMs']).toBe('not-applicable');
  });

  test('without Timing-Allow-Origin keeps start and end only', () => {
    const event = draft({ timing: HIDDEN });
    expect(event).toMatchObject({ startMs: 1010, lastByteMs: 1050, protocol: null, firstByteMs: null });
    for (const field of ['protocol', 'connectionReused', 'firstByteMs', 'transferSizeBytes', 'serverTiming'])
      expect(event.missing[field]).toBe('no-tao');
  });

  test('that failed without a response hides nothing: it failed', () => {
    const event = draft({ timing: HIDDEN, answer: { ...ANSWER, ...NO_ANSWER, outcome: 'network-error' } });
    expect(event.missing).toMatchObject({ protocol: 'failed', lastByteMs: 'failed', status: 'failed' });
    expect(event).toMatchObject({ startMs: 1010, endMs: 1051, receivedBytes: 700 });
  });

  test('aborted with a body in flight knows its protocol but no sizes', () => {
    const timing = { ...ENTRY, transferSize: 0, encodedBodySize: 0, decodedBodySize: 0 };
    const event = draft({ timing, answer: { ...ANSWER, ...NO_ANSWER, outcome: 'aborted' } });
    expect(event).toMatchObject({
      protocol: 'h2',
      firstByteMs: 1030,
      lastByteMs: null,
      encodedBodyBytes: null,
    });
    for (const field of ['status', 'finalUrl', 'lastByteMs', 'encodedBodyBytes'])
      expect(event.missing[field]).toBe('aborted');
  });

  test.each([
    ['a byte range', '0-999', 'range-cache'],
    ['a whole file', null, 'not-supported'],
  ])('that is %s and whose entry names no protocol says so; it keeps its phases', (_name, range, reason) => {
    const event = draft({ range, timing: { ...ENTRY, nextHopProtocol: '' } });
    expect(event).toMatchObject({ protocol: null, connectionReused: false, firstByteMs: 1030 });
    expect(event.missing['protocol']).toBe(reason);
  });

  test('aborted before any answer did not fail', () => {
    const event = draft({ timing: HIDDEN, answer: { ...ANSWER, ...NO_ANSWER, outcome: 'aborted' } });
    expect(Object.values(event.missing)).not.toContain('failed');
    expect(event.missing).toMatchObject({ protocol: 'aborted', firstByteMs: 'aborted', status: 'aborted' });
  });

  test('from the cache rode no connection', () => {
    const event = draft({ timing: { ...ENTRY, transferSize: 0 } });
    expect(event).toMatchObject({ protocol: null, connectionReused: null, transferSizeBytes: 0 });
    expect(event.missing).toMatchObject({ protocol: 'cached', connectStartMs: 'cached' });
  });

  test('that was validated (304) did: it transferred headers', () => {
    expect(draft({ timing: { ...ENTRY, transferSize: 300 } }).protocol).toBe('h2');
    const unnamed = draft({ range: '0-999', timing: { ...ENTRY, transferSize: 300, nextHopProtocol: '' } });
    expect(unnamed).toMatchObject({ connectionReused: false, missing: { protocol: 'revalidated' } });
  });

  test('answered by a service worker does not pass for one of the cache', () => {
    const event = draft({ timing: { ...ENTRY, transferSize: 0, workerStart: 10 } });
    expect(event.missing).toMatchObject({ protocol: 'service-worker', connectStartMs: 'service-worker' });
    // It may be one that the worker lets the browser ask for.
    expect(draft({ timing: { ...ENTRY, workerStart: 10 } }).protocol).toBe('h2');
  });

  test('after Early Hints (103) has the first byte of the final answer', () => {
    expect(draft({ timing: { ...ENTRY, finalResponseHeadersStart: 45 } }).firstByteMs).toBe(1045);
    expect(draft({ timing: { ...ENTRY, finalResponseHeadersStart: 0 } }).firstByteMs).toBe(1030);
  });

  test('redirected says where to, redacted', () => {
    const answer = { ...ANSWER, finalUrl: 'https://cdn.test/1.m4s?sig=s3cret' };
    const event = draft({ answer, timing: { ...ENTRY, redirectStart: 10, redirectEnd: 12 } });
    expect(event).toMatchObject({ finalUrl: 'https://cdn.test/1.m4s?sig=*', redirectStartMs: 1010 });
  });

  test('redirected across origins without Timing-Allow-Origin hides when', () => {
    const answer = { ...ANSWER, finalUrl: 'https://cdn.test/1.m4s' };
    expect(draft({ answer, timing: HIDDEN }).missing['redirectStartMs']).toBe('no-tao');
  });

  test('that broke off after a redirect has no final address, but the times of it', () => {
    const answer = { ...ANSWER, outcome: 'network-error', status: 0, finalUrl: '' } as const;
    const event = draft({ answer, timing: { ...ENTRY, redirectStart: 10, redirectEnd: 12 } });
    expect(event).toMatchObject({ finalUrl: null, redirectStartMs: 1010, redirectEndMs: 1012 });
  });

  test.each(['no-entry', 'range-ambiguous'] as const)('%s: no timing at all, but sizes seen', (reason) => {
    const event = draft({ timing: reason });
    expect(event).toMatchObject({ protocol: null, startMs: null, receivedBytes: 1000, status: 200 });
    expect(event.missing['firstByteMs']).toBe(reason);
  });

  test('in flight knows only what was asked', () => {
    const event = draft({ answer: null });
    expect(event).toMatchObject({ outcome: 'in-flight', endMs: null, segment: 3 });
    expect(event.missing).toMatchObject({ endMs: 'in-flight', protocol: 'in-flight', status: 'in-flight' });
  });

  test('tells a header that was not sent from one that CORS hides', () => {
    const own = draft({ url: 'https://page.test/1.m4s', answer: { ...ANSWER, finalUrl: '' } });
    expect(own.missing['cmsdStatic']).toBe('not-sent');
    expect(draft().missing['cmsdStatic']).toBe('not-exposed');
    const reported = draft({ answer: { ...ANSWER, headers: { 'cmsd-static': 'ot=v' } } });
    expect(reported.cmsdStatic).toBe('ot=v');
  });

  test('keeps no secret: not in the URL, not in the service location', () => {
    const purpose = { ...FACTS.purpose, serviceLocation: 'https://o.test/base/?token=s3cret' };
    expect(JSON.stringify(draft({ url: `${FACTS.url}?token=s3cret`, purpose }))).not.toContain('s3cret');
  });

  test('is valid in every variation', () => {
    const variations: Partial<RequestFacts>[] = [
      {},
      { answer: null },
      { timing: HIDDEN },
      { timing: 'no-entry' },
      { timing: HIDDEN, answer: { ...ANSWER, ...NO_ANSWER, outcome: 'timeout' } },
      { purpose: { ...FACTS.purpose, type: 'manifest', mediaType: null, segment: NaN, rung: null } },
      { timing: { ...ENTRY, transferSize: 0 } },
    ];
    const events = variations.map((each, index) => ({ ...draft(each), id: `x${index}` }) as RequestEvent);
    expect(checkSession(exampleLog({ extra: events }))).toMatchObject({ ok: true });
  });
});

const ENTRY: TimingEntry = {
  name: 'https://o.test/1.m4s',
  startTime: 10,
  redirectStart: 0,
  redirectEnd: 0,
  fetchStart: 10,
  domainLookupStart: 11,
  domainLookupEnd: 12,
  connectStart: 12,
  secureConnectionStart: 13,
  connectEnd: 14,
  requestStart: 15,
  responseStart: 30,
  responseEnd: 50,
  nextHopProtocol: 'h2',
  transferSize: 1300,
  encodedBodySize: 1000,
  decodedBodySize: 1000,
  serverTiming: [{ name: 'rtt', duration: 20, description: '' }],
};

/** As Chromium gives it without Timing-Allow-Origin. */
const HIDDEN: TimingEntry = {
  ...ENTRY,
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

const ANSWER: RequestAnswer = {
  outcome: 'ok',
  status: 200,
  finalUrl: 'https://o.test/1.m4s',
  headers: {},
  receivedBytes: 1000,
  endMs: 51,
};
const NO_ANSWER = { status: 0, finalUrl: '', receivedBytes: 700 };

const FACTS: RequestFacts = {
  url: 'https://o.test/1.m4s',
  method: 'GET',
  range: null,
  attempt: 0,
  askedMs: 9,
  purpose: {
    type: 'media',
    mediaType: 'video',
    segment: 3,
    mediaStartMs: 6000,
    mediaDurationMs: 2000,
    periodId: 'p0',
    representationId: 'v1',
    rung: 1,
    bitrateKbps: 1000,
    serviceLocation: null,
  },
  answer: ANSWER,
  timing: ENTRY,
};

function draft(changes: Partial<RequestFacts> = {}) {
  return requestDraft(
    { ...FACTS, ...changes },
    { sessionMs: (ms) => ms + 1000, keepQueryValues: false, pageOrigin: 'https://page.test' },
  );
}
