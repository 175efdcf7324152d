import * as Type from '@sinclair/typebox';
import { at, type Factor } from './factor.ts';
import { formatCount } from '../../src/shared/format.ts';
import { countOfSplit, MAX_SPLIT, splitName } from '../../src/shared/split.ts';

/** In how many byte ranges at once each video segment is requested: 1 is whole. Absent: whole. */
export const split: Factor<'split', 'split', Type.TOptional<Type.TArray<Type.TInteger>>, number> = {
  field: 'split',
  key: 'split',
  schema: Type.Optional(
    Type.Array(Type.Integer({ minimum: 1, maximum: MAX_SPLIT }), { minItems: 1, maxItems: 12 }),
  ),
  examples: [1, 6],
  values: { nameOf: splitName, read: countOfSplit, format: splitName, readCell: Number },
  words: {
    question: 'the number of ranges of a segment',
    counted: ['count of ranges', 'counts of ranges'],
    compared: 'counts of ranges',
  },
  column: { report: 'ranges', terminal: 'ranges' },
  notSimulated: 'The player model requests a segment whole: play this in the lab, or leave out "split".',
  faultsOf: (_, { steering, streams }) => [
    ...at(
      '/split',
      steering === undefined
        ? null
        : 'A segment in several ranges cannot continue on another pathway: leave out "split" or "steering".',
    ),
    ...streams.flatMap(({ isLowLatency }, index) =>
      at(
        `/contents/${index}`,
        isLowLatency
          ? 'Low-latency segments are loaded in pieces while they are made, not in ranges: leave out "split", or this content.'
          : null,
      ),
    ),
  ],
  title: (count) => `, ${formatCount(count, 'range')} a segment`,
};
