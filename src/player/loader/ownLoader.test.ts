import type { MediaPlayerClass } from 'dashjs';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { DashLoader, MediaRequest } from './progressEvents.ts';
import { useOwnLoader, type Splitter } from './ownLoader.ts';

/** dash.js' own loader, and ours in its place as FactoryMaker makes it: our methods are written into the very object. */
function extended(splitter: Splitter | null = null): { own: DashLoader; loader: DashLoader } {
  const own = { load: vi.fn(() => true), abort: vi.fn(), reset: vi.fn(), resetInitialSettings: vi.fn() };
  const parent: DashLoader = { ...own };
  const extend = vi.fn<(name: string, child: object, override: boolean) => void>();
  useOwnLoader({ extend } as unknown as MediaPlayerClass, { uncachedRanges: true, watcher: null, splitter });
  const [name, child, override] = extend.mock.calls[0]!;
  expect([name, override]).toEqual(['XHRLoader', true]);
  const loader = Object.assign(
    parent,
    (child as (this: { parent: DashLoader }) => DashLoader).call({ parent }),
  );
  return { own, loader };
}

const requestOf = (more: Partial<MediaRequest> = {}): MediaRequest => ({
  url: 'https://cdn.example/a.mp4',
  method: 'GET',
  responseType: 'arraybuffer',
  headers: { Range: 'bytes=0-9' },
  customData: { onabort: vi.fn(), onloadend: vi.fn() },
  ...more,
});

const fetching = vi.fn<typeof fetch>();
beforeEach(() => {
  // Never answers.
  fetching.mockReset().mockImplementation(() => new Promise(() => undefined));
  vi.stubGlobal('fetch', fetching);
});
afterEach(() => void vi.unstubAllGlobals());

test('a byte range is fetched past the cache', () => {
  const { own, loader } = extended();
  expect(loader.load(requestOf({ credentials: 'omit' }), {})).toBe(true);
  expect(own.load).not.toHaveBeenCalled();
  const [url, options] = fetching.mock.calls[0]!;
  expect(url).toBe('https://cdn.example/a.mp4');
  expect(options).toMatchObject({
    method: 'GET',
    cache: 'no-store',
    credentials: 'same-origin',
    headers: [['Range', 'bytes=0-9']],
  });
});

test('with credentials where they are asked for', () => {
  extended().loader.load(requestOf({ credentials: 'include' }), {});
  expect(fetching.mock.calls[0]![1]).toMatchObject({ credentials: 'include' });
});

test.each<[string, Partial<MediaRequest>]>([
  ['a whole file', { headers: {} }],
  ['an empty range', { headers: { Range: '' } }],
  ['a manifest', { responseType: '' }],
  ['a question for its head alone', { method: 'HEAD' }],
  ['a body that is sent', { method: 'POST' }],
  ['an address with a password, which fetch refuses', { url: 'https://u:p@cdn.example/a.mp4' }],
])('%s stays with dash.js', (_name, more) => {
  const { own, loader } = extended();
  const [request, response] = [requestOf(more), {}];
  loader.load(request, response);
  expect(own.load).toHaveBeenCalledExactlyOnceWith(request, response);
  expect(fetching).not.toHaveBeenCalled();
});

test('what the splitter takes goes out as it says, and all else as before', () => {
  const body = { received: new Promise<never>(() => undefined), continueAt: () => false, abort: vi.fn() };
  const createBody = vi.fn(() => ({ ...body, progress: () => ({ bytes: 0, totalBytes: null }) }));
  const { own, loader } = extended({ bodyOf: ({ url }) => (url.endsWith('.m4s') ? createBody : null) });
  const segment = requestOf({ url: 'https://cdn.example/1.m4s', headers: {} });
  loader.load(segment, {});
  expect(createBody).toHaveBeenCalledOnce();
  expect(fetching).not.toHaveBeenCalled();
  loader.abort(segment);
  expect(body.abort).toHaveBeenCalledOnce();
  loader.load(requestOf({ headers: {} }), {});
  expect(own.load).toHaveBeenCalledOnce();
});

describe('what ends them', () => {
  const aborts = ({ customData }: MediaRequest): number => vi.mocked(customData.onabort!).mock.calls.length;

  test('a progress time-out aborts its request alone', () => {
    const { own, loader } = extended();
    const [one, other] = [requestOf(), requestOf()];
    loader.load(one, {});
    loader.load(other, {});
    loader.abort(one);
    expect([aborts(one), aborts(other)]).toEqual([1, 0]);
    expect(own.abort).not.toHaveBeenCalled();
  });

  test('also where an interceptor sent another object in its place', () => {
    const { own, loader } = extended();
    const asked = requestOf();
    loader.load({ ...asked, url: 'https://other.example/a.mp4' }, {});
    loader.abort(asked);
    expect(aborts(asked)).toBe(1);
    expect(own.abort).not.toHaveBeenCalled();
  });

  test("that of a request of dash.js' own loader goes there", () => {
    const { own, loader } = extended();
    const whole = requestOf({ headers: {} });
    loader.load(whole, {});
    loader.abort(whole);
    expect(own.abort).toHaveBeenCalledOnce();
  });

  test.each(['reset', 'resetInitialSettings'] as const)('%s aborts all, both ways', (method) => {
    const { own, loader } = extended();
    const requests = [requestOf(), requestOf()];
    for (const request of requests) loader.load(request, {});
    loader[method]();
    loader[method]();
    expect(requests.map(aborts)).toEqual([1, 1]);
    expect(own[method]).toHaveBeenCalledTimes(2);
  });

  test('one that has ended is not aborted', async () => {
    fetching.mockResolvedValue(new Response('0123456789', { status: 206 }));
    const { loader } = extended();
    const request = requestOf();
    loader.load(request, {});
    await vi.waitFor(() => expect(request.customData.onloadend).toHaveBeenCalledOnce());
    loader.reset();
    expect(aborts(request)).toBe(0);
  });
});
