import { bufferTargetAt } from '../bufferTargetAt.ts';
import { figureOf } from '../figure.ts';
import type { KeyFigures } from '../figures.ts';
import type { SessionSeries } from '../series.ts';
import { rowAfter, valueAt, type Table } from '../table.ts';

export type BufferFigures = Pick<KeyFigures, 'bufferNowMs' | 'bufferTargetMs' | 'bufferMeanMs'>;

const NO_SAMPLE = 'The buffer has not been read yet.';

/** Level of the video buffer (of the audio buffer when there is no video). */
export function bufferFigures(series: SessionSeries, untilMs: number): BufferFigures {
  const { video, audio } = series.buffer;
  const table = video.length > 0 ? video : audio;
  return {
    bufferNowMs: figureOf(valueAt(table.columns.levelMs, rowAfter(table, untilMs) - 1), NO_SAMPLE),
    bufferTargetMs: figureOf(bufferTargetAt(series, untilMs), 'No decision has named a target yet.'),
    bufferMeanMs: figureOf(meanLevel(table, untilMs), NO_SAMPLE),
  };
}

/** Time-weighted, so that thinning old samples changes it little. A pause of the sampler weighs 5 s at most. */
function meanLevel(
  table: Table<{ atMs: Float64ArrayConstructor; levelMs: Float32ArrayConstructor }>,
  untilMs: number,
): number | null {
  const { atMs, levelMs } = table.columns;
  const end = rowAfter(table, untilMs);
  let area = 0;
  let weight = 0;
  for (let row = 1; row < end; row += 1) {
    const ms = Math.min(5000, atMs[row]! - atMs[row - 1]!);
    area += (ms * (levelMs[row]! + levelMs[row - 1]!)) / 2;
    weight += ms;
  }
  return weight > 0 ? area / weight : valueAt(levelMs, end - 1);
}
