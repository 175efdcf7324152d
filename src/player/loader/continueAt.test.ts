import type { IncomingMessage } from 'node:http';
import { describe, expect, test, vi } from 'vitest';
import { fetchMedia } from './fetchMedia.ts';
import { type Listener, serve } from './mediaServers.testing.ts';
import type { MediaLoad } from './mediaBody.ts';
import type { MediaRequest, MediaResponse } from './progressEvents.ts';

/** A media request that is continued at another server, against servers of every temper. */

const BODY = Buffer.from(Array.from({ length: 40_000 }, (_, at) => (at * 7) % 251));
const HALF = 20_000;

/** First and last byte that a request asks for. */
function askedBy({ headers }: IncomingMessage): { first: number; last: number } | null {
  const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(headers.range ?? '') ?? [];
  return first === undefined ? null : { first: Number(first), last: last ? Number(last) : BODY.length - 1 };
}

/** Serves ranges and whole files, as any server. */
const good: Listener = (request, response) => {
  const asked = askedBy(request);
  if (!asked) return void response.writeHead(200, { 'Content-Length': BODY.length }).end(BODY);
  const part = BODY.subarray(asked.first, asked.last + 1);
  response
    .writeHead(206, {
      'Content-Length': part.length,
      'Content-Range': `bytes ${asked.first}-${asked.last}/${BODY.length}`,
    })
    .end(part);
};

/** Sends half of what the first request asks for and no more; serves all later requests well. */
function slowAtFirst(): Listener {
  let count = 0;
  return (request, response) => {
    if ((count += 1) > 1) return good(request, response);
    const { first, last } = askedBy(request) ?? { first: 0, last: BODY.length - 1 };
    response.writeHead(askedBy(request) ? 206 : 200, { 'Content-Length': last + 1 - first });
    response.write(BODY.subarray(first, first + HALF));
  };
}

interface Continued {
  readonly response: MediaResponse;
  readonly calls: string[];
  readonly load: MediaLoad;
  /** What the recorder was told. */
  readonly parts: { url: string; range: string | null; receivedBytes: number }[];
  readonly beganAnew: ReturnType<typeof vi.fn>;
  readonly ended: Promise<void>;
}

function start(
  url: string,
  headers: Record<string, string> = {},
  onContinued = (): void => undefined,
): Continued & { request: MediaRequest } {
  const calls: string[] = [];
  const parts: Continued['parts'] = [];
  const beganAnew = vi.fn();
  const response: MediaResponse = { status: 0 };
  let resolve = (): void => undefined;
  const ended = new Promise<void>((fulfil) => (resolve = fulfil));
  const request: MediaRequest = {
    url,
    method: 'GET',
    responseType: 'arraybuffer',
    headers,
    credentials: 'omit',
    timeout: 0,
    customData: {
      onloadend: () => void calls.push('onloadend'),
      onabort: () => void calls.push('onabort'),
      recorded: {
        part: () => null,
        continued(part) {
          parts.push(part);
          onContinued();
        },
        beganAnew,
        inRanges: () => undefined,
      },
    },
  };
  const load = fetchMedia(request, response, {
    onEnd() {
      calls.push('end');
      queueMicrotask(resolve);
    },
    onPart: () => void calls.push('part'),
  });
  return { request, response, calls, load, parts, beganAnew, ended };
}

test('the recorder hears of the second request before it goes out: its timing entry begins no earlier', async () => {
  const fetched = vi.spyOn(globalThis, 'fetch');
  const [first, second] = [await serve(slowAtFirst()), await serve(good)];
  const sentBefore: number[] = [];
  const one = start(first, {}, () => void sentBefore.push(fetched.mock.calls.length));
  await vi.waitFor(() => expect(one.load.progress().bytes).toBe(HALF));
  one.load.continueAt(second);
  await one.ended;
  expect([sentBefore, fetched.mock.calls.length]).toEqual([[1], 2]);
  fetched.mockRestore();
});

/** Continues at `other` once half of the body is there. */
async function continuedAt(other: Listener, headers?: Record<string, string>) {
  const [first, second] = [await serve(slowAtFirst()), await serve(other)];
  const one = start(first, headers);
  await vi.waitFor(() => expect(one.load.progress().bytes).toBe(HALF));
  expect(one.load.continueAt(second)).toBe(true);
  expect(one.load.continueAt(second)).toBe(false);
  await one.ended;
  return { ...one, first, second };
}

const bytesOf = ({ response }: Pick<Continued, 'response'>): Buffer =>
  Buffer.from(response.data as ArrayBuffer);

test('the rest comes from the other server, and the whole is what one server would have sent', async () => {
  const one = await continuedAt(good);
  expect(one.response).toMatchObject({ status: 200, statusText: 'OK', url: one.second });
  expect(bytesOf(one).equals(BODY)).toBe(true);
  expect(one.parts).toEqual([{ url: one.second, range: `${HALF}-`, receivedBytes: HALF }]);
  expect(one.beganAnew).not.toHaveBeenCalled();
  expect(one.calls).toEqual(['part', 'end', 'onloadend']);
});

test('of a byte range, too', async () => {
  const one = await continuedAt(good, { Range: 'bytes=5000-34999' });
  expect(one.response.status).toBe(206);
  expect(bytesOf(one).equals(BODY.subarray(5000, 35_000))).toBe(true);
  expect(one.parts).toEqual([{ url: one.second, range: `${5000 + HALF}-34999`, receivedBytes: HALF }]);
});

test('before any byte: the same request is sent to the other server', async () => {
  const [first, second] = [await serve(() => undefined), await serve(good)];
  const one = start(first);
  expect(one.load.continueAt(second)).toBe(true);
  await one.ended;
  expect(bytesOf(one).equals(BODY)).toBe(true);
  expect(one.parts).toEqual([{ url: second, range: null, receivedBytes: 0 }]);
});

test('a server without byte ranges sends the whole body, which takes the place of the first half', async () => {
  const one = await continuedAt((_request, response) => response.writeHead(200).end(BODY));
  expect(bytesOf(one).equals(BODY)).toBe(true);
  expect(one.response.status).toBe(200);
  expect(one.beganAnew).toHaveBeenCalledOnce();
});

describe('where the other server fails, the rest comes from the first one', () => {
  const part = (headers: Record<string, string>, body: Buffer): Listener => {
    return (_request, response) => response.writeHead(206, headers).end(body);
  };
  test.each<[string, Listener]>([
    ['it answers 404', (_request, response) => response.writeHead(404).end('no')],
    ['it answers 503', (_request, response) => response.writeHead(503).end('no')],
    ['it closes the connection', (request) => request.socket.destroy()],
    [
      'it has another place of the file',
      part({ 'Content-Range': 'bytes 0-19999/40000' }, BODY.subarray(0, HALF)),
    ],
    ['its file is longer', part({ 'Content-Length': '30000' }, Buffer.alloc(30_000))],
    ['its file is shorter', part({ 'Content-Length': '10' }, Buffer.alloc(10))],
  ])('%s', async (_name, other) => {
    const one = await continuedAt(other);
    expect(bytesOf(one).equals(BODY)).toBe(true);
    expect(one.response).toMatchObject({ status: 200, url: one.first });
    expect(one.parts).toEqual([
      { url: one.second, range: `${HALF}-`, receivedBytes: HALF },
      { url: one.first, range: `${HALF}-`, receivedBytes: HALF },
    ]);
  });

  test('it dies in mid-body: what it sent is kept', async () => {
    const one = await continuedAt((request, response) => {
      const { first } = askedBy(request)!;
      response.writeHead(206, { 'Content-Length': BODY.length - first });
      response.write(BODY.subarray(first, first + 5000));
      setTimeout(() => response.destroy(), 50);
    });
    expect(bytesOf(one).equals(BODY)).toBe(true);
    expect(one.parts.at(-1)).toEqual({
      url: one.first,
      range: `${HALF + 5000}-`,
      receivedBytes: HALF + 5000,
    });
  });
});

test('where both fail, the request has failed, once', async () => {
  const first = await serve((request, response) => {
    if (askedBy(request)) return void request.socket.destroy();
    response.writeHead(200, { 'Content-Length': BODY.length }).write(BODY.subarray(0, HALF));
  });
  const one = start(first);
  await vi.waitFor(() => expect(one.load.progress().bytes).toBe(HALF));
  one.load.continueAt(await serve((request) => request.socket.destroy()));
  await one.ended;
  expect(one.response).toEqual({ status: 0 });
  expect(one.calls.filter((each) => each === 'onloadend')).toHaveLength(1);
});

test('an abort ends it, also on the other server', async () => {
  const [first, second] = [await serve(slowAtFirst()), await serve(() => undefined)];
  const one = start(first);
  await vi.waitFor(() => expect(one.load.progress().bytes).toBe(HALF));
  one.load.continueAt(second);
  await vi.waitFor(() => expect(one.parts).toHaveLength(1));
  one.request.customData.abort!();
  await one.ended;
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(one.calls).toEqual(['part', 'end', 'onabort']);
  expect(one.response).toEqual({ status: 0 });
});

test('a request that has ended is not continued', async () => {
  const one = start(await serve(good));
  await one.ended;
  expect(one.load.continueAt('http://127.0.0.1:1/a.m4s')).toBe(false);
});
