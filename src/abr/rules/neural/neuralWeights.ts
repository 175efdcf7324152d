import type { Dense } from '../../neural/layers.ts';
import { CONTEXT_INPUTS, RUNG_INPUTS } from './netInputs.ts';
import { failed, ok, type Result } from '../../../shared/result.ts';
import { float16FromBase64 } from '../../neural/floats.ts';

export const NEURAL_FORMAT = 'pitwall-neural/7';

export const NEURAL_LAYERS = ['context', 'rung', 'own', 'mean', 'last', 'narrow', 'score'] as const;
type NeuralLayer = (typeof NEURAL_LAYERS)[number];

export type NeuralLayers = Readonly<Record<NeuralLayer, Dense>>;

/** What a file of weights holds. */
export interface NeuralWeights {
  readonly name: string;
  /** Numbers that a rung is embedded in. */
  readonly width: number;
  readonly narrow: number;
  /** One net, or several that were trained apart; what they say is averaged. */
  readonly nets: readonly NeuralLayers[];
  /** What the inputs were during training; null where the file does not say. */
  readonly ranges: TrainedRanges | null;
}

/** Least and most of each input over the decisions that the net was trained on. */
export interface TrainedRanges {
  readonly context: readonly Range[];
  readonly rung: readonly Range[];
  /**
   * Range of the buffer level at which the player waits (`fullMs`), s. The level is no input but the sum of two inputs, and
   * with a level of 4 s both have values that they also have with one of 60 s. null where the file does not say.
   */
  readonly bufferTargetS: Range | null;
}
export type Range = readonly [min: number, max: number];

/** Inputs and outputs of each layer. */
export const neuralShapes = (
  width: number,
  narrow: number,
): Readonly<Record<NeuralLayer, readonly [inputs: number, outputs: number]>> => ({
  context: [CONTEXT_INPUTS, width],
  rung: [RUNG_INPUTS, width],
  own: [width, width],
  mean: [width, width],
  last: [width, width],
  narrow: [width, narrow],
  score: [narrow, 1],
});

/** Maximum width of a net; more is taken for a mistake. */
const WIDEST = 1024;
/** Maximum number of nets of an ensemble; more is taken for a mistake. */
const MAX_NETS = 8;

/**
 * Reads a file of weights: a JSON object with `format`, `name`, `width`, `narrow` and `data`, base64 of half-precision
 * numbers, layer after layer in the order of `NEURAL_LAYERS`, each its kernel row-major inputs × outputs and then its
 * bias; where there are several nets `nets`, how many stand one after the other in `data`; and where it is known `ranges`,
 * what the inputs and the buffer's target were in training. The error is one sentence that names the field and what is
 * needed there; whoever asked says whose weights they are.
 */
export function readNeuralWeights(text: string): Result<NeuralWeights> {
  const file = parseFields(text);
  const weights = file === null ? 'the file is no JSON object.' : weightsOrFault(file);
  return typeof weights === 'string' ? failed(weights) : ok(weights);
}

type Fields = Readonly<Record<string, unknown>>;

function weightsOrFault({ format, name, ranges, ...rest }: Fields): NeuralWeights | string {
  if (format !== NEURAL_FORMAT)
    return `"format" is ${JSON.stringify(format) ?? 'missing'}; "${NEURAL_FORMAT}" is needed.`;
  if (typeof name !== 'string' || name.trim() === '') return '"name" must be the name of the net.';
  const sized = netsOrFault(rest);
  if (typeof sized === 'string') return sized;
  const trained = rangesOrFault(ranges);
  return typeof trained === 'string' ? trained : { name, ...sized, ranges: trained };
}

type Sized = Pick<NeuralWeights, 'width' | 'narrow' | 'nets'>;

function netsOrFault({ width, narrow, nets = 1, data }: Fields): Sized | string {
  if (!isCount(width, WIDEST) || !isCount(narrow, WIDEST))
    return `"width" and "narrow" must be whole numbers from 1 to ${WIDEST}.`;
  if (!isCount(nets, MAX_NETS)) return `"nets" must be a whole number from 1 to ${MAX_NETS}.`;
  const shapes = NEURAL_LAYERS.map((layer) => neuralShapes(width, narrow)[layer]);
  const each = shapes.reduce((sum, [inputs, outputs]) => sum + (inputs + 1) * outputs, 0);
  const whose = nets === 1 ? 'a net of this width has' : `${nets} nets of this width have`;
  const numbers = numbersOrFault(data, { count: nets * each, whose });
  if (typeof numbers === 'string') return numbers;
  const layers = Array.from({ length: nets }, (_, net) =>
    layersOf(numbers.subarray(net * each, (net + 1) * each), shapes),
  );
  return { width, narrow, nets: layers };
}

function rangesOrFault(given: unknown): TrainedRanges | string | null {
  if (given === undefined || given === null) return null;
  const { context, rung, bufferTargetS = null } = given as Fields;
  if (!areRanges(context, CONTEXT_INPUTS) || !areRanges(rung, RUNG_INPUTS))
    return `"ranges" must have [least, most] for ${CONTEXT_INPUTS} inputs in "context" and ${RUNG_INPUTS} in "rung".`;
  return bufferTargetS === null || isRange(bufferTargetS)
    ? { context, rung, bufferTargetS }
    : '"ranges" must have [least, most] in "bufferTargetS", or none.';
}

const areRanges = (value: unknown, count: number): value is readonly Range[] =>
  Array.isArray(value) && value.length === count && value.every(isRange);

const isRange = (value: unknown): value is Range =>
  Array.isArray(value) && value.length === 2 && value.every(Number.isFinite) && value[0] <= value[1];

type Shapes = readonly (readonly [inputs: number, outputs: number])[];

function numbersOrFault(
  data: unknown,
  needed: { readonly count: number; readonly whose: string },
): Float32Array | string {
  const numbers = typeof data === 'string' ? float16FromBase64(data) : null;
  if (numbers === null) return '"data" is no base64 of whole 16-bit floats.';
  if (numbers.length !== needed.count)
    return `"data" has ${numbers.length} numbers; ${needed.whose} ${needed.count}.`;
  const odd = numbers.findIndex((number) => !Number.isFinite(number));
  return odd >= 0 ? `"data" has ${numbers[odd]} in place ${odd + 1}.` : numbers;
}

function layersOf(numbers: Float32Array, shapes: Shapes): NeuralLayers {
  let at = 0;
  const taken = (count: number): Float32Array => numbers.subarray(at, (at += count));
  const layers = shapes.map(
    ([inputs, outputs], index) =>
      [
        NEURAL_LAYERS[index]!,
        { inputs, outputs, kernel: taken(inputs * outputs), bias: taken(outputs) },
      ] as const,
  );
  return Object.fromEntries(layers) as Record<NeuralLayer, Dense>;
}

/** The fields of a JSON object; null when the text is none. */
function parseFields(text: string): Fields | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}

const isCount = (value: unknown, max: number): value is number =>
  Number.isInteger(value) && (value as number) >= 1 && (value as number) <= max;
