import { exp } from '../../../shared/exactMath/exp.ts';
import { ok, type Result, failed } from '../../../shared/result.ts';
import type { Answer, Rule } from '../../rule.ts';
import { sizeNote } from '../../segmentBytes.ts';
import { tunableRule, type RuleBody } from '../../parameters.ts';
import { unmeasured } from '../../answer.ts';
import { formatRung } from '../../format.ts';
import {
  CONTEXT_NAMES,
  RUNG_NAMES,
  CONTEXT_INPUTS,
  predictedRates,
  writeContext,
  writeRung,
  type Asked,
  RUNG_INPUTS,
} from './netInputs.ts';
import { parseFields, type Fields } from './neuralWeights.ts';
import { qoeOf, TREE_ENTRY } from './neuralEntry.ts';
import { neuralFold, type NeuralState } from './neuralState.ts';

export const TREE_FORMAT = 'pitwall-tree/5';
export const TREE_INPUTS = CONTEXT_INPUTS + RUNG_INPUTS;

/** The tree at work: it scores each rung alone, and takes the highest, of equal ones the lowest. */
export function weightedTree(qoe: string, text: string): Result<Rule<NeuralState>> {
  const tree = readNeuralTree(text);
  return tree.ok ? ok(withTree(qoe, tree.value)) : tree;
}

const withTree = (qoe: string, tree: NeuralTree): Rule<NeuralState> =>
  tunableRule({ qoe, weights: tree.name }, (parameters) => {
    if (parameters.weights !== tree.name)
      throw new Error(`The parameter weights of ${TREE_ENTRY.id} is the name of its tree, ${tree.name}.`);
    return bodyOf(parameters.qoe, tree);
  });

const bodyOf = (qoe: string, tree: NeuralTree): RuleBody<NeuralState> => ({
  ...TREE_ENTRY,
  ...neuralFold(qoeOf(qoe, TREE_ENTRY.id)),
  decide(state, moment) {
    const { measured } = state;
    return measured === null ? unmeasured(state.ladder, moment) : answerOf(tree, { state, measured, moment });
  },
});

/** Scratch of one decision: the context, then the rung. */
const inputs = new Float32Array(TREE_INPUTS);

function answerOf(tree: NeuralTree, asked: Asked): Answer {
  const { ladder } = asked.state;
  writeContext(inputs, asked);
  const rates = predictedRates(asked.measured);
  let best = { rung: 0, behind: -Infinity, path: [] as number[] };
  for (let rung = 0; rung < ladder.length; rung += 1) {
    writeRung(inputs, asked, { rung, at: CONTEXT_INPUTS, rates });
    const path = pathIn(tree);
    const behind = tree.value[path.at(-1)!]!;
    if (behind > best.behind) best = { rung, behind, path };
  }
  const { rung, behind, path } = best;
  return {
    rung,
    because: () =>
      `The tree puts ${formatRung(ladder, rung)} closest to what the net would choose${sizeNote(asked.state, asked.moment.segment)}: ${formatQuestion(tree, path)}.`,
    values: { behind, questions: path.length - 1, lastRateKbps: exp(asked.measured.rateLn[0]!) },
  };
}

/** The nodes that the inputs lead through, the leaf last. */
function pathIn({ feature, threshold, below }: NeuralTree): number[] {
  const path = [0];
  for (let node = 0; feature[node]! >= 0; path.push(node))
    node = inputs[feature[node]!]! < threshold[node]! ? below[node]! : below[node]! + 1;
  return path;
}

const MAX_NAMED = 3;

/** The last questions are the finest. */
function formatQuestion({ feature }: NeuralTree, path: readonly number[]): string {
  const asked = path.slice(0, -1);
  if (asked.length === 0) return 'it asks nothing';
  const names = asked.slice(-MAX_NAMED).map((node) => nameOf(feature[node]!));
  return `${asked.length === 1 ? 'one question' : `${asked.length} questions`}, the last about ${names.join(', then ')}`;
}

const nameOf = (input: number): string =>
  input < CONTEXT_INPUTS ? CONTEXT_NAMES[input]! : RUNG_NAMES[input - CONTEXT_INPUTS]!;

/**
 * Node k asks whether input `feature[k]` is below `threshold[k]`: if so node `below[k]` is next, else the one after it. A
 * leaf has the feature −1, and in `value` how far behind the best rung the net would put this one.
 */
interface NeuralTree {
  readonly name: string;
  readonly feature: Int16Array;
  readonly threshold: Float32Array;
  readonly below: Int32Array;
  readonly value: Float64Array;
}

/** Reads the file that train/distil.py writes. The error is one sentence that names the field and what is needed there. */
export function readNeuralTree(text: string): Result<NeuralTree> {
  const file = parseFields(text);
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
    return '"name" must be the name of the tree.';
  if (file['inputs'] !== TREE_INPUTS)
    return `"inputs" must be ${TREE_INPUTS}: the number of inputs of the net.`;
  const odd = LISTS.find((name) => !isNumbers(file[name]));
  if (odd) return `"${odd}" must be a list of numbers, one per node.`;
  const [feature, , below] = LISTS.map((name) => file[name] as number[]);
  const nodes = feature!.length;
  if (LISTS.some((name) => (file[name] as number[]).length !== nodes))
    return 'its lists must have one number per node each.';
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
