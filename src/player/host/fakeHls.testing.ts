import type { RecordedSession } from './recordedSession.testing.ts';

const Events = Object.fromEntries(
  [
    'MANIFEST_LOADING',
    'MEDIA_ATTACHED',
    'MEDIA_DETACHED',
    'LEVELS_UPDATED',
    'FRAG_LOADING',
    'FRAG_LOADED',
    'FRAG_BUFFERED',
    'ERROR',
  ].map((name) => [name, name]),
);
export const SEGMENT_S = 4;
const SEGMENTS = 60;

interface FakeLevel {
  readonly bitrate: number;
  details: object | undefined;
  loadError: number;
  [fact: string]: unknown;
}

export function level(kbps: number, over: object = {}): FakeLevel {
  const facts = {
    codecSet: 'avc1,mp4a',
    videoRange: 'SDR',
    videoCodec: 'avc1.64001f',
    audioCodec: 'mp4a.40.2',
  };
  const size = { width: 640, height: 360, maxBitrate: kbps * 1200 };
  const errors = { loadError: 0, fragmentError: 0, loadErrorTime: 0 };
  return {
    ...facts,
    ...size,
    ...errors,
    details: undefined,
    bitrate: kbps * 1200,
    attrs: { 'AVERAGE-BANDWIDTH': `${kbps * 1000}` },
    ...over,
  };
}

/** hls.js as far as a controller meets it: its tick, its loads, its buffer. */
export class FakeHls {
  static readonly Events = Events;
  readonly config = {
    maxBufferSize: 6e6,
    maxBufferLength: 30,
    maxMaxBufferLength: 600,
    abrEwmaDefaultEstimate: 5e5,
    lowLatencyMode: true,
    errorPenaltyExpireMs: 30_000,
  };
  levels = [300, 750, 1200, 1850, 2850].map((kbps) => level(kbps));
  firstLevel = 0;
  minAutoLevel = 0;
  maxAutoLevel = 4;
  url = 'https://cdn.example/main.m3u8';
  latency = 0;
  media = Object.assign(new EventTarget(), {
    currentTime: 0,
    playbackRate: 1,
    paused: false,
    seeking: false,
  });
  endS = 0;
  audioForwardBufferInfo = null;
  latestLevelDetails: object | null = null;
  readonly session: RecordedSession;
  readonly controller: {
    nextAutoLevel: number;
    firstAutoLevel: number;
    forcedAutoLevel: number;
    resetEstimator(bps: number): void;
    destroy(): void;
  };
  readonly listeners = new Map<string, Set<(type: string, data: unknown) => void>>();

  /** @param abrController the class or function that hls.js makes its controller by */
  constructor(abrController: unknown, session: RecordedSession) {
    this.session = session;
    const Controller = abrController as new (hls: FakeHls) => FakeHls['controller'];
    this.controller = new Controller(this);
    this.trigger('MEDIA_ATTACHED', { media: this.media });
  }
  get mainForwardBufferInfo() {
    return { len: Math.max(0, this.endS - this.media.currentTime), end: this.endS };
  }
  on(type: string, listener: (type: string, data: unknown) => void): void {
    this.listeners.set(type, (this.listeners.get(type) ?? new Set()).add(listener));
  }
  off(type: string, listener: (type: string, data: unknown) => void): void {
    this.listeners.get(type)?.delete(listener);
    if (this.listeners.get(type)?.size === 0) this.listeners.delete(type);
  }
  trigger(type: string, data: unknown): void {
    for (const listener of this.listeners.get(type) ?? []) listener(type, data);
  }
  pass(ms: number): void {
    this.session.clock.nowMs += ms;
    this.media.currentTime = Math.min(this.endS, this.media.currentTime + ms / 1000);
  }
  /** The stream controller's tick: reads the level, writes it back, and loads where the buffer has space. Returns the level. */
  tick(): number | null {
    const index = this.controller.nextAutoLevel;
    this.controller.nextAutoLevel = index;
    const chosen = this.levels[index]!;
    chosen.details ??= detailsOf(index);
    this.latestLevelDetails = chosen.details;
    const { maxBufferSize, maxBufferLength, maxMaxBufferLength } = this.config;
    const limit = Math.min(
      Math.max((8 * maxBufferSize) / chosen.bitrate, maxBufferLength),
      maxMaxBufferLength,
    );
    return this.mainForwardBufferInfo.len >= limit ? null : index;
  }
  fragment(index: number) {
    const sn = 1 + Math.round(this.endS / SEGMENT_S);
    const stats = {
      aborted: false,
      loaded: 0,
      loading: { start: this.session.clock.nowMs, first: 0, end: 0 },
    };
    return { type: 'main', sn, level: index, bitrateTest: false, stats };
  }
  /** Loads the next fragment at so many bytes per ms, if it is time to. Returns the level, or null. */
  load(bytesPerMs: number): number | null {
    const index = this.tick();
    if (index === null) return null;
    const frag = this.fragment(index);
    this.trigger('FRAG_LOADING', { frag });
    const bytes = Math.round(
      (Number(
        (this.levels[index] as { attrs?: { 'AVERAGE-BANDWIDTH': string } }).attrs!['AVERAGE-BANDWIDTH'],
      ) *
        SEGMENT_S) /
        8,
    );
    this.pass(20);
    frag.stats.loading.first = this.session.clock.nowMs;
    this.pass(bytes / bytesPerMs);
    frag.stats.loaded = bytes;
    frag.stats.loading.end = this.session.clock.nowMs;
    this.trigger('FRAG_LOADED', { frag, part: null });
    this.endS += SEGMENT_S;
    this.trigger('FRAG_BUFFERED', { frag });
    return index;
  }
}

export function detailsOf(index: number, over: object = {}) {
  const fragments = Array.from({ length: SEGMENTS }, (_, number) => ({
    sn: number + 1,
    duration: SEGMENT_S,
    end: (number + 1) * SEGMENT_S,
    byteRangeStartOffset: number * 1000 * (index + 1),
    byteRangeEndOffset: (number + 1) * 1000 * (index + 1),
  }));
  return { live: false, startSN: 1, edge: SEGMENTS * SEGMENT_S, fragments, ...over };
}
