import { vi } from 'vitest';
import type { RecordedSession } from './recordedSession.testing.ts';

const SEGMENT_S = 4;
export const SEGMENTS = 60;
const SEGMENT_TYPE = 1;

export interface FakeStream {
  readonly id: string;
  readonly type: string;
  readonly bandwidth: number;
  readonly width: number;
  readonly height: number;
  segmentIndex: object | null;
}
export interface FakeVariant {
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
export const variant = (video: FakeStream | null, audio: FakeStream | null): FakeVariant => ({
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

/** What Shaka calls of its manager. */
interface AskedManager {
  configure(config: object): void;
  init(switchTo: (next: FakeVariant) => void, disableStream: () => void): void;
  setMediaElement(video: EventTarget): void;
  setVariants(variants: readonly FakeVariant[], isLowLatency: boolean): boolean;
  chooseVariant(isFirst?: boolean): FakeVariant;
  enable(): void;
  disable(): void;
  release(): void;
  segmentDownloaded(ms: number, bytes: number, maySwitch: boolean): void;
  getBandwidthEstimate(): number;
}

export const NO_LIMITS = {
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
export class FakeShaka extends EventTarget {
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
  readonly session: RecordedSession;

  constructor(session: RecordedSession) {
    super();
    this.session = session;
  }
  get manager() {
    return this.settings.abrFactory() as AskedManager;
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
    manager.configure({ restrictions: this.restrictions, defaultBandwidthEstimate: 1e6 });
    manager.init(
      (next: FakeVariant) => {
        if (next !== this.playing) this.switches += 1;
        this.playing = next;
      },
      () => undefined,
    );
    manager.setMediaElement(this.media);
    manager.setVariants(this.variants, false);
    this.playing = manager.chooseVariant(true);
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
