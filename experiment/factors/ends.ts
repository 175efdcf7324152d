import * as Type from '@sinclair/typebox';
import { at, Name, texts, type Factor, type Names } from './factor.ts';

/** What ends the viewer's connections at the origin, in the format of `endOf`. Absent: nothing but 300 s without a request. */
export const ends: Factor<'ends', 'ends', Type.TOptional<Names>, string> = {
  field: 'ends',
  key: 'ends',
  schema: Type.Optional(Type.Array(Name, { minItems: 1, maxItems: 20 })),
  examples: ['never', 'requests-20'],
  values: texts,
  words: {
    question: 'the end of connections',
    counted: ['end of connections', 'ends of connections'],
    compared: 'ends of connections',
  },
  column: { report: 'ends', terminal: 'ends' },
  needs: {
    instrumentedOrigin: true,
    link: 'The origin ends the connections of one session, which has an origin of its own over an emulated link: fill in "profiles", or leave out "ends".',
  },
  notSimulated:
    'The player model has one connection without an end: play this in the lab, or leave out "ends".',
  faultsOf: (list, { seconds }) =>
    list.flatMap((text, index) => at(`/ends/${index}`, faultOfEnd(text, seconds))),
  title: (text) => `, connections ended: ${text}`,
};

function faultOfEnd(text: string, seconds: number): string | null {
  const end = endOf(text);
  if (end === null)
    return `"${text}" is no end of connections: "never", or "requests-N" (2 to 1000), "seconds-N" or "idle-N" (1 to 300).`;
  const isGoAway = end.kind === 'requests' || end.kind === 'seconds';
  return isGoAway && seconds > 3600 ? `The origin does "${text}" in sessions of at most 3600 s.` : null;
}

/** When the origin ends a connection: with GOAWAY, or after so long without requests, which it tells a QUIC client. */
interface End {
  readonly kind: 'never' | 'requests' | 'seconds' | 'idle';
  /** Requests, or seconds; 0 for `never`. */
  readonly every: number;
}

/** Reads `never`, `requests-20`, `seconds-30` or `idle-10`; null for anything else. */
export function endOf(text: string): End | null {
  if (text === 'never') return { kind: 'never', every: 0 };
  const [, kind, digits] = /^(requests|seconds|idle)-([1-9]\d{0,3})$/.exec(text) ?? [];
  const every = Number(digits);
  if (kind === 'requests') return every >= 2 && every <= 1000 ? { kind, every } : null;
  return (kind === 'seconds' || kind === 'idle') && every <= 300 ? { kind, every } : null;
}
