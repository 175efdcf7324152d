/** What the small numbers in a series' columns mean: the index into one of these lists. */

/** Rows of the waterfall: media of video and audio; everything else (manifest, init, text, steering …) is "other". */
export const LANES = ['video', 'audio', 'other'] as const;
export type Lane = (typeof LANES)[number];
export const VIDEO = 0;
export const AUDIO = 1;
export const OTHER = 2;

/** Lane of media of a type; text rides with "other". */
export function laneCode(mediaType: 'video' | 'audio' | 'text' | null): number {
  if (mediaType === 'video') return VIDEO;
  return mediaType === 'audio' ? AUDIO : OTHER;
}

export const OUTCOMES = ['ok', 'http-error', 'network-error', 'timeout', 'aborted', 'in-flight'] as const;
export const OK = 0;
export const ABORTED = 4;
export const IN_FLIGHT = 5;

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
