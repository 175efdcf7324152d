import { exp } from '../../../shared/exactMath/exp.ts';
import { ok, type Result } from '../../../shared/result.ts';
import type { Answer, Rule } from '../../rule.ts';
import { sizeNote } from '../../segmentBytes.ts';
import { tunableRule, type RuleBody } from '../../parameters.ts';
import { unmeasured } from '../../answer.ts';
import { formatRung } from '../../format.ts';
import { CONTEXT_NAMES, RUNG_NAMES } from './inputNames.ts';
import { CONTEXT_INPUTS, predictedRates, writeContext, writeRung, type Asked } from './netInputs.ts';
import { qoeOf, TREE_ENTRY } from './neuralEntry.ts';
import { neuralFold } from './neuralFold.ts';
import type { NeuralState } from './neuralState.ts';
import { readNeuralTree, TREE_INPUTS, type NeuralTree } from './readNeuralTree.ts';

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
