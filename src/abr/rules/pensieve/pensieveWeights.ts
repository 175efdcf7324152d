import type { Dense } from '../../neural/layers.ts';
import { failed, ok, type Result } from '../../../shared/result.ts';
import { float32FromBase64 } from '../../neural/floats.ts';

export const PENSIEVE_FORMAT = 'pitwall-pensieve/1';

/** The layers of the actor: a branch per row of the state, the layer that merges them, and the logits. */
export const PENSIEVE_LAYERS = [
  'lastBitrate',
  'buffer',
  'rates',
  'downloadTimes',
  'nextSizes',
  'segmentsLeft',
  'merge',
  'logits',
] as const;
export type PensieveLayer = (typeof PENSIEVE_LAYERS)[number];

/** What each row of the state is divided by before the net sees it; unit in the name. */
const PENSIEVE_DIVISORS = [
  'bitrateKbps',
  'bufferMs',
  'rateKbps',
  'downloadMs',
  'sizeBytes',
  'segmentsLeft',
] as const;
export type PensieveDivisors = Readonly<Record<(typeof PENSIEVE_DIVISORS)[number], number>>;

/** A trained actor, as read from its file (docs/pensieve-weights.md). */
export interface PensieveWeights {
  readonly name: string;
  /** The ladder that it was trained on, ascending; it has one output per rung. */
  readonly ladderKbps: readonly number[];
  /** How many downloads it looks back on: 8 in the paper. */
  readonly history: number;
  /** Outputs of each branch and of the merging layer: 128 in the paper. */
  readonly width: number;
  readonly divisors: PensieveDivisors;
  readonly layers: Readonly<Record<PensieveLayer, Dense>>;
}

/** Inputs and outputs of every layer, from the few numbers that decide them. */
export function pensieveShapes(
  rungs: number,
  history: number,
  width: number,
): Record<PensieveLayer, readonly [inputs: number, outputs: number]> {
  return {
    lastBitrate: [1, width],
    buffer: [1, width],
    rates: [history, width],
    downloadTimes: [history, width],
    nextSizes: [rungs, width],
    segmentsLeft: [1, width],
    merge: [6 * width, width],
    logits: [width, rungs],
  };
}

type Fields = Readonly<Record<string, unknown>>;

/** A fault of the file; leaves this module as a `Result`. */
class WeightsFault extends Error {}

/** Reads a file of weights. The error is one sentence that names the field and what is needed there. */
export function readPensieveWeights(text: string): Result<PensieveWeights> {
  try {
    return ok(weightsOf(fieldsOf(parsed(text), 'the file')));
  } catch (fault) {
    if (fault instanceof WeightsFault) return failed(fault.message);
    throw fault;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new WeightsFault(
      `the file is no JSON (${error instanceof Error ? error.message : String(error)}).`,
    );
  }
}

function weightsOf(file: Fields): PensieveWeights {
  if (file['format'] !== PENSIEVE_FORMAT)
    throw new WeightsFault(`"format" is ${shown(file['format'])}; "${PENSIEVE_FORMAT}" is needed.`);
  const { name } = file;
  if (typeof name !== 'string' || name.trim() === '')
    throw new WeightsFault(`"name" is ${shown(name)}; a name of the net is needed.`);
  const ladderKbps = ladderOf(file['ladderKbps']);
  const history = countOf(file, 'history');
  const width = countOf(file, 'width');
  const divisors = divisorsOf(fieldsOf(file['divisors'], '"divisors"'));
  const given = fieldsOf(file['layers'], '"layers"');
  const shapes = pensieveShapes(ladderKbps.length, history, width);
  const layers = PENSIEVE_LAYERS.map(
    (layer) => [layer, layerOf(layer, given[layer], shapes[layer])] as const,
  );
  return {
    name,
    ladderKbps,
    history,
    width,
    divisors,
    layers: Object.fromEntries(layers) as Record<PensieveLayer, Dense>,
  };
}

function ladderOf(value: unknown): readonly number[] {
  const needed = 'an ascending list of bitrates above 0 in kbit/s is needed, one per output of the net';
  if (!Array.isArray(value) || value.length === 0)
    throw new WeightsFault(`"ladderKbps" is ${shown(value)}; ${needed}.`);
  value.forEach((kbps: unknown, index) => {
    const before: unknown = index === 0 ? 0 : value[index - 1];
    if (!isNumberAbove(kbps, Number(before)))
      throw new WeightsFault(`"ladderKbps" has ${shown(kbps)} in place ${index + 1}; ${needed}.`);
  });
  return value as number[];
}

function countOf(file: Fields, name: string): number {
  const value = file[name];
  if (!Number.isInteger(value) || (value as number) < 1)
    throw new WeightsFault(`"${name}" is ${shown(value)}; a whole number from 1 is needed.`);
  return value as number;
}

function divisorsOf(given: Fields): PensieveDivisors {
  const divisors = PENSIEVE_DIVISORS.map((name) => {
    const value = given[name];
    if (!isNumberAbove(value, 0))
      throw new WeightsFault(`"divisors.${name}" is ${shown(value)}; a number above 0 is needed.`);
    return [name, value] as const;
  });
  return Object.fromEntries(divisors) as PensieveDivisors;
}

function layerOf(layer: string, value: unknown, [inputs, outputs]: readonly [number, number]): Dense {
  const where = `"layers.${layer}"`;
  const { kernel, bias } = fieldsOf(value, where);
  return {
    inputs,
    outputs,
    kernel: tensorOf(kernel, `"layers.${layer}.kernel"`, [inputs, outputs]),
    bias: tensorOf(bias, `"layers.${layer}.bias"`, [outputs]),
  };
}

function tensorOf(value: unknown, where: string, shape: readonly number[]): Float32Array {
  const { shape: given, data } = fieldsOf(value, where);
  const needed = shape.join(' × ');
  if (!Array.isArray(given) || given.length !== shape.length || given.some((size, at) => size !== shape[at]))
    throw new WeightsFault(`${where} has the shape ${shown(given)}; ${needed} is needed.`);
  if (typeof data !== 'string')
    throw new WeightsFault(`${where} has no "data"; base64 of 32-bit floats, little endian, is needed.`);
  const numbers = float32FromBase64(data);
  if (numbers === null) throw new WeightsFault(`the data of ${where} is no base64 of whole 32-bit floats.`);
  const count = shape.reduce((product, size) => product * size, 1);
  if (numbers.length !== count)
    throw new WeightsFault(
      `the data of ${where} has ${numbers.length} numbers; ${needed} = ${count} are needed.`,
    );
  const odd = numbers.findIndex((number) => !Number.isFinite(number));
  if (odd >= 0) throw new WeightsFault(`the data of ${where} has ${numbers[odd]} in place ${odd + 1}.`);
  return numbers;
}

function fieldsOf(value: unknown, where: string): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new WeightsFault(`${where} is ${shown(value)}; an object is needed.`);
  return value as Fields;
}

const isNumberAbove = (value: unknown, min: number): value is number =>
  typeof value === 'number' && Number.isFinite(value) && value > min;

/** A value as the file has it, cut where it is long. */
function shown(value: unknown): string {
  const text = value === undefined ? 'missing' : JSON.stringify(value);
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}
