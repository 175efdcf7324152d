import type { Recipe } from '../ladder.ts';
import type { PaddedRecipe } from './paddedRecipe.ts';

/** How much is really encoded, in s or a little more; the stream repeats it. */
const LOOP_SECONDS = 12;
/** The bytes count, not the pictures: at 24 a second, six sessions on two busy cores dropped 2 to 6 % of them, at 10 none. */
const FRAMES_PER_SECOND = 10;

/**
 * The few small pictures (and the sound) of which a padded stream is made. One segment more than is used: the first one of
 * sound is shorter than the others, by Opus' pre-skip.
 */
export const loopRecipe = ({ title, segmentSeconds, video, audioKbps }: PaddedRecipe): Recipe => ({
  title,
  framesPerSecond: FRAMES_PER_SECOND,
  segmentSeconds,
  segments: Math.ceil(LOOP_SECONDS / segmentSeconds) + 1,
  video: video.map(({ bitrateKbps }) => ({ bitrateKbps, widthPx: 160, heightPx: 90 })),
  audio:
    audioKbps === null
      ? []
      : [{ bitrateKbps: audioKbps, language: 'en', chordHz: [130.81, 196, 246.94, 329.63] }],
});
