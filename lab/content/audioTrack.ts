/** An audio track for ffmpeg: a chord as a filter, and the output that encodes it. PURE. */
import { escaped } from './escaped.ts';
import { audioId, durationSeconds, type Recipe } from './ladder.ts';
import { fragments, mp4Output } from './mp4Output.ts';

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
