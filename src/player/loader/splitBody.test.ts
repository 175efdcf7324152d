import type { ServerResponse, IncomingMessage } from 'node:http';
import { describe, expect, test, vi } from 'vitest';
import type { RequestRanges } from '../../telemetry/join/requestRanges.ts';
import { fetchMedia } from './fetchMedia.ts';
import { type Listener, serve } from './mediaServers.testing.ts';
import type { LoadProgress, MediaRequest, MediaResponse } from './progressEvents.ts';
import { createSplitBody, type Splitting } from './splitBody.ts';

/** Segments in ranges at once, from real servers of every temper. */

const BODY = Buffer.from(Array.from({ length: 120_000 }, (_, at) => (at * 7) % 251));

const askedBy = ({ headers }: IncomingMessage): { first: number; last: number } => {
  const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(headers.range ?? '')!;
  return { first: Number(first), last: last ? Math.min(Number(last), BODY.length - 1) : BODY.length - 1 };
};

/** Answers with the range, as any server. `more`: headers besides, or others. */
const answerRange = (request: IncomingMessage, response: ServerResponse, more = {}): void => {
  const { first, last } = askedBy(request);
  if (first >= BODY.length)
    return void response.writeHead(416, { 'Content-Range': `bytes */${BODY.length}` }).end();
  const part = BODY.subarray(first, last + 1);
  const said = { 'Content-Range': `bytes ${first}-${last}/${BODY.length}` };
  response.writeHead(206, { 'Content-Length': part.length, ...said, ...more }).end(part);
};

/** As a browser sees an answer whose Content-Range CORS hides. */
const answerHidden: Listener = (request, response) => {
  const { first, last } = askedBy(request);
  if (first >= BODY.length) return void response.writeHead(416).end();
  const part = BODY.subarray(first, last + 1);
  response.writeHead(206, { 'Content-Length': part.length }).end(part);
};

const answerWhole: Listener = (_request, response) =>
  response.writeHead(200, { 'Content-Length': BODY.length }).end(BODY);

interface Loaded {
  readonly request: MediaRequest;
  readonly response: MediaResponse;
  readonly calls: string[];
  readonly progress: LoadProgress[];
  readonly faults: string[];
  /** What the recorder was given. */
  ranges(): RequestRanges['sent'];
  readonly ended: Promise<void>;
}

function load(url: string, how: Partial<Splitting> = {}, headers: Record<string, string> = {}): Loaded {
  const [calls, progress, faults]: [string[], LoadProgress[], string[]] = [[], [], []];
  const response: MediaResponse = { status: 0 };
  let ranges: RequestRanges | null = null;
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
      onprogress: (event) => void progress.push(event),
      recorded: {
        part: () => null,
        continued: () => undefined,
        beganAnew: () => undefined,
        inRanges: (sent) => void (ranges = sent),
      },
    },
  };
  const splitting: Splitting = {
    count: 6,
    sizeBytes: BODY.length,
    firstBytes: 20_000,
    isProven: true,
    onProven: () => void calls.push('proven'),
    onFault: (fault) => void faults.push(fault),
    ...how,
  };
  fetchMedia(request, response, {
    onEnd() {
      calls.push('end');
      queueMicrotask(resolve);
    },
    createBody: (asked, listeners) => createSplitBody(asked, listeners, splitting),
  });
  return { request, response, calls, progress, faults, ranges: () => ranges!.sent, ended };
}

const dataOf = ({ response }: Loaded): Buffer => Buffer.from(response.data as ArrayBuffer);
const bytesOf = (one: Loaded): number =>
  one.ranges().reduce((sum, { answer }) => sum + (answer?.receivedBytes ?? 0), 0);
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Answers only when so many requests are there: they must have left at the same time. */
function whenAllAreThere(count: number, answer: Listener = answerRange): Listener {
  const waiting: (() => void)[] = [];
  return (request, response) => {
    waiting.push(() => answer(request, response));
    // The last first: the order of arrival is not that of the file.
    if (waiting.length === count) for (const go of waiting.splice(0).reverse()) go();
  };
}

describe('a segment of known size', () => {
  test('goes out in all its ranges at once, and is one answer', async () => {
    const asked: string[] = [];
    const together = whenAllAreThere(6);
    const one = load(
      await serve((request, response) => {
        asked.push(request.headers.range!);
        together(request, response);
      }),
    );
    await one.ended;
    expect(new Set(asked)).toEqual(
      new Set([
        ...['bytes=0-19996', 'bytes=19997-39994', 'bytes=39995-59993', 'bytes=59994-79993'],
        ...['bytes=79994-99994', 'bytes=99995-'],
      ]),
    );
    expect(one.response).toMatchObject({ status: 200, statusText: 'OK', url: one.request.url });
    expect(one.response.headers).toMatchObject({ 'content-length': '120000' });
    expect(one.response.headers).not.toHaveProperty('content-range');
    expect(dataOf(one).equals(BODY)).toBe(true);
    expect([one.calls, one.faults]).toEqual([['end', 'onloadend'], []]);
    expect(one.ranges().map(({ answer }) => answer!.outcome)).toEqual(Array(6).fill('ok'));
    expect(bytesOf(one)).toBe(BODY.length);
  });

  test('has one progress: it only grows, up to the size', async () => {
    const slow: Listener = (request, response) => {
      const { first, last } = askedBy(request);
      const half = (first + last) >> 1;
      response.writeHead(206, { 'Content-Length': last + 1 - first });
      response.write(BODY.subarray(first, half));
      setTimeout(() => response.end(BODY.subarray(half, last + 1)), 80 + first / 2000);
    };
    const one = load(await serve(slow));
    await one.ended;
    const loaded = one.progress.map((event) => event.loaded);
    expect(loaded.length).toBeGreaterThanOrEqual(2);
    expect(loaded).toEqual([...new Set(loaded)].sort((a, b) => a - b));
    expect(new Set(one.progress.map(({ total }) => total))).toEqual(new Set([BODY.length]));
    expect(loaded.at(-1)).toBe(BODY.length);
  });

  test('that is itself a range of a file stays within it', async () => {
    const one = load(
      await serve(whenAllAreThere(6)),
      { sizeBytes: 100_000 },
      { Range: 'bytes=5000-104999', 'X-Token': 'a' },
    );
    await one.ended;
    expect(one.response).toMatchObject({ status: 206, statusText: 'Partial Content' });
    expect(one.response.headers).toMatchObject({
      'content-range': 'bytes 5000-104999/120000',
      'content-length': '100000',
    });
    expect(dataOf(one).equals(BODY.subarray(5000, 105_000))).toBe(true);
  });
});

describe('the first range leaves alone', () => {
  /** Ranges that had been asked for when the first answer was sent. */
  async function firstAlone(how: Partial<Splitting>): Promise<{ one: Loaded; before: number; all: number }> {
    let [all, before] = [0, 0];
    const url = await serve((request, response) => {
      all += 1;
      if (all > 1) return answerRange(request, response);
      setTimeout(() => {
        before = all;
        answerRange(request, response);
      }, 60);
    });
    const one = load(url, how);
    await one.ended;
    return { one, before, all };
  }

  test.each<[string, Partial<Splitting>]>([
    ['to a server that has not shown yet that it has ranges', { isProven: false }],
    ['where the size is not known', { sizeBytes: null }],
  ])('%s', async (_name, how) => {
    const { one, before, all } = await firstAlone(how);
    expect([before, all]).toEqual([1, 6]);
    expect(dataOf(one).equals(BODY)).toBe(true);
    expect([one.response.status, one.calls, one.faults]).toEqual([200, ['proven', 'end', 'onloadend'], []]);
    expect(bytesOf(one)).toBe(BODY.length);
  });

  test('and is all, if the file is shorter', async () => {
    const one = load(await serve(answerRange), { sizeBytes: null, firstBytes: 500_000 });
    await one.ended;
    expect(dataOf(one).equals(BODY)).toBe(true);
    expect(one.ranges()).toHaveLength(1);
  });
});

describe('a server without ranges', () => {
  test('is asked once: its answer is the segment', async () => {
    const one = load(await serve(answerWhole), { isProven: false });
    await one.ended;
    expect(dataOf(one).equals(BODY)).toBe(true);
    expect([one.response.status, one.faults, one.ranges().length]).toEqual([200, ['no-ranges'], 1]);
  });

  test('that had them before: one whole answer counts, and the others are cancelled', async () => {
    const one = load(
      await serve((request, response) => {
        // The others never end.
        if (askedBy(request).first === 0) setTimeout(() => answerWhole(request, response), 30);
        else response.writeHead(206, { 'Content-Length': 50_000 }).write(BODY.subarray(0, 100));
      }),
    );
    await one.ended;
    expect(dataOf(one).equals(BODY)).toBe(true);
    expect([one.response.status, one.faults]).toEqual([200, ['no-ranges']]);
    expect(one.ranges().map(({ answer }) => answer!.outcome)).toEqual([
      'ok',
      ...Array<string>(5).fill('aborted'),
    ]);
    expect(one.progress.at(-1)).toEqual({ loaded: 120_000, total: 120_000, lengthComputable: true });
  });

  test('is not given a range of a file to answer with all of it', async () => {
    const one = load(await serve(answerWhole), { sizeBytes: 100_000 }, { Range: 'bytes=5000-104999' });
    await one.ended;
    expect([one.response, one.faults]).toEqual([{ status: 0 }, ['no-ranges']]);
  });
});

describe('where Content-Range is hidden', () => {
  test('and the size is not known, what follows the first range is one range', async () => {
    const one = load(await serve(answerHidden), { sizeBytes: null });
    await one.ended;
    expect(dataOf(one).equals(BODY)).toBe(true);
    expect([one.ranges().length, one.faults]).toEqual([2, ['no-size']]);
  });

  test('and the file is shorter than the first range, that is all', async () => {
    const one = load(await serve(answerHidden), { sizeBytes: null, firstBytes: 200_000 });
    await one.ended;
    expect(dataOf(one).equals(BODY)).toBe(true);
    expect([one.ranges().length, one.faults]).toEqual([1, ['no-size']]);
  });

  test.each([110_000, 130_000])('a size that is wrong (%i) loses and doubles nothing', async (sizeBytes) => {
    const one = load(await serve(answerHidden), { sizeBytes });
    await one.ended;
    expect(dataOf(one).equals(BODY)).toBe(true);
    expect([one.response.status, one.faults]).toEqual([200, ['other-size']]);
  });
});

test.each([110_000, 130_000])('a size that is wrong (%i) loses and doubles nothing', async (sizeBytes) => {
  const one = load(await serve(answerRange), { sizeBytes });
  await one.ended;
  expect(dataOf(one).equals(BODY)).toBe(true);
  expect([one.response.status, one.faults]).toEqual([200, ['other-size']]);
});

describe('the request has failed, once, and all its ranges with it', () => {
  /** The third range gets another answer than the others. */
  const thirdIs =
    (other: Listener): Listener =>
    (request, response) =>
      (askedBy(request).first === 39_995 ? other : answerRange)(request, response);
  const part = (headers: Record<string, string | number>, bytes: number): Listener => {
    return (_request, response) => response.writeHead(206, headers).end(Buffer.alloc(bytes));
  };

  test.each<[string, Listener, string[]]>([
    ['the connection of one closes', (request) => request.socket.destroy(), []],
    [
      'one breaks off',
      (_request, response) => {
        response.writeHead(206, { 'Content-Length': 19_999 }).write(BODY.subarray(0, 1000));
        setTimeout(() => response.destroy(), 30);
      },
      [],
    ],
    [
      'one is another place of the file',
      part({ 'Content-Range': 'bytes 0-19998/120000', 'Content-Length': 19_999 }, 19_999),
      ['other-bytes'],
    ],
    ['one is too short', part({ 'Content-Length': 10 }, 10), ['other-bytes']],
    ['one is too long', part({ 'Content-Length': 30_000 }, 30_000), ['other-bytes']],
    ['one is past the end', (_request, response) => response.writeHead(416).end(), ['other-size']],
  ])('%s', async (_name, other, faults) => {
    const one = load(await serve(thirdIs(other)));
    await one.ended;
    await pause(20);
    expect(one.response).toEqual({ status: 0 });
    expect([one.calls, one.faults]).toEqual([['end', 'onloadend'], faults]);
    expect(one.ranges().every(({ answer }) => answer !== null)).toBe(true);
  });

  test('two parts are of two versions of the file', async () => {
    let count = 0;
    const one = load(
      await serve((request, response) => answerRange(request, response, { ETag: `"${(count += 1) % 2}"` })),
    );
    await one.ended;
    expect([one.response, one.faults[0]]).toEqual([{ status: 0 }, 'other-bytes']);
  });

  test.each([404, 503])('%s is what dash.js gets to see', async (status) => {
    const one = load(await serve(thirdIs((_request, response) => response.writeHead(status).end('no'))));
    await one.ended;
    expect(one.response.status).toBe(status);
    expect([dataOf(one).toString(), one.faults]).toEqual(['no', []]);
  });
});

describe('an abort', () => {
  const closed = vi.fn();
  const stuck: Listener = (request, response) => {
    response.on('close', closed);
    const { first, last } = askedBy(request);
    response.writeHead(206, { 'Content-Length': last + 1 - first }).write(BODY.subarray(first, first + 500));
  };

  test('ends all ranges, and nothing comes after it', async () => {
    closed.mockClear();
    const one = load(await serve(stuck));
    await vi.waitFor(() => expect(one.progress.at(-1)?.loaded).toBe(3000));
    one.request.customData.abort!();
    expect(one.calls).toEqual(['end', 'onabort']);
    expect(one.ranges().map(({ answer }) => [answer!.outcome, answer!.receivedBytes])).toEqual(
      Array(6).fill(['aborted', 500]),
    );
    await vi.waitFor(() => expect(closed).toHaveBeenCalledTimes(6));
    await pause(20);
    expect([one.calls, one.response]).toEqual([['end', 'onabort'], { status: 0 }]);
  });

  test('before the first answer, no other range goes out', async () => {
    let count = 0;
    const one = load(await serve((request, response) => void ((count += 1), stuck(request, response))), {
      isProven: false,
    });
    one.request.customData.abort!();
    await pause(80);
    expect(count).toBeLessThanOrEqual(1);
    expect(one.ranges()).toHaveLength(1);
    expect(one.calls).toEqual(['end', 'onabort']);
  });
});
