import * as Type from '@sinclair/typebox';
import { at, Name, texts, type Factor, type Names } from './factor.ts';

/** Over how many names of the origin the media of a stream are spread, in the format of `hostsOf`. Absent: one. */
export const hosts: Factor<'hosts', 'hosts', Type.TOptional<Names>, string> = {
  field: 'hosts',
  key: 'hosts',
  schema: Type.Optional(Type.Array(Name, { minItems: 1, maxItems: 20 })),
  examples: ['one', 'segment-2'],
  values: texts,
  words: {
    question: 'the number of hosts',
    counted: ['spread over hosts', 'spreads over hosts'],
    compared: 'hosts',
  },
  column: { report: 'hosts', terminal: 'hosts' },
  needs: {
    link: 'Each session has names of its own over an emulated link, and loopback is none: fill in "profiles", or leave out "hosts".',
  },
  notSimulated: 'The player model has one server: play this in the lab, or leave out "hosts".',
  faultsOf: (list, { steering, transfers, streams }) => [
    ...list.flatMap((text, index) =>
      at(
        `/hosts/${index}`,
        hostsOf(text) === null
          ? `"${text}" is no spread over hosts: "one", "audio-2", or "segment-N" or "representation-N" (2 to 4).`
          : null,
      ),
    ),
    ...at(
      '/hosts',
      steering !== undefined || transfers !== undefined
        ? 'What is spread over hosts is neither steered nor a transfer: leave out "hosts", or "steering" and "transfers".'
        : null,
    ),
    ...streams.flatMap(({ isFar, isLive }, index) =>
      at(
        `/contents/${index}`,
        isFar || isLive
          ? 'Only padded streams and the demo can be spread over hosts: leave out "hosts", or this content.'
          : null,
      ),
    ),
    ...streams.flatMap(({ hasSound }, index) =>
      at(
        `/contents/${index}`,
        !hasSound && list.includes('audio-2')
          ? 'This stream has no sound for a host of its own: add ":audio=32" to it, or leave out "audio-2".'
          : null,
      ),
    ),
  ],
  title: (text) => `, hosts: ${text}`,
};

/** What has a name of its own: each segment in turn, each representation in turn, or the sound. */
const SPREADS = ['segment', 'representation', 'audio'] as const;

interface Hosts {
  readonly by: (typeof SPREADS)[number];
  readonly count: number;
}

/** Reads `segment-2`, or `one`; null for anything else. */
export function hostsOf(text: string): Hosts | null {
  if (text === 'one') return { by: 'audio', count: 1 };
  const [, by, digit] = /^(\w+)-([2-4])$/.exec(text) ?? [];
  const known = SPREADS.find((each) => each === by);
  const count = Number(digit);
  return known === undefined || (known === 'audio' && count > 2) ? null : { by: known, count };
}
