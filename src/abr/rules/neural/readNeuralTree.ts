import { failed, ok, type Result } from '../../../shared/result.ts';
import { CONTEXT_INPUTS, RUNG_INPUTS } from './netInputs.ts';

export const TREE_FORMAT = 'pitwall-tree/3';
export const TREE_INPUTS = CONTEXT_INPUTS + RUNG_INPUTS;

/**
 * Node k asks whether input `feature[k]` is below `threshold[k]`: if so node `below[k]` is next, else the one after it. A
 * leaf has the feature −1, and in `value` how far behind the best rung the net would put this one.
 */
export interface NeuralTree {
  readonly name: string;
  readonly feature: Int16Array;
  readonly threshold: Float32Array;
  readonly below: Int32Array;
  readonly value: Float64Array;
}

type Fields = Readonly<Record<string, unknown>>;

/** Reads the file that train/distil.py writes. The error is one sentence that names the field and what is needed there. */
export function readNeuralTree(text: string): Result<NeuralTree> {
  const file = parsed(text);
  if (file === null) return failed('the file is no JSON object.');
  const fault = faultOf(file);
  if (fault !== null) return failed(fault);
  const { name, feature, threshold, below, value } = file as unknown as Record<string, number[]>;
  return ok({
    name: String(name),
    feature: Int16Array.from(feature!),
    threshold: Float32Array.from(threshold!),
    below: Int32Array.from(below!),
    value: Float64Array.from(value!),
  });
}

const LISTS = ['feature', 'threshold', 'below', 'value'] as const;

function faultOf(file: Fields): string | null {
  if (file['format'] !== TREE_FORMAT)
    return `"format" is ${JSON.stringify(file['format']) ?? 'missing'}; "${TREE_FORMAT}" is needed.`;
  if (typeof file['name'] !== 'string' || file['name'].trim() === '')
    return '"name" is to be a name of the tree.';
  if (file['inputs'] !== TREE_INPUTS)
    return `"inputs" is to be ${TREE_INPUTS}: the number of inputs of the net.`;
  const odd = LISTS.find((name) => !isNumbers(file[name]));
  if (odd) return `"${odd}" is to be a list of numbers, one per node.`;
  const [feature, , below] = LISTS.map((name) => file[name] as number[]);
  const nodes = feature!.length;
  if (LISTS.some((name) => (file[name] as number[]).length !== nodes))
    return 'its lists are to have one number per node each.';
  const astray = feature!.findIndex((each, node) => !isNode(each, node, { next: below![node]!, nodes }));
  return astray === -1 ? null : `node ${astray} asks for an input, or leads to a node, that there is not.`;
}

/** Ways lead onwards only, so that every one ends. */
const isNode = (feature: number, node: number, { next, nodes }: { next: number; nodes: number }): boolean =>
  feature === -1 ||
  (Number.isInteger(feature) &&
    feature >= 0 &&
    feature < TREE_INPUTS &&
    Number.isInteger(next) &&
    next > node &&
    next + 1 < nodes);

const isNumbers = (value: unknown): boolean =>
  Array.isArray(value) && value.length > 0 && value.every(Number.isFinite);

function parsed(text: string): Fields | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}
