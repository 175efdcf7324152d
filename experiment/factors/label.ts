import * as Type from '@sinclair/typebox';
import { at, Label, texts, type Factor, type OfTransfers } from './factor.ts';

/**
 * A/A labels: each arm is played once under each label, to measure differences that are due to chance. A planned session has
 * its label in the name of its arm only.
 */
export const label: Factor<'aaLabels', null, Type.TOptional<Type.TArray<typeof Label>>, string> &
  OfTransfers = {
  field: 'aaLabels',
  key: null,
  isOfTransfers: true,
  schema: Type.Optional(Type.Array(Label, { minItems: 2, maxItems: 10 })),
  examples: ['a', 'b'],
  values: texts,
  words: {
    question: 'a name that changes nothing',
    counted: ['A/A label'],
    compared: 'A/A labels',
  },
  // Also where an A/A session and the session that it repeats differ in nothing else.
  column: { report: 'A/A', terminal: 'label', isWithoutList: ({ aaSessions }) => aaSessions === true },
  /** Beside another comparison they would only double its family. */
  faultsOf: (_, { compare }) =>
    at(
      '/aaLabels',
      compare === 'aaLabels' ? null : 'A/A labels need "compare": "aaLabels": all of them are the same arm.',
    ),
  title: (name) => `, label ${name}`,
};
