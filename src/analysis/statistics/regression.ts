import { meanOf } from './summaries.ts';

/** What a model answers for the inputs of one session. */
type Predictor = (inputs: readonly number[]) => number;

/**
 * Fits a model to the inputs of sessions, a row each, and to their values. Rows have the same length.
 * @throws Error without a row
 */
export type Fit = (rows: readonly (readonly number[])[], values: readonly number[]) => Predictor;

/** The trivial model: the mean of the values, whatever the inputs. */
export const fitMean: Fit = (_, values) => {
  const mean = knownMean(values);
  return () => mean;
};

/**
 * Ordinary least squares with an intercept. An input that does not vary, or that the inputs before it determine, has no
 * slope of its own.
 */
export const fitLinear: Fit = (rows, values) => {
  const mean = knownMean(values);
  const scales = scalesOf(rows);
  const columns = scales.map((scale, column) => rows.map((row) => scaled(row[column]!, scale)));
  const slopes = slopesOf(
    columns,
    values.map((value) => value - mean),
  );
  return (inputs) =>
    inputs.reduce((sum, input, column) => sum + slopes[column]! * scaled(input, scales[column]!), mean);
};

/**
 * The mean value of the nearest rows, `count` of them, by Euclidean distance of inputs in standard deviations (Cover and Hart
 * 1967). Rows at the same distance as the last of them count, too, so that the order of rows does not matter.
 */
export const fitNearest =
  (count: number): Fit =>
  (rows, values) => {
    knownMean(values);
    const scales = scalesOf(rows);
    const placeOf = (row: readonly number[]): number[] =>
      row.map((input, column) => scaled(input, scales[column]!));
    const places = rows.map(placeOf);
    return (inputs) => {
      const place = placeOf(inputs);
      const distances = places.map((other) => squaredDistance(place, other));
      const farthest = distances.toSorted((a, b) => a - b)[Math.min(count, rows.length) - 1]!;
      return knownMean(values.filter((_, row) => distances[row]! <= farthest));
    };
  };

function knownMean(values: readonly number[]): number {
  const mean = meanOf(values);
  if (mean === null) throw new Error('no values, so nothing to fit');
  return mean;
}

/** Mean and standard deviation of an input, with n. */
interface Scale {
  readonly mean: number;
  readonly deviation: number;
}

function scalesOf(rows: readonly (readonly number[])[]): Scale[] {
  return rows[0]!.map((first, column) => {
    const inputs = rows.map((row) => row[column]!);
    const mean = knownMean(inputs);
    // The mean of equal values may differ from them in the last digit.
    if (inputs.every((input) => input === first)) return { mean: first, deviation: 0 };
    return { mean, deviation: Math.sqrt(knownMean(inputs.map((input) => (input - mean) ** 2))) };
  });
}

const scaled = (input: number, { mean, deviation }: Scale): number =>
  deviation === 0 ? 0 : (input - mean) / deviation;

const squaredDistance = (one: readonly number[], other: readonly number[]): number =>
  one.reduce((sum, each, column) => sum + (each - other[column]!) ** 2, 0);

/** A direction of the inputs that is orthogonal to those before it. */
interface Direction {
  readonly column: number;
  readonly unit: readonly number[];
  /** What of the column lies in each direction before it, then in its own. */
  readonly parts: readonly number[];
}

/** A column of which less than this share is new depends on those before it. */
const INDEPENDENT = 1e-9;

/**
 * The slopes of least squares without an intercept, one for each column, by a QR decomposition: Gram and Schmidt's, twice,
 * which is as good as Householder's (Giraud, Langou, Rozložník 2005). The slope of a dependent column is 0.
 */
function slopesOf(columns: readonly (readonly number[])[], values: readonly number[]): number[] {
  const directions: Direction[] = [];
  for (const [column, inputs] of columns.entries()) {
    const direction = directionOf(column, inputs, directions);
    if (direction) directions.push(direction);
  }
  const slopes = columns.map(() => 0);
  for (const [place, { column, unit, parts }] of [...directions.entries()].reverse()) {
    const known = directions
      .slice(place + 1)
      .reduce((sum, later) => sum + later.parts[place]! * slopes[later.column]!, 0);
    slopes[column] = (dot(unit, values) - known) / parts[place]!;
  }
  return slopes;
}

function directionOf(
  column: number,
  inputs: readonly number[],
  before: readonly Direction[],
): Direction | null {
  const parts = before.map(() => 0);
  let rest = inputs;
  for (let pass = 0; pass < 2; pass += 1)
    for (const [place, { unit }] of before.entries()) {
      const part = dot(unit, rest);
      parts[place]! += part;
      rest = rest.map((each, row) => each - part * unit[row]!);
    }
  const length = Math.sqrt(dot(rest, rest));
  if (length <= INDEPENDENT * Math.sqrt(dot(inputs, inputs))) return null;
  return { column, unit: rest.map((each) => each / length), parts: [...parts, length] };
}

const dot = (one: readonly number[], other: readonly number[]): number =>
  one.reduce((sum, each, row) => sum + each * other[row]!, 0);
