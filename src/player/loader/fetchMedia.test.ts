import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { fetchMedia } from './fetchMedia.ts';
import { collectBytes } from './mediaBody.ts';
import type { LoadProgress, MediaRequest, MediaResponse } from './progressEvents.ts';

const servers: Server[] = [];

/** A loopback server; its address. */
async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/a.mp4`;
}

afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

interface Loaded {
  readonly response: MediaResponse;
  /** Names of the callbacks, in order; `end` is ours. */
  readonly calls: string[];
  readonly progress: { event: LoadProgress; atMs: number }[];
  readonly request: MediaRequest;
  readonly ended: Promise<void>;
}

/** Loads as dash.js' HTTPLoader does, with its callbacks. */
function load(url: string, more: Partial<MediaRequest> = {}): Loaded {
  const [calls, progress]: [string[], Loaded['progress']] = [[], []];
  const response: MediaResponse = { status: 0 };
  let resolve = (): void => undefined;
  const ended = new Promise<void>((fulfil) => (resolve = fulfil));
  const request: MediaRequest = {
    url,
    method: 'GET',
    responseType: 'arraybuffer',
    headers: { Range: 'bytes=0-999' },
    credentials: 'omit',
    timeout: 0,
    customData: {
      onloadend: () => void calls.push('onloadend'),
      onabort: () => void calls.push('onabort'),
      ontimeout: () => void calls.push('ontimeout'),
      onprogress: (event) => void progress.push({ event, atMs: performance.now() }),
    },
    ...more,
  };
  fetchMedia(request, response, {
    onEnd() {
      calls.push('end');
      queueMicrotask(resolve);
    },
  });
  return { response, calls, progress, request, ended };
}

const bodyOf = (length: number): Buffer => Buffer.from(Array.from({ length }, (_, at) => (at * 7) % 251));
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function sendInPieces(response: ServerResponse, body: Buffer, pieces: number): Promise<void> {
  const size = Math.ceil(body.length / pieces);
  for (let from = 0; from < body.length; from += size) {
    response.write(body.subarray(from, from + size));
    await pause(20);
  }
}

describe('an answer', () => {
  test('that is whole fills the response as XMLHttpRequest would', async () => {
    const body = bodyOf(1000);
    const seen = vi.fn();
    const url = await serve((request, response) => {
      seen(request.headers['range'], request.headers['x-token'], request.headers['x-empty']);
      response.writeHead(206, { 'Content-Range': 'bytes 0-999/5000', 'Content-Length': 1000 }).end(body);
    });
    const { response, calls, progress, ended } = load(url, {
      headers: { Range: 'bytes=0-999', 'X-Token': 'a', 'X-Empty': null },
    });
    await ended;
    expect(seen.mock.calls).toEqual([['bytes=0-999', 'a', undefined]]);
    expect(response).toMatchObject({ url, status: 206, statusText: 'Partial Content' });
    expect(response.headers?.['content-range']).toBe('bytes 0-999/5000');
    expect(Buffer.from(response.data as ArrayBuffer).equals(body)).toBe(true);
    expect(calls).toEqual(['end', 'onloadend']);
    expect(progress.at(-1)?.event).toEqual({ loaded: 1000, total: 1000, lengthComputable: true });
  });

  test.each([404, 503])('%s is reported with its status and body', async (status) => {
    const url = await serve((_request, response) => response.writeHead(status).end('gone'));
    const { response, calls, ended } = load(url);
    await ended;
    expect(response.status).toBe(status);
    expect((response.data as ArrayBuffer).byteLength).toBe(4);
    expect(calls).toEqual(['end', 'onloadend']);
  });

  test('after a redirect has the last address', async () => {
    const url = await serve((request, response) => {
      if (request.url === '/b') return void response.writeHead(206).end('x');
      response.writeHead(302, { Location: '/b' }).end();
    });
    const { response, ended } = load(url);
    await ended;
    expect(response.url).toBe(new URL('/b', url).href);
  });

  test('without a body is empty', async () => {
    const url = await serve((_request, response) => response.writeHead(204).end());
    const { response, progress, ended } = load(url);
    await ended;
    expect(response.status).toBe(204);
    expect((response.data as ArrayBuffer).byteLength).toBe(0);
    expect(progress).toEqual([]);
  });

  test.each([
    ['of unknown length', (body: Buffer, response: ServerResponse) => response.writeHead(200).end(body)],
    [
      'with a content encoding',
      (body: Buffer, response: ServerResponse) => {
        const packed = gzipSync(body);
        response.writeHead(200, { 'Content-Encoding': 'gzip', 'Content-Length': packed.length }).end(packed);
      },
    ],
  ])('%s comes whole; its length is not announced', async (_name, answer) => {
    const body = bodyOf(300_000);
    const url = await serve((_request, response) => void answer(body, response));
    const { response, progress, ended } = load(url);
    await ended;
    expect(Buffer.from(response.data as ArrayBuffer).equals(body)).toBe(true);
    expect(progress.every(({ event }) => !event.lengthComputable && event.total === 0)).toBe(true);
    expect(progress.at(-1)?.event.loaded).toBe(body.length);
  });
});

test('progress is reported at most every 50 ms, each time with more, and last with all', async () => {
  const body = bodyOf(60_000);
  const url = await serve((_request, response) => {
    response.writeHead(206, { 'Content-Length': body.length });
    void sendInPieces(response, body, 15).then(() => response.end());
  });
  const startMs = performance.now();
  const { progress, ended } = load(url);
  await ended;
  // 15 pieces in 300 ms or, on a busy machine, more.
  expect(progress.length).toBeGreaterThanOrEqual(4);
  expect(progress.length).toBeLessThanOrEqual((performance.now() - startMs) / 50 + 2);
  const loaded = progress.map(({ event }) => event.loaded);
  expect(loaded).toEqual([...new Set(loaded)].sort((one, other) => one - other));
  expect(progress.at(-1)?.event).toEqual({ loaded: 60_000, total: 60_000, lengthComputable: true });
});

describe('an abort', () => {
  const closed = vi.fn();
  /** Answers a half body, or with `bytes` 0 not even a head, and never ends. */
  const stuck = (bytes: number): Promise<string> =>
    serve((_request, response) => {
      response.on('close', closed);
      if (bytes > 0) response.writeHead(206, { 'Content-Length': 1000 }).write(bodyOf(bytes));
    });

  test.each([
    ['before the head', 0],
    ['in the middle of the body', 500],
  ])('%s is reported at once, and nothing after it', async (_name, bytes) => {
    closed.mockClear();
    const { request, response, calls } = load(await stuck(bytes));
    await pause(100);
    request.customData.abort?.();
    expect(calls).toEqual(['end', 'onabort']);
    request.customData.abort?.();
    await vi.waitFor(() => expect(closed).toHaveBeenCalled());
    await pause(20);
    expect(calls).toEqual(['end', 'onabort']);
    expect(response).toEqual({ status: 0 });
  });

  test('from a progress event ends the progress (a rule abandons the segment)', async () => {
    const url = await serve((_request, response) => {
      response.writeHead(206, { 'Content-Length': 60_000 });
      void sendInPieces(response, bodyOf(60_000), 20).then(() => response.end());
    });
    const { request, calls, progress } = load(url);
    const tell = request.customData.onprogress!;
    request.customData.onprogress = (event) => {
      tell(event);
      if (progress.length === 3) request.customData.abort?.();
    };
    await vi.waitFor(() => expect(calls).toEqual(['end', 'onabort']), { timeout: 5000 });
    await pause(120);
    expect(calls).toEqual(['end', 'onabort']);
    expect(progress).toHaveLength(3);
  });

  test('by HTTPLoader, which takes its callbacks away first, tells only onabort', async () => {
    const { request, calls, progress } = load(await stuck(500));
    await pause(60);
    const before = progress.length;
    request.customData.onloadend = request.customData.onprogress = undefined;
    request.customData.abort?.();
    await pause(60);
    expect(calls).toEqual(['end', 'onabort']);
    expect(progress).toHaveLength(before);
  });

  test('after the end does nothing', async () => {
    const url = await serve((_request, response) => response.writeHead(206).end('x'));
    const { request, calls, ended } = load(url);
    await ended;
    request.customData.abort?.();
    expect(calls).toEqual(['end', 'onloadend']);
  });
});

describe('the time is up', () => {
  test.each([
    ['before the head', 0, { loaded: 0, total: 0, lengthComputable: false }],
    ['in the middle of the body', 400, { loaded: 400, total: 1000, lengthComputable: true }],
  ])('%s: ontimeout, then onloadend without a status', async (_name, bytes, reported) => {
    const url = await serve((_request, response) => {
      if (bytes > 0) response.writeHead(206, { 'Content-Length': 1000 }).write(bodyOf(bytes));
    });
    // Before: the first fetch of a process is slow to begin.
    const startMs = performance.now();
    const loaded = load(url, { timeout: 150 });
    const ontimeout = vi.fn(loaded.request.customData.ontimeout);
    loaded.request.customData.ontimeout = ontimeout;
    await loaded.ended;
    expect(performance.now() - startMs).toBeGreaterThanOrEqual(149);
    expect(loaded.calls).toEqual(['end', 'ontimeout', 'onloadend']);
    expect(ontimeout).toHaveBeenCalledExactlyOnceWith(reported);
    expect(loaded.response).toEqual({ status: 0 });
  });

  test.each([0, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 40])(
    'never, with a limit of %s',
    async (timeout) => {
      const url = await serve(
        (_request, response) => void setTimeout(() => response.writeHead(206).end('x'), 50),
      );
      const { response, ended } = load(url, { timeout });
      await ended;
      expect(response.status).toBe(206);
    },
  );
});

describe('a network error is an end without a status', () => {
  test.each<[string, RequestListener]>([
    ['a connection that is closed before an answer', (request) => request.socket.destroy()],
    [
      'a body that is cut',
      (_request, response) => {
        response.writeHead(206, { 'Content-Length': 1000 }).write(bodyOf(500));
        setTimeout(() => response.destroy(), 30);
      },
    ],
  ])('%s', async (_name, listener) => {
    const { response, calls, ended } = load(await serve(listener));
    await ended;
    expect(calls).toEqual(['end', 'onloadend']);
    expect(response).toEqual({ status: 0 });
  });

  test.each(['http://127.0.0.1:1/a.mp4', 'not an address'])('%s', async (url) => {
    const { response, calls, ended } = load(url);
    await ended;
    expect(calls).toEqual(['end', 'onloadend']);
    expect(response).toEqual({ status: 0 });
  });
});

afterEach(() => void vi.restoreAllMocks());

const piece = (length: number, value: number): Uint8Array => new Uint8Array(length).fill(value);

test.each([
  ['as announced', 6],
  ['longer than announced', 4],
  ['shorter than announced', 9],
  ['of unknown length', null],
  ['announced as larger than any memory', 1e15],
  ['announced as empty', 0],
])('a body %s comes out as it went in', (_name, announcedBytes) => {
  const bytes = collectBytes(announcedBytes);
  for (const [length, value] of [
    [1, 1],
    [2, 2],
    [0, 9],
    [3, 3],
  ] as const)
    bytes.add(piece(length, value));
  expect(bytes.length).toBe(6);
  expect([...new Uint8Array(bytes.toBuffer())]).toEqual([1, 2, 2, 3, 3, 3]);
});

test('a body as long as announced is not copied again', () => {
  const bytes = collectBytes(1000);
  bytes.add(piece(1000, 1));
  expect(bytes.toBuffer()).toBe(bytes.toBuffer());
  expect(bytes.toBuffer().byteLength).toBe(1000);
});

test.each([
  ['of known length', 8_000_000, 1],
  ['of unknown length', null, 3],
])('copying a body %s takes time linear in its length', (_name, announcedBytes, times) => {
  let copiedBytes = 0;
  const set = Uint8Array.prototype.set;
  vi.spyOn(Uint8Array.prototype, 'set').mockImplementation(function (this: Uint8Array, ...args) {
    copiedBytes += args[0].length;
    set.apply(this, args);
  });
  const bytes = collectBytes(announcedBytes);
  for (let at = 0; at < 8000; at += 1) bytes.add(piece(1000, at));
  expect(copiedBytes).toBeLessThanOrEqual(times * 8_000_000);
});
