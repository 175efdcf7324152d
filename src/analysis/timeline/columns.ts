/** The columns of each table of a series. A code is the index into one of the lists below. */
export const SHAPES = {
  requests: {
    /** Request start: Resource Timing `startTime`, else when the player asked. */
    atMs: Float64Array,
    firstByteMs: Float64Array,
    /** Last byte, else when the player saw the end. */
    endMs: Float64Array,
    sizeBytes: Float64Array,
    bitrateKbps: Float32Array,
    rung: Float32Array,
    segment: Float64Array,
    lane: Uint8Array,
    protocol: Uint8Array,
    outcome: Uint8Array,
    /** What of the body the network carried. */
    carriedBytes: Float64Array,
    /** Index into the series' `pathways`. */
    pathway: Uint8Array,
    ref: Uint32Array,
  },
  decisions: {
    atMs: Float64Array,
    rung: Float32Array,
    bitrateKbps: Float32Array,
    estimateKbps: Float32Array,
    bufferMs: Float32Array,
    bufferTargetMs: Float32Array,
    segment: Float64Array,
    lane: Uint8Array,
    rule: Uint8Array,
    firstVote: Uint32Array,
    voteCount: Uint8Array,
    ref: Uint32Array,
  },
  votes: { atMs: Float64Array, rule: Uint8Array, rung: Float32Array, asked: Uint8Array },
  switches: {
    atMs: Float64Array,
    rung: Float32Array,
    bitrateKbps: Float32Array,
    lane: Uint8Array,
    rendered: Uint8Array,
  },
  levels: { atMs: Float64Array, levelMs: Float32Array },
  /** `sound` 1: only the sound stood, the picture moved. */
  stalls: { atMs: Float64Array, durationMs: Float64Array, sound: Uint8Array },
  seeks: { atMs: Float64Array, waitMs: Float64Array },
  states: { atMs: Float64Array, state: Uint8Array },
  playheads: {
    atMs: Float64Array,
    playheadMs: Float64Array,
    /** Playback rate from here on. NaN: the playhead was moved here, and the rate stays. */
    rate: Float32Array,
  },
  hidden: { atMs: Float64Array, hidden: Uint8Array },
  races: {
    atMs: Float64Array,
    /** Decided. */
    endMs: Float64Array,
    outcome: Uint8Array,
    /** The TCP job waited until then. NaN when it did not wait. */
    waitedUntilMs: Float64Array,
    /** The loser went on without the request until then. */
    orphanEndMs: Float64Array,
    /** 1: what it won died under the request (restart or failure). */
    died: Uint8Array,
    /** 1: from a NetLog, which knows more than DevTools. */
    netLog: Uint8Array,
    /** Why it was run, a code of `outcomes`; 0: not known, or not run. */
    cause: Uint8Array,
  },
  paths: {
    atMs: Float64Array,
    rttMs: Float32Array,
    /** The congestion window, in the unit that the source reported. */
    cwndBytes: Float32Array,
    cwndPackets: Float32Array,
    /** Lost (QUIC) or sent again (TCP) so far. */
    lostPackets: Float32Array,
  },
} as const;

/**
 * Rows of the waterfall: media of video and audio; everything else (manifest, init, text, steering …) is "other". The files of
 * a transfer have the first two, a row for each of its streams.
 */
export const LANES = ['video', 'audio', 'other'] as const;
export const VIDEO = 0;
export const AUDIO = 1;
export const OTHER = 2;

/** Lane of media of a type; text rides with "other". */
export function laneCode(mediaType: 'video' | 'audio' | 'text' | null): number {
  if (mediaType === 'video') return VIDEO;
  return mediaType === 'audio' ? AUDIO : OTHER;
}

/** The last one is what a recording of the element alone cannot tell. */
export const OUTCOMES = [
  'ok',
  'http-error',
  'network-error',
  'timeout',
  'aborted',
  'in-flight',
  'unknown',
] as const;
export const OK = 0;
export const ABORTED = 4;
export const IN_FLIGHT = 5;
export const UNKNOWN = 6;

/** States of playback that change something; samples and changes of rate do not. */
export const STATES = ['play-requested', 'playing', 'waiting', 'paused', 'ended', 'stopped'] as const;
export const PLAY_REQUESTED = 0;
export const PLAYING = 1;

/** Codes are bytes: the 256th name of a hostile file shares the last code. */
export function codeIn(names: string[], name: string): number {
  const known = names.indexOf(name);
  if (known !== -1) return known;
  if (names.length > 255) return 255;
  return names.push(name) - 1;
}
