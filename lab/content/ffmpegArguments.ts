/** The arguments of the one ffmpeg run that encodes a whole ladder. PURE. */
import { audioOutput, chords } from './audioTrack.ts';
import { escaped } from './escaped.ts';
import { videoId, type Recipe, type VideoRung } from './ladder.ts';
import { fragments, mp4Output } from './mp4Output.ts';

/**
 * Raw RGBA pictures come on standard input; one fragmented MP4 with a `sidx` goes out per track, `<folder>/<id>.mp4`.
 * Progress is written to standard output as `key=value` lines.
 */
export function ffmpegArguments(
  recipe: Recipe,
  { folder, fontFile }: { folder: string; fontFile: string },
): string[] {
  const top = recipe.video.at(-1);
  if (top === undefined) throw new Error('The recipe has no video level.');
  const pictures = ['-f', 'rawvideo', '-pix_fmt', 'rgba', '-s', `${top.widthPx}x${top.heightPx}`];
  return [
    ...['-hide_banner', '-loglevel', 'error', '-y', '-progress', 'pipe:1'],
    ...pictures,
    ...['-r', String(recipe.framesPerSecond), '-i', 'pipe:0'],
    ...['-filter_complex', filterGraph(recipe, fontFile)],
    ...recipe.video.flatMap((rung, index) => videoOutput(recipe, rung, { index, folder })),
    ...recipe.audio.flatMap(({ bitrateKbps }, index) => audioOutput(recipe, bitrateKbps, { index, folder })),
  ];
}

function filterGraph(recipe: Recipe, fontFile: string): string {
  const labels = recipe.video.map((_, index) => `[split${index}]`).join('');
  const rungs = recipe.video.map(
    (rung, index) =>
      `[split${index}]scale=${rung.widthPx}:${rung.heightPx}:flags=bilinear,${formatLabel(recipe, index, fontFile)}[${videoId(index)}]`,
  );
  return [`[0:v]format=yuv420p,split=${recipe.video.length}${labels}`, ...rungs, ...chords(recipe)].join(';');
}

/** Rung, size, bitrate and running time, so that a switch is seen and a frame can be identified by eye. */
function formatLabel(recipe: Recipe, index: number, fontFile: string): string {
  const { heightPx, bitrateKbps } = recipe.video[index] as VideoRung;
  const what = `${index + 1}/${recipe.video.length}  ${heightPx}p  ${bitrateKbps} kbit/s`;
  const style = `fontfile=${escaped(fontFile)}:fontcolor=white:box=1:boxcolor=black@0.55:boxborderw=${Math.round(heightPx / 60)}`;
  const margin = Math.round(heightPx / 24);
  // Above a player's controls, below what it lays over the top edge.
  const line = Math.round(heightPx * 0.78);
  return [
    `drawtext=${style}:fontsize=${Math.round(heightPx / 14)}:x=${margin}:y=${line}:text=${escaped(what)}`,
    `drawtext=${style}:fontsize=${Math.round(heightPx / 14)}:x=w-tw-${margin}:y=${line}:text=${escaped('%{pts:hms}')}`,
  ].join(',');
}

function videoOutput(
  { framesPerSecond, segmentSeconds, chunkSeconds }: Recipe,
  { bitrateKbps }: VideoRung,
  { index, folder }: { index: number; folder: string },
): string[] {
  const rate = `${bitrateKbps}k`;
  const framesPerSegment = String(framesPerSecond * segmentSeconds);
  return [
    ...['-map', `[${videoId(index)}]`, '-c:v', 'libvpx-vp9', '-pix_fmt', 'yuv420p'],
    // Equal rates select libvpx's constant bitrate: a segment of rung n then really is that heavy.
    ...['-b:v', rate, '-minrate', rate, '-maxrate', rate, '-bufsize', `${2 * bitrateKbps}k`],
    ...['-deadline', 'realtime', '-cpu-used', '8', '-row-mt', '1'],
    // Equal intervals give closed groups of one segment each, on the same frames in every rung.
    ...['-g', framesPerSegment, '-keyint_min', framesPerSegment],
    ...(chunkSeconds === undefined ? [] : fragments(chunkSeconds)),
    ...mp4Output(`${folder}/${videoId(index)}.mp4`, '+frag_keyframe'),
  ];
}
