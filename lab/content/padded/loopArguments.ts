import { audioOutput, chords } from '../audioTrack.ts';
import { escaped } from '../escaped.ts';
import { durationSeconds, videoId, type Recipe } from '../ladder.ts';
import { mp4Output } from '../mp4Output.ts';

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
    // As inputs, not inside the graph: ffmpeg 5.1 opens Opus before a graph without inputs knows its frames, and fails.
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
