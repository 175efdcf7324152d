import { CONTEXT_INPUTS, RUNG_INPUTS } from './netInputs.ts';
import { HISTORY } from './neuralState.ts';

const times = (count: number, name: string): string[] => Array.from({ length: count }, () => name);

/** What people call the inputs, in the order of `writeContext`. */
export const CONTEXT_NAMES: readonly string[] = [
  'the buffer',
  'the buffer in segments',
  'the space below the buffer target',
  ...times(2, 'how much is left to play'),
  'the length of segments',
  ...times(2, 'the latency'),
  'how many downloads there were',
  'what the rungs are worth',
  'how far apart the rungs are',
  'how many rungs there are',
  ...times(3, 'how the rates swing'),
  'how many downloads there were',
  ...times(HISTORY, 'how long downloads took'),
  ...times(2, 'how the link failed before'),
  'whether the connection was new',
  ...times(3, 'the protocol'),
];

/** What the first and the third of them make together. */
export const TARGET_NAME = 'the buffer target';

/** The same in the order of `writeRung`. */
export const RUNG_NAMES: readonly string[] = [
  ...times(HISTORY + 4, 'sizes against rates'),
  ...times(3, 'the buffer after the download'),
  ...times(3, 'what the rungs are worth'),
  'the rung before',
  ...times(2, 'what the rungs are worth'),
  ...times(2, 'the ends of the ladder'),
  'the sizes of the segments after',
  'sizes against bitrates',
  'what the rungs are worth',
];

/** Names of the inputs that are marked, each once. */
export function namesOf(context: Uint8Array, rung: Uint8Array): string[] {
  const found = new Set<string>();
  for (let at = 0; at < CONTEXT_INPUTS; at += 1) if (context[at]) found.add(CONTEXT_NAMES[at]!);
  for (let at = 0; at < RUNG_INPUTS; at += 1) if (rung[at]) found.add(RUNG_NAMES[at]!);
  return [...found];
}
