import { type Recipe, durationSeconds, videoId } from '../ladder.ts';
import type { PaddedRecipe } from './paddedRecipe.ts';
import { audioOutput, chords, mp4Output, escaped } from '../ffmpegArguments.ts';
import { execFile } from 'node:child_process';

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

/**
 * The arguments of the one ffmpeg run that encodes the pictures of a padded stream, some 8 kbit/s each at 160 × 90: the rung
 * in words, and a marker that crosses the picture, so that a frozen one is seen. PURE.
 */
export function loopArguments(
  recipe: Recipe,
  { folder, fontFile }: { folder: string; fontFile: string },
): string[] {
  const { framesPerSecond, segmentSeconds, video, audio } = recipe;
  const framesPerSegment = String(framesPerSecond * segmentSeconds);
  return [
    ...['-hide_banner', '-loglevel', 'error', '-y'],
    // Pictures are inputs, not in the graph: ffmpeg 5.1 opens Opus before a graph without inputs knows its frames, and fails.
    ...['-f', 'lavfi', '-i', plain(recipe, '0x14202e', `${video[0]!.widthPx}x${video[0]!.heightPx}`)],
    ...['-f', 'lavfi', '-i', plain(recipe, '0xd6342c', '12x6')],
    ...['-filter_complex', filterGraph(recipe, fontFile)],
    ...video.flatMap((_, index) => [
      ...['-map', `[${videoId(index)}]`, '-c:v', 'libvpx-vp9', '-pix_fmt', 'yuv420p'],
      // Constant quality: what a still picture does not need is not spent.
      ...['-crf', '40', '-b:v', '0', '-deadline', 'realtime', '-cpu-used', '8', '-lag-in-frames', '0'],
      ...['-g', framesPerSegment, '-keyint_min', framesPerSegment],
      ...mp4Output(`${folder}/${videoId(index)}.mp4`, '+frag_keyframe'),
    ]),
    ...audio.flatMap(({ bitrateKbps }, index) => audioOutput(recipe, bitrateKbps, { index, folder })),
  ];
}

const plain = (recipe: Recipe, colour: string, size: string): string =>
  `color=c=${colour}:s=${size}:r=${recipe.framesPerSecond}:d=${durationSeconds(recipe)}`;

function filterGraph(recipe: Recipe, fontFile: string): string {
  const { video } = recipe;
  const splits = video.map((_, index) => `[split${index}]`).join('');
  return [
    `[0:v][1:v]overlay=x=t/${durationSeconds(recipe)}*(W-w):y=H-h,format=yuv420p,split=${video.length}${splits}`,
    ...video.map((_, index) => `[split${index}]${formatRung(recipe, index, fontFile)}[${videoId(index)}]`),
    ...chords(recipe),
  ].join(';');
}

function formatRung({ video }: Recipe, index: number, fontFile: string): string {
  const line = (y: number, text: string): string =>
    `drawtext=fontfile=${escaped(fontFile)}:fontcolor=white:fontsize=18:x=8:y=${y}:text=${escaped(text)}`;
  return `${line(18, `${index + 1}/${video.length}`)},${line(44, `${video[index]!.bitrateKbps} kbit/s`)}`;
}

/** Runs ffmpeg without input. @throws Error with its last words */
export const runFfmpeg = (ffmpeg: string, args: readonly string[]): Promise<void> =>
  new Promise((resolve, reject) => {
    execFile(ffmpeg, [...args], (error, _, stderr) => {
      if (error) reject(new Error(`ffmpeg failed: ${(stderr || error.message).trim().slice(-2000)}`));
      else resolve();
    });
  });
