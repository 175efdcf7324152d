/** One video quality. */
export interface VideoRung {
  readonly bitrateKbps: number;
  readonly widthPx: number;
  readonly heightPx: number;
}

/** One audio quality of one language: a steady chord, so that languages can be distinguished by ear. */
export interface AudioTrack {
  readonly bitrateKbps: number;
  /** RFC 5646 tag, as the MPD states it. */
  readonly language: string;
  readonly chordHz: readonly number[];
}

/** What a stream is made of: everything that its bytes depend on. */
export interface Recipe {
  readonly title: string;
  readonly framesPerSecond: number;
  readonly segmentSeconds: number;
  readonly segments: number;
  /** Length of the fragments inside a segment, for low-latency delivery; absent: one fragment per segment. */
  readonly chunkSeconds?: number;
  /** Ascending. */
  readonly video: readonly VideoRung[];
  readonly audio: readonly AudioTrack[];
}

const chordHz = [130.81, 196, 246.94, 329.63] as const;

/** The ladder of the 2020 letter "Modern ABR over QUIC" (200 kbit/s to 4 Mbit/s), with two audio levels. */
export const demoRecipe: Recipe = {
  title: 'Pitwall demo: a lap at dusk',
  framesPerSecond: 24,
  segmentSeconds: 4,
  segments: 18,
  video: [
    { bitrateKbps: 200, widthPx: 320, heightPx: 180 },
    { bitrateKbps: 400, widthPx: 320, heightPx: 180 },
    { bitrateKbps: 600, widthPx: 480, heightPx: 270 },
    { bitrateKbps: 800, widthPx: 640, heightPx: 360 },
    { bitrateKbps: 1000, widthPx: 640, heightPx: 360 },
    { bitrateKbps: 1500, widthPx: 768, heightPx: 432 },
    { bitrateKbps: 2500, widthPx: 1024, heightPx: 576 },
    { bitrateKbps: 4000, widthPx: 1280, heightPx: 720 },
  ],
  audio: [
    { bitrateKbps: 64, language: 'en', chordHz },
    { bitrateKbps: 128, language: 'en', chordHz },
  ],
};

/** Small and short: every way of describing segments is written over these same bytes. */
export const testRecipe: Recipe = {
  title: 'Pitwall test stream',
  framesPerSecond: 24,
  segmentSeconds: 2,
  segments: 12,
  video: [
    { bitrateKbps: 150, widthPx: 320, heightPx: 180 },
    { bitrateKbps: 300, widthPx: 320, heightPx: 180 },
    { bitrateKbps: 600, widthPx: 320, heightPx: 180 },
  ],
  audio: [
    { bitrateKbps: 48, language: 'en', chordHz },
    { bitrateKbps: 48, language: 'fr', chordHz: [146.83, 220, 293.66, 369.99] },
  ],
};

/** For live: segments in four chunks each, so that they can be delivered while they are still being made. */
export const liveRecipe: Recipe & { readonly chunkSeconds: number } = {
  ...testRecipe,
  title: 'Pitwall live test stream',
  chunkSeconds: 0.5,
  audio: testRecipe.audio.slice(0, 1),
};

export const durationSeconds = ({ segments, segmentSeconds }: Recipe): number => segments * segmentSeconds;

/** Tracks are named alike in files, folders and MPDs: `video-1` is the lowest rung. */
export const videoId = (rung: number): string => `video-${rung + 1}`;
export const audioId = (index: number): string => `audio-${index + 1}`;
