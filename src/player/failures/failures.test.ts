import { describe, expect, it, vi } from 'vitest';
import { trackOf } from '../controls.ts';
import { withOriginRequests } from '../originRequests.ts';
import { failureOf } from './errors.ts';
import { createFatal } from './watchFailures.ts';

const start = { hasManifest: false, isProtected: false };
const playing = { hasManifest: true, isProtected: false };
const error = (code: number, status?: number) => ({
  code,
  message: `dash.js says ${code}`,
  data: status === undefined ? null : { response: { status } },
});

describe('what a dash.js error means', () => {
  it.each([
    [25, 404, start, 'fatal', /manifest could not be loaded: the server answered 404/],
    [
      25,
      0,
      start,
      'fatal',
      /cannot be reached, or this browser does not trust its certificate, or it does not allow/,
    ],
    [25, 503, playing, 'notice', /503/],
    [10, undefined, start, 'fatal', /could not be understood/],
    [10, undefined, playing, 'notice', /could not be understood/],
    [27, 404, playing, 'segment', /segment could not be loaded: the server answered 404/],
    [28, 0, playing, 'segment', /cannot be reached/],
    [27, 200, playing, 'segment', /nothing in it/],
    [32, undefined, playing, 'fatal', /nothing that this browser can play/],
    [32, undefined, { ...playing, isProtected: true }, 'fatal', /protected/],
    [3, undefined, playing, 'fatal', /decode/],
    [12, undefined, playing, 'notice', /dash\.js says 12/],
  ] as const)('%s with status %s', (...[code, status, when, kind, message]) => {
    const failure = failureOf(error(code, status), when);
    expect(failure.kind).toBe(kind);
    expect(failure.message).toMatch(message);
  });

  it('names what is missing, without the query of its address', () => {
    const request = {
      url: 'https://cdn.example/a/init.mp4?token=secret',
      type: 'InitializationSegment',
      mediaType: 'video',
    };
    const { message } = failureOf({ ...error(28), data: { request, response: { status: 404 } } }, playing);
    expect(message).toBe(
      'The initialization segment of the video (init.mp4) could not be loaded: the server answered 404.',
    );
  });
});

describe('a time-out', () => {
  const timedOut = (duration: number, retryAttempts = 3) => ({
    ...error(25),
    data: {
      request: { retryAttempts },
      response: { status: 0, request: { timeout: 10_000 }, resourceTiming: { duration } },
    },
  });

  it('is named with its limit and the number of tries', () => {
    expect(failureOf(timedOut(10_002), start).message).toBe(
      'The manifest could not be loaded: it did not come whole within 10 s, in any of 4 tries.',
    );
    expect(failureOf(timedOut(10_002, 0), start).message).toBe(
      'The manifest could not be loaded: it did not come whole within 10 s.',
    );
  });

  it('is no cause where the request failed earlier', () => {
    expect(failureOf(timedOut(80), start).message).toMatch(/cannot be reached/);
  });
});

describe('the fatal failure', () => {
  it('is the first one, and reaches a listener that is added later', () => {
    const [onFirst, early, late] = [vi.fn(), vi.fn(), vi.fn()];
    const fatal = createFatal(onFirst);
    fatal.onFatal(early);
    fatal.fail('one');
    fatal.fail('two');
    fatal.onFatal(late);
    for (const listener of [onFirst, early, late]) expect(listener.mock.calls).toEqual([['one']]);
  });
});

describe('requests to an origin', () => {
  const origins = { 'https://cdn.example': { headers: { 'x-token': 'secret' }, credentials: true } };

  it('get its headers and credentials, in place', () => {
    const request = { url: 'https://cdn.example/a/b.m4s?x=1', headers: { Range: 'bytes=0-1' } };
    expect(withOriginRequests(request, origins)).toBe(request);
    expect(request).toEqual({
      url: 'https://cdn.example/a/b.m4s?x=1',
      headers: { Range: 'bytes=0-1', 'x-token': 'secret' },
      credentials: 'include',
    });
  });

  it.each([
    'https://cdn.example.evil/a',
    'http://cdn.example/a',
    'https://cdn.example:8443/a',
    'not a url',
    'https://__proto__/a',
  ])('elsewhere get nothing: %s', (url) => {
    expect(withOriginRequests({ url }, origins)).toEqual({ url });
  });
});

describe('a track', () => {
  it.each([
    [{ lang: 'de', labels: [{ text: 'Deutsch' }] }, 'Deutsch', 'de'],
    [{ lang: 'de', roles: [{ value: 'commentary' }] }, 'de, commentary', 'de'],
    [{ lang: 'und', roles: [{ value: 'main' }] }, 'Track 3', null],
    [{}, 'Track 3', null],
  ])('%o is called %s', (info, label, language) => {
    expect(trackOf(info, 2, true)).toEqual({ id: '2', label, language, current: true });
  });
});
