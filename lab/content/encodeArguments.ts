import type { RungRecipe, StreamRecipe } from './demoRecipe.ts';

/**
 * A slow dive into the Mandelbrot set in two calm colours, with grain: fine structure that low rungs visibly lose and
 * that fills the top rung's bitrate. Only filters that ffmpeg 4.1 has (the npm package carries that one).
 */
const PICTURE = ({ framesPerSecond, durationS }: StreamRecipe): string =>
  `mandelbrot=s=640x360:r=${framesPerSecond}:maxiter=600:start_scale=1.6:end_scale=0.0004` +
  `:end_pts=${durationS * framesPerSecond}:inner=mincol:outer=normalized_iteration_count`;
const COLOURS =
  'format=gray,format=rgb24,' +
  "lutrgb=r='255*pow(val/255\\,1.3)':g='20+205*pow(val/255\\,1.7)':b='48+150*sin(val/255*2.4)'";
/** Put in before scaling: each rung keeps as much of it as its size can show. */
const GRAIN = 'noise=alls=9:allf=t';

/** Two soft tones a fifth apart; the second language of a test stream is a third higher. */
const tone = (hertz: number): string =>
  `0.08*sin(2*PI*${hertz}*t)*(1+sin(2*PI*0.25*t))+0.05*sin(2*PI*${hertz * 1.5}*t)`;
export const TONES_HZ = [220, 277] as const;

/** Arguments that encode all rungs and audio levels into one Matroska file: cut and packaged without encoding again. */
export function encodeArguments(
  recipe: StreamRecipe,
  { fontFile, output }: { fontFile: string; output: string },
): string[] {
  const keyframes = String(recipe.segmentS * recipe.framesPerSecond);
  return [
    ...['-v', 'error', '-nostdin', '-y', '-progress', 'pipe:1'],
    ...['-f', 'lavfi', '-i', PICTURE(recipe)],
    ...TONES_HZ.flatMap((hertz) => ['-f', 'lavfi', '-i', `aevalsrc='${tone(hertz)}':s=48000`]),
    ...['-filter_complex', filterGraph(recipe, fontFile)],
    ...recipe.rungs.flatMap((_, index) => ['-map', `[rung${index}]`]),
    ...audioLevels(recipe).flatMap(({ input }) => ['-map', `${input}:a`]),
    ...['-t', String(recipe.durationS)],
    ...[
      '-c:v',
      'libvpx-vp9',
      '-deadline',
      'realtime',
      '-cpu-used',
      '8',
      '-row-mt',
      '1',
      '-pix_fmt',
      'yuv420p',
    ],
    ...['-g', keyframes, '-keyint_min', keyframes, '-sc_threshold', '0'],
    ...recipe.rungs.flatMap(rateArguments),
    ...['-c:a', 'libopus', '-vbr', 'off', '-ac', '2', '-strict', '-2'],
    ...audioLevels(recipe).flatMap(({ kbps }, index) => [`-b:a:${index}`, `${kbps}k`]),
    output,
  ];
}

/** Audio tracks in order: each level of the first language, then the second language once (tests only use it). */
export function audioLevels({ audioKbps }: StreamRecipe): { input: number; kbps: number }[] {
  const first = audioKbps.map((kbps) => ({ input: 1, kbps }));
  return audioKbps.length === 1 ? [...first, { input: 2, kbps: audioKbps[0] ?? 64 }] : first;
}

function filterGraph(recipe: StreamRecipe, fontFile: string): string {
  const count = recipe.rungs.length;
  const names = recipe.rungs.map((_, index) => `[copy${index}]`).join('');
  const head = `[0:v]${COLOURS},${GRAIN},split=${count}${names}`;
  return [head, ...recipe.rungs.map((rung, index) => rungFilter(rung, { index, count, fontFile }))].join(';');
}

function rungFilter(
  { width, height, bitrateKbps }: RungRecipe,
  { index, count, fontFile }: { index: number; count: number; fontFile: string },
): string {
  const size = Math.round(height / 16);
  const text = `rung ${index + 1} of ${count}   ${height}p   ${bitrateKbps} kbit/s   %{pts\\:hms}`;
  const box = `box=1:boxcolor=black@0.55:boxborderw=${Math.round(size / 2)}:fontcolor=white`;
  const place = `x=${size}:y=h-2.4*${size}`;
  const font = fontFile.replaceAll('\\', '/').replaceAll(':', '\\:');
  return `[copy${index}]scale=${width}:${height}:flags=bicubic,drawtext=fontfile='${font}':text='${text}':fontsize=${size}:${place}:${box}[rung${index}]`;
}

/**
 * Constant bitrate in one pass: a segment's size follows its rung. libvpx takes it as such only where target, least and
 * most are equal; anything looser overshot by a third to a half.
 */
function rateArguments({ bitrateKbps }: RungRecipe, index: number): string[] {
  const rate = `${bitrateKbps}k`;
  return [`-b:v:${index}`, rate, `-minrate:v:${index}`, rate, `-maxrate:v:${index}`, rate].concat(
    `-bufsize:v:${index}`,
    `${bitrateKbps * 2}k`,
  );
}
