import { describe, expect, it } from 'vitest';
import type { RequestEvent } from '../event.ts';
import { exampleLog, exampleRequest } from '../exampleLog.testing.ts';
import { matchRequests, type Candidate } from './joinTransport.ts';

const ZERO = exampleLog().clock.startedAtUnixMs;
const url = 'https://origin.test/v.mp4';
const asked = (id: string, atMs: number, changes: Partial<RequestEvent> = {}) =>
  exampleRequest({ id, url, atMs, startMs: atMs, lastByteMs: atMs + 100, encodedBodyBytes: 500, ...changes });
const seen = (name: string, atMs: number, changes: Partial<Candidate> = {}) => ({
  name,
  url,
  method: 'GET',
  startUnixMs: ZERO + atMs,
  endUnixMs: ZERO + atMs + 100,
  receivedBytes: 500,
  ...changes,
});

function matched(requests: readonly RequestEvent[], candidates: readonly ReturnType<typeof seen>[]) {
  const log = exampleLog({ segments: 0, extra: requests });
  return Object.fromEntries(
    [...matchRequests(log, candidates)].map(([id, found]) => [id, found.map(({ name }) => name).join(' ')]),
  );
}

describe('a request is', () => {
  it('the candidate of its URL that is nearest in time', () => {
    expect(matched([asked('a', 1000), asked('b', 1500)], [seen('late', 1510), seen('early', 990)])).toEqual({
      a: 'early',
      b: 'late',
    });
  });

  it('none that is seconds away, of another method or of another URL', () => {
    const others = [
      seen('later', 4000),
      seen('preflight', 1000, { method: 'OPTIONS' }),
      seen('other', 1000, { url: `${url}2` }),
    ];
    expect(matched([asked('a', 1000)], others)).toEqual({});
  });

  it('found by its size where byte ranges of one URL were requested at once', () => {
    const requests = [
      asked('a', 1000, { encodedBodyBytes: 700 }),
      asked('b', 1001, { encodedBodyBytes: 300 }),
    ];
    const candidates = [
      seen('small', 1000, { receivedBytes: 300 }),
      seen('large', 1001, { receivedBytes: 700 }),
    ];
    expect(matched(requests, candidates)).toEqual({ a: 'large', b: 'small' });
  });

  it('found though the log hides query values and the transport source does not', () => {
    const request = asked('a', 1000, { url: 'https://origin.test/v.mp4?token=*' });
    expect(
      matched([request], [seen('one', 1000, { url: 'https://me@origin.test/v.mp4?token=secret#x' })]),
    ).toEqual({
      a: 'one',
    });
  });

  it('as many candidates as it has ranges, in their order, each known by its size', () => {
    const range = (receivedBytes: number, startMs: number) => ({
      range: '0-1',
      status: 206,
      startMs,
      firstByteMs: null,
      lastByteMs: startMs + 100,
      receivedBytes,
      protocol: 'h3',
      connectionReused: true,
      serverTiming: null,
      missing: { firstByteMs: 'not-supported' as const, serverTiming: 'not-sent' as const },
    });
    const split = asked('a', 1000, { ranges: [range(300, 1000), range(301, 1000), range(302, 1000)] });
    const candidates = [
      seen('third', 1001, { receivedBytes: 302 }),
      seen('whole', 1400, { receivedBytes: 500 }),
      seen('first', 1002, { receivedBytes: 300 }),
      seen('second', 1003, { receivedBytes: 301 }),
    ];
    expect(matched([split, asked('b', 1400)], candidates)).toEqual({ a: 'first second third', b: 'whole' });
  });

  it('at most one candidate, and a candidate at most one request', () => {
    expect(matched([asked('a', 1000), asked('b', 1010)], [seen('one', 1008)])).toEqual({ b: 'one' });
  });
});
