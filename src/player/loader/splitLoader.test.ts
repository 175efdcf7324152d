import type { MediaPlayerClass } from 'dashjs';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { RequestRanges } from '../../telemetry/join/requestRanges.ts';
import type { Telemetry } from '../../telemetry/shell/telemetry.ts';
import { fetchMedia } from './fetchMedia.ts';
import type { MediaRequest, MediaResponse } from './progressEvents.ts';
import { createSplitter, splitterFor } from './splitLoader.ts';

const SIZE = 60_000;
const BODY = new Uint8Array(SIZE).map((_, at) => at % 251);
const SIZES_URL = 'https://cdn.example/show/sizes.json';

afterEach(() => void vi.unstubAllGlobals());

/** What dash.js knows of a representation whose MPD names a sizes file. */
const representation = {
  id: 'v1',
  bandwidth: 120_000,
  segmentDuration: 4,
  adaptation: {
    index: 0,
    period: {
      index: 0,
      duration: 12,
      mpd: {
        manifest: {
          url: 'https://cdn.example/show/m.mpd',
          SupplementalProperty: [{ schemeIdUri: 'urn:pitwall:sizes:2026', value: 'sizes.json' }],
        },
      },
    },
  },
};

const sizesFile = (...sizesBytes: number[]): string =>
  JSON.stringify({
    schema: 'pitwall-sizes/1',
    segmentMs: 4000,
    representations: [{ mediaType: 'video', id: 'v1', bitrateKbps: 120, sizesBytes }],
  });

interface Asked {
  readonly type: string;
  readonly mediaType: string;
  readonly index: number | null;
  readonly duration: number;
  readonly representation: typeof representation;
  readonly availabilityTimeComplete?: boolean;
  resourceTimingValues?: { transferSize: number; responseStart: number; responseEnd: number };
}

const segment = (index: number, more: Partial<Asked> = {}): Asked => ({
  type: 'MediaSegment',
  mediaType: 'video',
  index,
  duration: 4,
  representation,
  ...more,
});

/** A player with a splitter for three ranges. `file`: the sizes file; null: there is none. */
function world({ file = null as string | null, live = false } = {}) {
  const interceptors: ((request: object) => Promise<object>)[] = [];
  const player = {
    addRequestInterceptor: (each: (typeof interceptors)[number]) => interceptors.push(each),
    removeRequestInterceptor: vi.fn(),
    isDynamic: () => live,
    getActiveStream: () => null,
  } as unknown as MediaPlayerClass;
  const said: string[] = [];
  const loading = vi.fn((_url: string) =>
    Promise.resolve({ status: file === null ? 404 : 200, text: file ?? '' }),
  );
  const telemetry = {
    nowMs: () => 0,
    fetch: loading,
    record: (event: { code: string; message: string }) => {
      if (event.code === 'split') said.push(event.message);
      return { id: 'e1' };
    },
  } as unknown as Telemetry;
  const splitter = createSplitter(player, { count: 3 });
  splitter.begin(telemetry);
  const announce = async (asked: Asked): Promise<void> => {
    for (const look of interceptors) await look({ customData: { request: asked } });
  };
  return { splitter, said, loading, announce, player, telemetry };
}

const requestOf = (asked: Asked, more: Partial<MediaRequest> = {}) => {
  let ranges: RequestRanges | null = null;
  const request = {
    url: `https://cdn.example/show/${asked.index}.m4s`,
    method: 'GET',
    responseType: 'arraybuffer',
    ...more,
    customData: {
      request: asked,
      onprogress: () => undefined,
      recorded: {
        part: () => null,
        continued: () => undefined,
        beganAnew: () => undefined,
        inRanges: (sent: RequestRanges) => void (ranges = sent),
      },
    },
  } as MediaRequest & { customData: { request: Asked } };
  return { request, sent: () => ranges?.sent.length ?? 0 };
};

/** A server that has ranges and tells the size, as far as `fetch` is asked. */
function serveRanges(exposes = true): () => string[] {
  const asked: string[] = [];
  vi.stubGlobal(
    'fetch',
    vi.fn((_url: string, { headers }: { headers: [string, string][] }) => {
      const range = headers.find(([name]) => name === 'Range')![1];
      asked.push(range);
      const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(range)!;
      const end = Math.min(last ? Number(last) : SIZE - 1, SIZE - 1);
      const said = { 'Content-Range': `bytes ${first}-${end}/${SIZE}` };
      return Promise.resolve(
        new Response(BODY.slice(Number(first), end + 1), { status: 206, headers: exposes ? said : {} }),
      );
    }),
  );
  return () => asked;
}

async function load(
  { splitter }: ReturnType<typeof world>,
  asked: Asked,
  more: Partial<MediaRequest> = {},
): Promise<{ response: MediaResponse; sent: number }> {
  const { request, sent } = requestOf(asked, more);
  const response: MediaResponse = { status: 0 };
  const createBody = splitter.bodyOf(request);
  if (!createBody) throw new Error('it is not split');
  await new Promise<void>((resolve) => {
    request.customData.onloadend = resolve;
    fetchMedia(request, response, { onEnd: () => undefined, createBody });
  });
  return { response, sent: sent() };
}

describe('a set-up', () => {
  const player = {} as MediaPlayerClass;

  test.each([
    ['1', undefined],
    [' 6 ', { split: 6 }],
    ['12', { split: 12 }],
    ['1:audio-first', { priority: 'audio-first' }],
    ['6:browser', { split: 6, priority: 'browser' }],
  ])('with split=%s', (split, environment) =>
    expect(splitterFor(player, { split })?.environment).toEqual(environment),
  );

  test.each(['1:video-first', '1:', '1:browser:browser'])('with split=%s is refused, too', (split) =>
    expect(() => splitterFor(player, { split })).toThrow(
      `What follows the ranges is one of browser, audio-first, lowest-first, not “${split.slice(2)}”.`,
    ),
  );

  test.each(['0', '13', '6.5', 'six', '-6'])('with split=%s is refused in a sentence', (split) =>
    expect(() => splitterFor(player, { split })).toThrow(
      `The ranges of a segment are a whole number from 1 to 12, not “${split}”.`,
    ),
  );

  test.each([
    { steering: 'browser' },
    { pathways: [{ id: 'tcp', base: 'https://t.example', carries: 'tcp' as const }] },
  ])('with steering (%j), too', (steered) => {
    const sentence = 'A segment in several ranges cannot continue on another pathway: ';
    expect(() => splitterFor(player, { split: '6', ...steered })).toThrow(sentence);
    expect(splitterFor(player, { split: '1', ...steered })).toBeNull();
  });
});

describe('what is split', () => {
  test.each<[string, Asked, Partial<MediaRequest>]>([
    ['audio', segment(0, { mediaType: 'audio' }), {}],
    ['an initialization segment', segment(0, { type: 'InitializationSegment' }), {}],
    ['an index', segment(0, { index: null }), {}],
    ['a manifest', segment(0, { type: 'MPD' }), {}],
    ['a question for its head alone', segment(0), { method: 'HEAD' }],
    ['a range that fits a packet', segment(0), { headers: { Range: 'bytes=100-1500' } }],
    ['a range of a size that somebody made up', segment(0), { headers: { Range: 'bytes=0-99999999999' } }],
  ])('not %s', (_name, asked, more) =>
    expect(world().splitter.bodyOf(requestOf(asked, more).request)).toBeNull(),
  );

  test('nothing before the recording, and nothing after the end', () => {
    const { splitter } = world();
    const { request } = requestOf(segment(0));
    expect(splitter.bodyOf(request)).not.toBeNull();
    splitter.dispose();
    expect(splitter.bodyOf(request)).toBeNull();
    expect(createSplitter({} as MediaPlayerClass, { count: 3 }).bodyOf(request)).toBeNull();
  });

  test('low-latency segments are not, which is said once', async () => {
    const { announce, said } = world();
    for (const index of [0, 1]) await announce(segment(index, { availabilityTimeComplete: false }));
    expect(said).toEqual([expect.stringMatching(/^Low-latency segments /)]);
  });
});

describe('a priority', () => {
  const fetchedBy = async (splitter: ReturnType<typeof createSplitter>, asked: Asked) => {
    const fetched = vi.fn((_url: string, _options: RequestInit) => Promise.resolve(new Response('body')));
    vi.stubGlobal('fetch', fetched);
    const { request } = requestOf(asked);
    const createBody = splitter.bodyOf(request);
    if (!createBody) return null;
    await new Promise<void>((resolve) => {
      request.customData.onloadend = resolve;
      fetchMedia(request, { status: 0 }, { onEnd: () => undefined, createBody });
    });
    return fetched.mock.calls.map(([, { priority }]) => priority);
  };
  const level = (absoluteIndex: number): Partial<Asked> => ({
    representation: { ...representation, absoluteIndex } as typeof representation,
  });
  const sound = segment(0, { mediaType: 'audio', ...level(0) });

  test.each([
    ['browser', ['auto', 'auto', 'auto']],
    ['audio-first', ['auto', 'low', 'low']],
    ['lowest-first', ['auto', 'auto', 'low']],
  ] as const)('%s: sound, the lowest level, another one: %j', async (priority, asked) => {
    const splitter = createSplitter({} as MediaPlayerClass, { count: 1, priority });
    const segments = [sound, segment(0, level(0)), segment(1, level(2))];
    const priorities = await Promise.all(
      segments.map(async (each) => (await fetchedBy(splitter, each))?.[0]),
    );
    expect(priorities).toEqual(asked);
  });

  test('is of segments alone, and of every range of one', async () => {
    const setup = { count: 1, priority: 'audio-first' } as const;
    const { bodyOf } = createSplitter({} as MediaPlayerClass, setup);
    for (const other of [segment(0, { type: 'MPD' }), segment(0, { type: 'InitializationSegment' })])
      expect(bodyOf(requestOf(other).request)).toBeNull();
    const { player, telemetry } = world();
    const splitter = createSplitter(player, { ...setup, count: 3 });
    splitter.begin(telemetry);
    const first = await fetchedBy(splitter, segment(0, level(2)));
    expect(first).toEqual(['low']);
  });
});

test('the first segment shows that the server has ranges; then all leave at once, by the sizes file', async () => {
  const asked = serveRanges();
  const here = world({ file: sizesFile(SIZE, SIZE, SIZE) });
  await here.announce(segment(0));
  expect(here.loading.mock.calls.map(([url]) => url)).toEqual([SIZES_URL]);
  await load(here, segment(0));
  // By the size, not by the bitrate, which would be 20,000.
  expect(asked()[0]).toBe('bytes=0-19998');
  const before = asked().length;
  const { response, sent } = await load(here, segment(1));
  expect(asked().slice(before)).toEqual(['bytes=0-19998', 'bytes=19999-39998', 'bytes=39999-']);
  expect([response.status, sent, here.said]).toEqual([200, 3, []]);
  expect(new Uint8Array(response.data as ArrayBuffer)).toEqual(BODY);
});

test('without sizes, the first range is as long as the bitrate says, and the answer says the rest', async () => {
  const asked = serveRanges();
  const here = world();
  await here.announce(segment(0));
  for (const index of [0, 1]) {
    const { response } = await load(here, segment(index));
    expect((response.data as ArrayBuffer).byteLength).toBe(SIZE);
  }
  expect(asked().filter((range) => range === 'bytes=0-19999')).toHaveLength(2);
  expect(asked()).toHaveLength(6);
});

test('a sizes file that is wrong is not believed again, which is said once', async () => {
  const asked = serveRanges();
  const here = world({ file: sizesFile(SIZE, 50_000, 50_000) });
  await here.announce(segment(0));
  for (const index of [0, 1, 2]) {
    const { response } = await load(here, segment(index));
    expect(new Uint8Array(response.data as ArrayBuffer)).toEqual(BODY);
  }
  expect(here.said).toEqual([expect.stringMatching(/^A segment on cdn\.example has another size than /)]);
  expect(asked().at(-3)).toBe('bytes=0-19999');
});

test('where CORS hides the size, segments of unknown size are requested whole from then on', async () => {
  serveRanges(false);
  const here = world();
  expect((await load(here, segment(0))).sent).toBe(2);
  expect(here.splitter.bodyOf(requestOf(segment(1)).request)).toBeNull();
  expect(
    here.splitter.bodyOf(requestOf(segment(1), { headers: { Range: 'bytes=0-59999' } }).request),
  ).not.toBeNull();
  expect(here.said).toEqual([
    expect.stringMatching(/^cdn\.example does not let the page read Content-Range: /),
  ]);
});

test('a server without ranges is asked for whole segments from then on, and others are not', async () => {
  vi.stubGlobal(
    'fetch',
    vi.fn(() => Promise.resolve(new Response(BODY))),
  );
  const here = world();
  const { response } = await load(here, segment(0));
  expect([response.status, (response.data as ArrayBuffer).byteLength]).toEqual([200, SIZE]);
  expect(here.splitter.bodyOf(requestOf(segment(1)).request)).toBeNull();
  const elsewhere = { url: 'https://b.example/1.m4s' };
  expect(here.splitter.bodyOf(requestOf(segment(1), elsewhere).request)).not.toBeNull();
  expect(here.said).toEqual([
    expect.stringMatching(/^cdn\.example answers a byte range with the whole file: /),
  ]);
});

describe('dash.js’ throughput estimate', () => {
  const entryOf = (changes: Partial<PerformanceResourceTiming>): PerformanceResourceTiming =>
    ({
      startTime: performance.now() + 5,
      responseStart: 100,
      responseEnd: 200,
      requestStart: 50,
      transferSize: 20_300,
      decodedBodySize: 20_000,
      encodedBodySize: 20_000,
      ...changes,
    }) as PerformanceResourceTiming;

  /** Loads a segment while the browser has these entries; what dash.js then takes for its timing. */
  async function timingWith(entries: () => PerformanceResourceTiming[]) {
    serveRanges();
    vi.spyOn(performance, 'getEntriesByName').mockImplementation(entries);
    const asked = segment(0, { resourceTimingValues: { transferSize: 1, responseStart: 1, responseEnd: 2 } });
    await load(world(), asked);
    vi.restoreAllMocks();
    return asked.resourceTimingValues;
  }

  test('gets the time of all ranges together once, not that of the first', async () => {
    const timing = await timingWith(() => [
      entryOf({}),
      entryOf({ responseStart: 90, responseEnd: 400 }),
      entryOf({ responseEnd: 300 }),
    ]);
    expect(timing).toMatchObject({ transferSize: 60_900, responseStart: 90, responseEnd: 400 });
  });

  test.each([
    ['an entry is missing', () => [entryOf({}), entryOf({})]],
    ['their sizes are hidden', () => Array.from({ length: 3 }, () => entryOf({ decodedBodySize: 0 }))],
    ['they are of an earlier request', () => Array.from({ length: 3 }, () => entryOf({ startTime: 0 }))],
  ])('goes by the progress of the request where %s', async (_name, entries) =>
    expect(await timingWith(entries)).toBeUndefined(),
  );

  test('is not given the entry of one range: a request with a range has none', () => {
    const { request } = requestOf(segment(0));
    serveRanges();
    fetchMedia(request, {}, { onEnd: () => undefined, createBody: world().splitter.bodyOf(request)! });
    expect(request).toMatchObject({ range: true });
  });
});
