import type { PathwayChange } from '../../abr/ruleInput.ts';
import type { MediaPlayerClass } from 'dashjs';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { valueOf } from '../../shared/result.ts';
import { policyOf } from '../../steering/registry.ts';
import type { Telemetry } from '../../telemetry/shell/telemetry.ts';
import type { BaseUrl } from './pathwayMap.ts';
import { createSteering } from './steering.ts';

beforeEach(() => {
  vi.stubGlobal('addEventListener', () => undefined);
  vi.stubGlobal('removeEventListener', () => undefined);
});
afterEach(() => vi.unstubAllGlobals());

const ALPHA = { url: 'https://a.example/show/', serviceLocation: 'alpha' };
const TCP = { url: 'https://tcp.example/other/', serviceLocation: 'tcp' };
const INIT = new Uint8Array([1, 2, 3, 4]).buffer;

type Interceptor = (argument: object) => Promise<object>;
type Listener = (event: object) => void;

interface Recorded {
  readonly kind: string;
  readonly message?: string;
  readonly input?: { readonly kind: string };
  readonly pathway?: string;
  readonly fromPathway?: string;
  readonly pulledAway?: boolean;
  readonly because?: string;
}

/** A player and a recording as far as steering uses them. `served`: what each server answers a check with. */
function world(
  baseUrls: readonly BaseUrl[],
  served: (url: string) => { status: number; body: ArrayBuffer },
  { policy = 'browser', defaultOrder = null as readonly string[] | null } = {},
) {
  const requests: Interceptor[] = [];
  const responses: Interceptor[] = [];
  const listeners = new Map<string, readonly Listener[]>();
  const emit = (name: string, event: object): void => listeners.get(name)?.forEach((each) => each(event));
  const player = {
    extend: () => undefined,
    addRequestInterceptor: (each: Interceptor) => requests.push(each),
    removeRequestInterceptor: () => undefined,
    addResponseInterceptor: (each: Interceptor) => responses.push(each),
    removeResponseInterceptor: () => undefined,
    on: (name: string, listener: Listener) => listeners.set(name, [...(listeners.get(name) ?? []), listener]),
    off: (name: string, listener: Listener) =>
      listeners.set(name, listeners.get(name)?.filter((each) => each !== listener) ?? []),
    getDashAdapter: () => ({
      getBaseURLsFromElement: () => baseUrls,
      getContentSteering: () => defaultOrder && { defaultServiceLocationArray: defaultOrder },
    }),
    getDashMetrics: () => ({ getCurrentBufferLevel: () => 10 }),
  };
  const recorded: Recorded[] = [];
  const telemetry = {
    nowMs: () => 0,
    record: (event: Recorded) => recorded.push(event),
    subscribe: () => () => undefined,
    fetch: (url: string) => Promise.resolve({ ...served(url), url }),
  };
  const changes: PathwayChange[] = [];
  const steering = createSteering(player as unknown as MediaPlayerClass, {
    mpdUrl: 'https://mpd.example/show/a.mpd',
    pathways: [],
    policy: valueOf(policyOf(policy)),
  });
  steering.begin(telemetry as unknown as Telemetry, (change) => changes.push(change));
  const asked = { type: 'MediaSegment', mediaType: 'video', index: 1 };
  return {
    steering,
    recorded,
    changes,
    manifest: () => emit('manifestLoaded', { data: {} }),
    steeringAnswer: (...pathwayPriority: string[]) =>
      emit('contentSteeringRequestCompleted', { currentSteeringResponseData: { pathwayPriority } }),
    /** Where a segment that dash.js requests at `url` is requested. */
    async sent(url: string): Promise<string> {
      const request = { url, customData: { request: asked } };
      for (const each of requests) await each(request);
      return request.url;
    },
    /** dash.js gets an init segment; the checks end. */
    async received(url: string): Promise<void> {
      const request = { url, customData: { request: { type: 'InitializationSegment' } } };
      for (const each of responses) await each({ request, status: 200, data: INIT });
      await new Promise((resolve) => setTimeout(resolve));
    },
    messages: () => recorded.flatMap(({ kind, message }) => (kind === 'error' ? [message] : [])),
    choices: () => recorded.filter(({ kind }) => kind === 'steering'),
    starts: () => recorded.flatMap(({ input }) => (input?.kind === 'start' ? [input] : [])),
  };
}

const same = () => ({ status: 206, body: INIT });

test('before the pathways are checked, dash.js chooses among the servers of the MPD', async () => {
  const { sent, manifest } = world([ALPHA, TCP], same);
  manifest();
  expect(await sent('https://a.example/show/1.m4s')).toBe('https://a.example/show/1.m4s');
  expect(await sent('https://tcp.example/other/1.m4s')).toBe('https://tcp.example/other/1.m4s');
});

test('afterwards the policy does, also where dash.js has left a server', async () => {
  const { steering, sent, manifest, received, starts, changes } = world([ALPHA, TCP], same);
  manifest();
  await received('https://a.example/show/init.mp4');
  expect(starts()[0]).toMatchObject({
    kind: 'start',
    pathways: [
      { id: 'alpha', base: 'https://a.example/show', carries: 'any' },
      { id: 'tcp', base: 'https://tcp.example/other', carries: 'tcp' },
    ],
  });
  expect(await sent('https://a.example/show/1.m4s?token=1')).toBe('https://a.example/show/1.m4s?token=1');
  expect(await sent('https://tcp.example/other/1.m4s?token=1')).toBe('https://a.example/show/1.m4s?token=1');
  expect(await sent('https://ads.example/1.m4s')).toBe('https://ads.example/1.m4s');
  expect(steering.pathwayOf('https://tcp.example/other/1.m4s')).toBe('tcp');
  expect(changes).toEqual([]);
});

test('a first server that fails is left out; what came first is from the other one', async () => {
  const broken = (url: string) => ({ status: url.startsWith('https://a.example/') ? 503 : 206, body: INIT });
  const { sent, manifest, received, messages } = world([ALPHA, TCP], broken);
  manifest();
  await received('https://tcp.example/other/init.mp4');
  expect(messages()).toEqual(['The pathway alpha is left out: a.example answered 503.']);
  expect(await sent('https://a.example/show/1.m4s')).toBe('https://tcp.example/other/1.m4s');
});

test('a server with other bytes than the one that came first is left out', async () => {
  const { manifest, received, messages } = world([ALPHA, TCP], () => ({
    status: 206,
    body: new Uint8Array([1, 2, 3, 5]).buffer,
  }));
  manifest();
  await received('https://a.example/show/init.mp4');
  expect(messages()).toEqual([
    'The pathway tcp is left out: tcp.example serves other bytes than the pathway alpha.',
  ]);
});

test('dash.js began elsewhere than at the first pathway: the change is reported', async () => {
  const { manifest, received, changes } = world([ALPHA, TCP], same);
  manifest();
  await received('https://tcp.example/other/init.mp4');
  expect(changes.map(({ pathway }) => pathway)).toEqual(['alpha']);
});

test('an MPD that names no two servers gets one sentence, and nothing is steered', async () => {
  const { sent, manifest, received, messages, starts } = world([ALPHA], same);
  manifest();
  await received('https://a.example/show/init.mp4');
  expect(messages()).toEqual([
    expect.stringMatching(/^Nothing is steered: no pathway was given, and the MPD /),
  ]);
  expect(starts()).toEqual([]);
  expect(await sent('https://a.example/show/1.m4s')).toBe('https://a.example/show/1.m4s');
});

test('the order of the MPD comes before that of its BaseURL elements, that of a steering server before both', async () => {
  const { manifest, received, steeringAnswer, choices, changes, sent } = world([ALPHA, TCP], same, {
    defaultOrder: ['tcp'],
  });
  manifest();
  await received('https://a.example/show/init.mp4');
  expect(changes.map(({ pathway }) => pathway)).toEqual(['tcp']);
  expect(await sent('https://a.example/show/1.m4s')).toBe('https://tcp.example/other/1.m4s');
  steeringAnswer('alpha', 'tcp');
  expect(await sent('https://tcp.example/other/2.m4s')).toBe('https://a.example/show/2.m4s');
  expect(changes.map(({ pathway }) => pathway)).toEqual(['tcp', 'alpha']);
  // The order has not changed: nothing begins anew.
  steeringAnswer('alpha', 'tcp');
  // A reloaded MPD has no say any more, nor has a pathway that nobody knows.
  manifest();
  steeringAnswer('other', 'alpha');
  expect(choices().map(({ fromPathway, pathway }) => [fromPathway, pathway])).toEqual([
    [undefined, 'tcp'],
    ['tcp', 'alpha'],
  ]);
  expect(choices()[1]).toMatchObject({ because: 'Content steering names alpha first.' });
  expect(choices().filter(({ pulledAway }) => pulledAway)).toEqual([]);
});

test('an order that is there before the checks end is followed from the start', async () => {
  const { manifest, received, steeringAnswer, starts, choices } = world([ALPHA, TCP], same);
  manifest();
  steeringAnswer('tcp', 'alpha');
  await received('https://a.example/show/init.mp4');
  expect(starts()).toHaveLength(1);
  expect(choices().map(({ pathway }) => pathway)).toEqual(['tcp']);
});

test('a policy that leaves the pathway that is named first is pulled away, and the log says so', async () => {
  const { manifest, received, choices, steeringAnswer } = world([ALPHA, TCP], same, {
    policy: 'fixed:pathway=tcp',
    defaultOrder: ['alpha'],
  });
  manifest();
  await received('https://a.example/show/init.mp4');
  expect(choices()).toMatchObject([{ pathway: 'tcp', pulledAway: true }]);
  steeringAnswer('tcp');
  // It stays where it is, which is the first one now: there is nothing to record.
  expect(choices()).toHaveLength(1);
});

test('without an order nothing is pulled away', async () => {
  const { manifest, received, choices } = world([ALPHA, TCP], same, { policy: 'fixed:pathway=tcp' });
  manifest();
  await received('https://a.example/show/init.mp4');
  expect(choices()[0]).toMatchObject({ pathway: 'tcp' });
  expect(choices()[0]).not.toHaveProperty('pulledAway');
});
