import type { Static } from '@sinclair/typebox';
import * as Type from '@sinclair/typebox';
import { at, hasRaces, type Around, type Factor } from './factor.ts';

const Racing = Type.Union([Type.Literal('default'), Type.Literal('happy-eyeballs-v3')]);

type Racing = Static<typeof Racing>;

/** How browsers race QUIC and TCP: as they come, or by HappyEyeballsV3. Absent: as they come, and nobody asks them. */
export const racing: Factor<'racing', 'racing', Type.TOptional<Type.TArray<typeof Racing>>, Racing> = {
  field: 'racing',
  key: 'racing',
  schema: Type.Optional(Type.Array(Racing, { minItems: 1, maxItems: 2 })),
  examples: ['default', 'happy-eyeballs-v3'],
  // The schema has refused every other text.
  values: {
    nameOf: (name) => name,
    read: (name) => name as Racing,
    format: (name) => name,
    readCell: (cell) => cell as Racing,
  },
  words: {
    question: 'the way in which browsers race',
    counted: ['way to race', 'ways to race'],
    compared: 'ways to race',
  },
  column: { report: 'racing', terminal: 'racing' },
  impossible: {
    isPossible: (name, { transports = '' }) => hasRaces(transports) || name === 'default',
    why: 'without a race, which have no other way',
  },
  notSimulated: 'The player model races nothing: play this in the lab, or leave out "racing".',
  faultsOf: (names, campaign) => [
    ...at('/transports', faultOfTransports(campaign)),
    ...at('/racing', names.includes('default') ? null : faultWithoutDefault(campaign)),
  ],
  title: (name) => `, racing: ${name}`,
};

/** Firefox's preference would let a connection over TCP begin where h3-only has none. */
const faultWithoutDefault = ({ transports }: Around): string | null =>
  transports.every(hasRaces)
    ? null
    : 'Transports without a race are played by "default" alone: add it to "racing".';

const faultOfTransports = ({ compare, transports }: Around): string | null =>
  compare === 'racing' && !transports.some(hasRaces)
    ? 'Ways to race are compared, but no transport races: add h3-racing.'
    : null;
