import { expect, test, vi } from 'vitest';
import { answerOf, purposeOf } from './dashRequest.ts';
import { hookLoader } from './hookLoader.ts';

/** What HTTPLoader and XHRLoader of dash.js 5.2.1 write into `customData`, in their order. */
type Data = Record<
  'onloadend' | 'onprogress' | 'onabort' | 'ontimeout' | 'abort',
  ((event?: unknown) => void) | undefined
>;

function hooked() {
  const hooks = {
    onSending: vi.fn(),
    onSent: vi.fn(),
    onProgress: vi.fn(),
    onTimeout: vi.fn(),
    onAbort: vi.fn(),
    onLoadEnd: vi.fn(),
  };
  const data = {} as Data;
  hookLoader(data as object, hooks);
  return { hooks, data };
}

test('the moment of sending is seen between the last callback and the abort function', () => {
  const { hooks, data } = hooked();
  data.onloadend = data.onprogress = data.onabort = () => undefined;
  expect(hooks.onSending).not.toHaveBeenCalled();
  data.ontimeout = () => undefined;
  expect(hooks.onSending).toHaveBeenCalledOnce();
  expect(hooks.onSent).not.toHaveBeenCalled();
  data.abort = () => undefined;
  expect(hooks.onSent).toHaveBeenCalledOnce();
});

test("dash.js' callbacks are still called, with their arguments and after ours", () => {
  const { hooks, data } = hooked();
  const own = vi.fn();
  data.onprogress = own;
  data.onprogress({ loaded: 7 });
  expect(hooks.onProgress).toHaveBeenCalledWith({ loaded: 7 });
  expect(own).toHaveBeenCalledWith({ loaded: 7 });
  expect(hooks.onProgress.mock.invocationCallOrder[0]).toBeLessThan(own.mock.invocationCallOrder[0] ?? 0);
});

test('a callback that dash.js takes away stays away', () => {
  const { data } = hooked();
  data.onloadend = () => undefined;
  data.onloadend = undefined;
  expect(data.onloadend).toBeUndefined();
});

test('two recorders of one player see the same request, and each callback is called once', () => {
  const { hooks, data } = hooked();
  const second = { ...hooks, onSent: vi.fn(), onTimeout: vi.fn(), onProgress: vi.fn() };
  hookLoader(data as object, second);
  const own = vi.fn();
  data.ontimeout = data.onprogress = own;
  data.abort = () => undefined;
  data.onprogress({ loaded: 7 });
  data.ontimeout();
  for (const { onSent, onTimeout, onProgress } of [hooks, second]) {
    expect(onSent).toHaveBeenCalledOnce();
    expect(onTimeout).toHaveBeenCalledOnce();
    expect(onProgress).toHaveBeenCalledExactlyOnceWith({ loaded: 7 });
  }
  expect(own).toHaveBeenCalledTimes(2);
  data.onprogress = undefined;
  expect(data.onprogress).toBeUndefined();
});

test('a hook that fails does not disturb the loader', () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  const { hooks, data } = hooked();
  hooks.onSent.mockImplementation(() => {
    throw new Error('broken');
  });
  expect(() => (data.abort = () => undefined)).not.toThrow();
  warn.mockRestore();
});

const response = (more: object) => ({ request: { url: 'u', customData: { request: {} } }, ...more });
const seen = { aborted: false, timedOut: false, progressBytes: 5, endMs: 1, method: 'GET' };

test.each([
  ['ok', {}, { status: 200, data: new ArrayBuffer(9) }],
  ['ok', {}, { status: 200, data: '' }],
  ['ok', { method: 'HEAD' }, { status: 200 }],
  ['http-error', {}, { status: 503, data: new ArrayBuffer(4) }],
  ['network-error', {}, { status: 0 }],
  [
    'network-error',
    {},
    { status: 200, request: { url: 'u', customData: { request: { fileLoaderType: 'fetch_loader' } } } },
  ],
  ['aborted', { aborted: true }, { status: 0 }],
  ['timeout', { timedOut: true }, { status: 0 }],
])('the outcome is %s for %j', (outcome, hooksSaw, given) => {
  expect(answerOf({ ...seen, ...hooksSaw }, response(given)).outcome).toBe(outcome);
});

test('received bytes are the body of a whole answer, else what progress counted', () => {
  expect(answerOf(seen, response({ status: 200, data: new ArrayBuffer(9) })).receivedBytes).toBe(9);
  expect(answerOf(seen, response({ status: 0 })).receivedBytes).toBe(5);
  // FetchLoader leaves only the last piece in `data`.
  const fetched = { url: 'u', customData: { request: { fileLoaderType: 'fetch_loader' } } };
  const data = new ArrayBuffer(2);
  expect(
    answerOf({ ...seen, progressBytes: 90 }, { request: fetched, status: 200, data }).receivedBytes,
  ).toBe(90);
});

test('dash.js asks for a sidx as a media segment without index and time', () => {
  const representation = {
    id: 1 as unknown as string,
    bandwidth: 5e5,
    mediaInfo: { streamInfo: { id: 'p0' } },
  };
  const sidx = { type: 'MediaSegment', mediaType: 'video', index: NaN, startTime: NaN, representation };
  const rungOf = () => 2;
  expect(purposeOf(sidx, rungOf)).toMatchObject({
    type: 'index',
    segment: null,
    representationId: '1',
    rung: 2,
  });
  const media = purposeOf({ ...sidx, index: 4, startTime: 8, duration: 2 }, rungOf);
  expect(media).toMatchObject({
    type: 'media',
    segment: 4,
    mediaStartMs: 8000,
    bitrateKbps: 500,
    periodId: 'p0',
  });
  expect(purposeOf({ type: 'MPD', mediaType: 'stream' }, rungOf)).toMatchObject({
    type: 'manifest',
    mediaType: null,
  });
  expect(purposeOf({ type: 'CmcdEvent' }, rungOf).type).toBe('other');
});
