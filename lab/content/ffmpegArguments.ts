import { videoId, type Recipe, type VideoRung, audioId, durationSeconds } from './ladder.ts';

/**
 * The arguments of the one ffmpeg run that encodes a whole ladder. PURE.
 *
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

/** libopus puts 312 samples before the sound; without space for them a last fragment of 6.5 ms would appear. */
const opusDelaySeconds = 312 / 48_000;

/** The filters that make the sound of each audio track, labelled with its id. */
export const chords = (recipe: Recipe): string[] =>
  recipe.audio.map(
    ({ chordHz }, index) =>
      `${chord(chordHz, durationSeconds(recipe) - opusDelaySeconds)}[${audioId(index)}]`,
  );

/** A soft chord that breathes; quiet, because the demo starts by itself in many tests and talks. */
function chord(frequenciesHz: readonly number[], seconds: number): string {
  const voices = frequenciesHz.map((hz, index) => `sin(2*PI*${hz}*t)*(0.6+0.4*sin(2*PI*t/${5 + 2 * index}))`);
  const mono = `0.05*(${voices.join('+')})`;
  return `aevalsrc=${escaped(`${mono}|${mono}`)}:s=48000:d=${seconds}`;
}

/** Encodes the audio track `index` to `<folder>/<id>.mp4`. */
export function audioOutput(
  { segmentSeconds, chunkSeconds }: Recipe,
  bitrateKbps: number,
  { index, folder }: { index: number; folder: string },
): string[] {
  return [
    ...['-map', `[${audioId(index)}]`, '-c:a', 'libopus', '-b:a', `${bitrateKbps}k`, '-vbr', 'off'],
    ...fragments(chunkSeconds ?? segmentSeconds),
    ...mp4Output(`${folder}/${audioId(index)}.mp4`, ''),
  ];
}

/** The last arguments of an output of ffmpeg: one fragmented MP4 with a `sidx` for the whole file. PURE. */
export function mp4Output(file: string, fragmentFlag: string): string[] {
  const flags = `+dash+delay_moov+global_sidx+skip_trailer${fragmentFlag}`;
  return ['-f', 'mp4', '-movflags', flags, file];
}

/** Ends a fragment after so many seconds. */
const fragments = (seconds: number): string[] => ['-frag_duration', String(seconds * 1_000_000)];

/** A text as an option of an ffmpeg filter. Escaped twice: once for the option's parser, once for the graph's. */
export function escaped(text: string): string {
  const option = text.replace(/[\\':%]/g, (sign) => (sign === '%' ? sign : `\\${sign}`));
  return option.replace(/[\\'[\],;]/g, (sign) => `\\${sign}`);
}
