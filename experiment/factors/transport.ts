import type { Static } from '@sinclair/typebox';
import * as Type from '@sinclair/typebox';
import type { Factor, OfTransfers } from './factor.ts';
import { Transport as Mode } from '../../src/telemetry/schema/environment.ts';

type Transport = Static<typeof Mode>;

/** The transport modes that browsers are started in. */
export const transport: Factor<'transports', 'transport', Type.TArray<typeof Mode>, Transport> & OfTransfers =
  {
    field: 'transports',
    key: 'transport',
    isOfTransfers: true,
    schema: Type.Array(Mode, { minItems: 1, maxItems: 6 }),
    // The schema has refused every other text.
    examples: ['h3-racing', 'h3-no-fallback'],
    values: {
      nameOf: (mode) => mode,
      read: (name) => name as Transport,
      format: (mode) => mode,
      readCell: (cell) => cell as Transport,
    },
    words: { question: 'the transport', counted: ['transport'] },
    column: { report: 'transport', terminal: 'transport' },
    title: (mode) => ` over ${mode}`,
  };
