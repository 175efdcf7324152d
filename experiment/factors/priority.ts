import * as Type from '@sinclair/typebox';
import { at, type Around, type Factor } from './factor.ts';
import { PRIORITIES, type Priority } from '../../src/shared/split.ts';

const Priorities = Type.Union(PRIORITIES.map((each) => Type.Literal(each)));

/** Which segments the page asks for with a low priority. Absent: it says nothing, and dash.js asks for all of them. */
export const priority: Factor<
  'priorities',
  'priority',
  Type.TOptional<Type.TArray<typeof Priorities>>,
  Priority
> = {
  field: 'priorities',
  key: 'priority',
  schema: Type.Optional(Type.Array(Priorities, { minItems: 1, maxItems: PRIORITIES.length })),
  examples: ['browser', 'audio-first'],
  // The schema has refused every other text.
  values: {
    nameOf: (name) => name,
    read: (name) => name as Priority,
    format: (name) => name,
    readCell: (cell) => cell as Priority,
  },
  words: {
    question: 'the priority of requests',
    counted: ['priority of requests', 'priorities of requests'],
    compared: 'priorities of requests',
  },
  column: { report: 'priority', terminal: 'priority' },
  impossible: {
    /** http/1.1 has no priorities (RFC 9218). */
    isPossible: (name, { transports }, { names }) =>
      transports !== 'h1' || name === (names.includes('browser') ? 'browser' : names[0]),
    why: 'over http/1.1, which has no priorities',
  },
  notSimulated:
    'The player model asks for one segment after the other: play this in the lab, or leave out "priorities".',
  faultsOf: (names, campaign) => [
    ...at('/priorities', faultOfTransports(campaign)),
    ...campaign.streams.flatMap((stream, index) => at(`/contents/${index}`, faultOfStream(names, stream))),
  ],
  title: (name) => `, priority ${name}`,
};

const faultOfTransports = ({ transfers, transports }: Around): string | null => {
  if (transfers !== undefined) return 'Transfers have no priorities: leave out "priorities".';
  return transports.every((mode) => mode === 'h1')
    ? 'http/1.1 has no priorities: add another transport, or leave out "priorities".'
    : null;
};

function faultOfStream(
  names: readonly string[],
  { isFar, isLowLatency, hasSound }: Around['streams'][number],
): string | null {
  if (isFar)
    return 'Only the log of the lab’s own origin says which priorities requests had: leave out "priorities", or this content.';
  if (isLowLatency)
    return 'Low-latency segments are loaded by dash.js, without priorities: leave out "priorities", or this content.';
  return hasSound || !names.includes('audio-first')
    ? null
    : 'This stream has no sound to come before the video: add ":audio=32" to it, or leave out "priorities".';
}
