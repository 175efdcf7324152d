/** What a line covers of each column of pixels, whole px from the top; `top >= bottom` where there is nothing of it. */
export interface Band {
  readonly tops: Float64Array;
  readonly bottoms: Float64Array;
}

/** A line in px; NaN in `y` lifts the pen. */
interface PixelLine {
  readonly count: number;
  /** Column of a point; may lie outside. */
  x(index: number): number;
  y(index: number): number;
  /** Each value holds until the next point. */
  readonly step: boolean;
  readonly widthPx: number;
}

/** The band that a line of many points per column is. */
export function bandOf(line: PixelLine, columns: number): Band {
  const tops = new Float64Array(columns).fill(Infinity);
  const bottoms = new Float64Array(columns).fill(-Infinity);
  const cover = (column: number, y: number): void => {
    // NaN counts for nothing.
    if (y < tops[column]!) tops[column] = y;
    if (y > bottoms[column]!) bottoms[column] = y;
  };
  let before = { column: 0, y: NaN };
  for (let index = 0; index < line.count; index += 1) {
    const now = { column: Math.round(line.x(index)), y: line.y(index) };
    const slope = line.step ? 0 : (now.y - before.y) / Math.max(1, now.column - before.column);
    for (let column = Math.max(0, before.column + 1); column < Math.min(columns, now.column); column += 1)
      cover(column, before.y + slope * (column - before.column));
    if (now.column >= 0 && now.column < columns) {
      cover(now.column, now.y);
      // From where the line comes, so that neighbouring columns touch.
      if (!Number.isNaN(now.y)) cover(now.column, line.step ? before.y : now.y - slope);
    }
    before = now;
  }
  return {
    tops: tops.map((top) => Math.round(top - line.widthPx / 2)),
    bottoms: bottoms.map((bottom) => Math.round(bottom + line.widthPx / 2)),
  };
}
