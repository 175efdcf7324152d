import type shaka from 'shaka-player';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { decidableRules } from '../../abr/decidableRules.testing.ts';
import type { Rule } from '../../abr/rule.ts';
import { replay } from '../../sim/replay/replay.ts';
import type { EventOf } from '../../telemetry/event.ts';
import { drawRates, recordSession, type RecordedSession } from './recordedSession.testing.ts';
import { createShakaRule, type ShakaRule } from './shakaManager.ts';

const SEGMENT_S = 4;
const SEGMENTS = 60;
const SEGMENT_TYPE = 1;

interface FakeStream {
  readonly id: string;
  readonly type: string;
  readonly bandwidth: number;
  readonly width: number;
  readonly height: number;
  segmentIndex: object | null;
}
interface FakeVariant {
  readonly video: FakeStream | null;
  readonly audio: FakeStream | null;
  readonly bandwidth: number;
}

const stream = (type: string, kbps: number): FakeStream => ({
  id: `${type}-${kbps}`,
  type,
  bandwidth: kbps * 1000,
  width: 640,
  height: kbps > 2000 ? 720 : 360,
  segmentIndex: null,
});
const variant = (video: FakeStream | null, audio: FakeStream | null): FakeVariant => ({
  video,
  audio,
  bandwidth: (video?.bandwidth ?? 0) + (audio?.bandwidth ?? 0),
});

/** References of a stream's index; with a byte range each where the stream is one file. */
function indexOf(rangeBytes: number | null) {
  const references = Array.from({ length: SEGMENTS }, (_, at) => ({
    getStartTime: () => at * SEGMENT_S,
    getStartByte: () => at * (rangeBytes ?? 0),
    getEndByte: () => (rangeBytes === null ? null : (at + 1) * rangeBytes - 1),
  }));
  const find = (timeS: number): number => Math.floor(timeS / SEGMENT_S);
  return { find, get: (at: number) => references[at], [Symbol.iterator]: () => references.values() };
}

const NO_LIMITS = {
  minWidth: 0,
  maxWidth: Infinity,
  minHeight: 0,
  maxHeight: Infinity,
  minPixels: 0,
  maxPixels: Infinity,
  minBandwidth: 0,
  maxBandwidth: Infinity,
};

/** Shaka as far as a manager meets it: its questions, its streaming loop, its buffer. */
class FakeShaka extends EventTarget {
  readonly videos = [300, 750, 1200, 1850, 2850].map((kbps) => stream('video', kbps));
  readonly audios = [64, 128].map((kbps) => stream('audio', kbps));
  variants: FakeVariant[] = this.videos.flatMap((video) => this.audios.map((audio) => variant(video, audio)));
  settings = {
    abrFactory: (): object => ({ own: true }),
    streaming: { bufferingGoal: 20, rebufferingGoal: 0, lowLatencyMode: true, segmentPrefetchLimit: 1 },
  };
  restrictions: object = NO_LIMITS;
  rangeBytes: number | null = null;
  media = Object.assign(new EventTarget(), {
    currentTime: 0,
    playbackRate: 1,
    paused: false,
    seeking: false,
  });
  endS = 0;
  playing: FakeVariant | null = null;
  switches = 0;
  requestFilters = new Set<(type: number, request: object, context: object) => void>();
  responseFilters = new Set<(type: number, response: object, context: object) => void>();
  readonly used: ShakaRule;
  readonly session: RecordedSession;

  constructor(rule: Rule, session: RecordedSession) {
    super();
    this.session = session;
    this.used = createShakaRule(this as unknown as shaka.Player, rule, {
      telemetry: session.telemetry,
      seed: 3,
    });
  }
  get manager() {
    return this.settings.abrFactory() as shaka.extern.AbrManager;
  }
  getConfiguration = () => structuredCloneOf(this.settings);
  configure(changes: string | { abrFactory?: () => object; streaming?: object }, value?: number): boolean {
    if (typeof changes === 'string') this.settings.streaming.bufferingGoal = value!;
    else {
      if (changes.abrFactory) this.settings.abrFactory = changes.abrFactory;
      Object.assign(this.settings.streaming, changes.streaming);
    }
    return true;
  }
  getNetworkingEngine = () => ({
    registerRequestFilter: (filter: never) => this.requestFilters.add(filter),
    unregisterRequestFilter: (filter: never) => this.requestFilters.delete(filter),
    registerResponseFilter: (filter: never) => this.responseFilters.add(filter),
    unregisterResponseFilter: (filter: never) => this.responseFilters.delete(filter),
  });
  getMediaElement = () => this.media;
  getPlaybackRate = () => this.media.playbackRate;
  getManifestType = () => 'DASH';
  isLive = () => false;
  getStats = () => ({ liveLatency: 0 });
  seekRange = () => ({ start: 0, end: SEGMENTS * SEGMENT_S });
  getBufferedInfo() {
    const range = this.endS > 0 ? [{ start: 0, end: this.endS }] : [];
    return { total: range, audio: range, video: range, text: [] };
  }
  start(): void {
    const { manager } = this;
    manager.configure({ restrictions: this.restrictions, defaultBandwidthEstimate: 1e6 } as never);
    manager.init(
      ((next: FakeVariant) => {
        if (next !== this.playing) this.switches += 1;
        this.playing = next;
      }) as never,
      () => undefined,
    );
    manager.setMediaElement(this.media as never);
    manager.setVariants(this.variants as never, false);
    this.playing = manager.chooseVariant(true) as unknown as FakeVariant;
    manager.enable();
  }
  pass(ms: number): void {
    this.session.clock.nowMs += ms;
    this.media.currentTime = Math.min(
      this.endS,
      this.media.currentTime + (ms / 1000) * this.media.playbackRate,
    );
    vi.advanceTimersByTime(ms);
  }
  request(of: FakeStream, bytesPerMs: number, fromCache = false): void {
    of.segmentIndex ??= indexOf(this.rangeBytes);
    const startS = this.endS;
    const segment = { getStartTime: () => startS };
    const request = { timeToFirstByte: null as number | null };
    for (const filter of this.requestFilters) filter(SEGMENT_TYPE, request, { stream: of, segment });
    const bytes = Math.round((of.bandwidth * SEGMENT_S) / 8);
    this.pass(20);
    request.timeToFirstByte = 20;
    this.pass(Math.ceil(bytes / bytesPerMs));
    const response = { originalRequest: request, data: { byteLength: bytes }, fromCache };
    for (const filter of this.responseFilters) filter(SEGMENT_TYPE, response, { stream: of, segment });
    this.endS = startS + SEGMENT_S;
    const appended = { contentType: of.type, start: startS, end: this.endS };
    this.dispatchEvent(Object.assign(new Event('segmentappended'), appended));
  }
  /** The streaming loop: nothing while the goal is met. Returns the id of the video that was loaded, or null. */
  load(bytesPerMs: number): string | null {
    const { bufferingGoal } = this.settings.streaming;
    if (this.endS - this.media.currentTime >= bufferingGoal) return null;
    const video = this.playing!.video!;
    this.request(video, bytesPerMs);
    return video.id;
  }
}

const structuredCloneOf = (settings: FakeShaka['settings']) => ({
  abrFactory: settings.abrFactory,
  streaming: { ...settings.streaming },
});

const ofKind = <Kind extends 'decision' | 'rule-input'>({ events }: RecordedSession, kind: Kind) =>
  events.filter((event): event is EventOf<Kind> => event.kind === kind);
const decisionsIn = (session: RecordedSession) => ofKind(session, 'decision');
const inputsIn = (session: RecordedSession) => ofKind(session, 'rule-input').map(({ input }) => input);

function scripted(...answers: { rung: number; holdUntilBufferMs?: number }[]): Rule {
  let asked = 0;
  return {
    id: 'scripted',
    label: 'Scripted',
    paper: 'none',
    parameters: {},
    start: () => null,
    observe: () => null,
    decide: () => ({ because: 'It is scripted.', ...answers[Math.min(asked++, answers.length - 1)]! }),
  };
}

function started(rule: Rule, change: (player: FakeShaka) => void = () => undefined) {
  const session = recordSession();
  const player = new FakeShaka(rule, session);
  change(player);
  player.start();
  return { session, player };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('every rule decides in Shaka as its replay does', () => {
  test.each(decidableRules.map((rule) => [rule.id, rule] as const))('%s', (_, rule) => {
    const { session, player } = started(rule);
    const rateOf = drawRates(5);
    const loaded: string[] = [];
    for (let step = 0; step < 400 && loaded.length < 40; step += 1) {
      const id = player.load(rateOf());
      if (id !== null) loaded.push(id);
      player.pass(100);
    }
    const log = session.log();
    const decisions = decisionsIn(session).filter(({ missing }) => missing['requestId'] === 'not-reported');
    expect(loaded.length).toBeGreaterThan(5);
    expect(decisions.map(({ rung }) => player.videos[rung!]!.id)).toEqual(loaded);
    expect(decisions.slice(1).map(({ segment }) => segment)).toEqual(
      loaded.slice(1).map((_id, index) => index + 1),
    );
    const replayed = replay(log, rule);
    expect(replayed.faults).toEqual([]);
    expect(replayed.identical).toBe(replayed.decisions.length);
    expect(log.events.filter(({ kind }) => kind === 'error')).toEqual([]);
  });
});

test('it is asked when a segment was appended, and the audio stays', () => {
  const { session, player } = started(scripted({ rung: 0 }, { rung: 3 }));
  expect(player.playing).toMatchObject({ video: { id: 'video-300' }, audio: { id: 'audio-128' } });
  player.load(500);
  expect(player.playing).toMatchObject({ video: { id: 'video-1850' }, audio: { id: 'audio-128' } });
  player.request(player.audios[1]!, 500);
  expect(inputsIn(session).filter(({ kind }) => kind === 'download')).toMatchObject([
    {
      segment: 0,
      rung: 0,
      bitrateKbps: 300,
      sizeBytes: 150_000,
      startMs: 10,
      firstByteMs: 30,
      lastByteMs: 330,
    },
  ]);
  expect(player.manager.getBandwidthEstimate()).toBeCloseTo(3_750_000);
  expect(decisionsIn(session)).toHaveLength(1);
});

test('in a full buffer it is asked once, when the buffer has fallen to its goal', () => {
  const { session, player } = started(scripted({ rung: 0 }));
  while (player.load(5000) !== null);
  const before = decisionsIn(session).length;
  player.pass(1000);
  expect(decisionsIn(session)).toHaveLength(before);
  while (player.load(5000) === null) player.pass(50);
  expect(decisionsIn(session)).toHaveLength(before + 1);
  expect(decisionsIn(session).at(-1)!.moment.bufferMs).toBeLessThanOrEqual(20_100);
  expect(decisionsIn(session).every(({ missing }) => missing['requestId'] === 'not-reported')).toBe(true);
});

test('a hold lowers the goal of the buffer, and gives it back', () => {
  const { player, session } = started(
    scripted({ rung: 0 }, { rung: 1 }, { rung: 1, holdUntilBufferMs: 5000 }, { rung: 2 }),
  );
  player.load(5000);
  player.load(5000);
  expect(player.settings.streaming.bufferingGoal).toBe(5);
  expect(player.load(5000)).toBeNull();
  for (let step = 0; player.settings.streaming.bufferingGoal === 5 && step < 90; step += 1) player.pass(50);
  expect(player.endS - player.media.currentTime).toBeCloseTo(5.1, 0);
  expect(player.settings.streaming.bufferingGoal).toBe(20);
  expect(player.load(5000)).toBe('video-1200');
  expect(decisionsIn(session).map(({ rung, holdUntilBufferMs }) => [rung, holdUntilBufferMs])).toEqual([
    [0, null],
    [1, null],
    [1, 5000],
    [2, null],
  ]);
});

test('Shaka’s restrictions narrow what a rule is offered, and are ignored where nothing is left', () => {
  const narrow = started(scripted({ rung: 3 }), (player) => {
    player.restrictions = { ...NO_LIMITS, maxHeight: 400 };
  });
  expect(inputsIn(narrow.session)[0]).toMatchObject({ kind: 'ladder', ladder: { length: 4 } });
  const none = started(scripted({ rung: 4 }), (player) => {
    player.restrictions = { ...NO_LIMITS, maxHeight: 10 };
  });
  expect(none.player.playing!.video!.id).toBe('video-2850');
});

test('a variant that Shaka takes away is offered no more', () => {
  const { session, player } = started(scripted({ rung: 4 }, { rung: 3 }));
  player.variants = player.variants.filter(({ video }) => video!.id !== 'video-2850');
  expect(player.manager.setVariants(player.variants as never, false)).toBe(true);
  expect(player.manager.setVariants(player.variants as never, false)).toBe(false);
  player.playing = player.manager.chooseVariant() as unknown as FakeVariant;
  expect(player.load(500)).toBe('video-1850');
  expect(decisionsIn(session)).toMatchObject([
    { rung: 4, missing: { requestId: 'not-applicable' } },
    { rung: 3, missing: { requestId: 'not-reported' } },
  ]);
});

test('another video than the rule chose is recorded as Shaka’s own choice', () => {
  const { session, player } = started(scripted({ rung: 2 }));
  player.request(player.videos[1]!, 500);
  expect(decisionsIn(session)).toMatchObject([
    { rule: 'scripted', rung: 2, missing: { requestId: 'not-applicable' } },
    { rule: 'Shaka', rung: 1, because: 'Shaka loads level 2, and not level 3, which the rule chose.' },
  ]);
  expect(() => session.log()).not.toThrow();
});

test('a seek out of the buffer is a new question, one within it is not', () => {
  const { session, player } = started(scripted({ rung: 0 }));
  player.load(500);
  player.load(500);
  const before = player.switches;
  player.media.currentTime = 5;
  player.media.dispatchEvent(new Event('seeking'));
  expect(player.switches).toBe(before);
  player.media.currentTime = 100;
  player.media.dispatchEvent(new Event('seeking'));
  player.endS = 100;
  player.load(500);
  expect(decisionsIn(session).at(-1)!.moment).toMatchObject({ playheadMs: 100_000, bufferMs: 0 });
  expect(inputsIn(session).filter(({ kind }) => kind === 'seek')).toMatchObject([
    { toMs: 5000 },
    { toMs: 100_000 },
  ]);
});

test('answers of the browser’s cache are no downloads', () => {
  const { session, player } = started(scripted({ rung: 0 }));
  player.request(player.videos[0]!, 500, true);
  expect(inputsIn(session).some(({ kind }) => kind === 'download')).toBe(false);
  expect(player.manager.getBandwidthEstimate()).toBe(1e6);
});

test('the byte ranges of an index are the sizes that the rule knows', () => {
  const { session, player } = started(scripted({ rung: 0 }), (player) => void (player.rangeBytes = 1000));
  player.load(500);
  player.load(500);
  const sizes = inputsIn(session).filter(({ kind }) => kind === 'sizes');
  expect(sizes).toMatchObject([{ from: 'sidx', rung: 0, sizesBytes: { length: SEGMENTS, 0: 1000 } }]);
});

test('without video the rule chooses the audio', () => {
  const { session, player } = started(scripted({ rung: 1 }), (player) => {
    player.variants = player.audios.map((audio) => variant(null, audio));
  });
  expect(player.playing!.audio!.id).toBe('audio-128');
  player.request(player.audios[1]!, 500);
  expect(decisionsIn(session)).toMatchObject([{ mediaType: 'audio', rung: 1, bitrateKbps: 128 }]);
});

test('stop gives Shaka back what it had', () => {
  const { player } = started(scripted({ rung: 0, holdUntilBufferMs: 1000 }));
  expect(player.settings.streaming).toMatchObject({ lowLatencyMode: false, segmentPrefetchLimit: 0 });
  player.load(5000);
  player.used.stop();
  expect(player.settings.abrFactory()).toEqual({ own: true });
  expect(player.settings.streaming).toEqual({
    bufferingGoal: 20,
    rebufferingGoal: 0,
    lowLatencyMode: true,
    segmentPrefetchLimit: 1,
  });
  expect(player.requestFilters.size + player.responseFilters.size).toBe(0);
});
