import * as Type from '@sinclair/typebox';
import { at, isQuic, Name, texts, type Around, type Factor, type Names } from './factor.ts';
import { parseTransfer, type ConnectionStart } from '../../src/shared/transfer.ts';

/**
 * What each session downloads instead of playing a stream (`src/shared/transfer.ts`). It comes from a transfer file, in whose
 * plan its campaign stands; a campaign file has rules.
 */
export const transfer: Factor<'transfers', 'transfer', Type.TOptional<Names>, string> = {
  field: 'transfers',
  key: 'transfer',
  schema: Type.Optional(Type.Array(Name, { minItems: 1, maxItems: 100 })),
  examples: ['objects:mb=2', 'objects:mb=5'],
  values: texts,
  words: { question: 'the transfer', counted: ['transfer'] },
  column: { report: 'rule', terminal: 'transfer' },
  insteadOf: 'rules',
  impossible: {
    /** Over TCP the server takes no request in the first packet: that would be the resumed session once more. */
    isPossible: (name, { transports = '' }) => isQuic(transports) || connectionOf(name) !== 'zero-rtt',
    why: 'without QUIC, which cannot begin with 0-RTT',
  },
  faultsOf: (transfers, campaign) =>
    transfers.flatMap((text, index) => {
      const path = `/transfers/${index}`;
      const parsed = parseTransfer(text);
      if (!parsed.ok) return at(path, parsed.error);
      const { connection, names } = parsed.value;
      const isOneName = names > 1 && campaign.profiles.length === 0;
      return [
        ...at(path, faultOfConnection(campaign, connection)),
        ...at(
          path,
          isOneName
            ? 'Without an emulated link the server has one name: fill in "profiles", or leave out "names".'
            : null,
        ),
      ];
    }),
  /** A browser that goes on with a TLS session has been at the origin before. */
  planned: (name) => ({
    rule: name,
    transfer: name,
    ...(connectionOf(name) !== 'cold' && { browserProfile: 'warm' }),
  }),
  // The rule of such a session is the transfer.
  title: () => '',
};

/** How the browser's connection begins in a session of a transfer. */
export function connectionOf(text: string): ConnectionStart {
  const parsed = parseTransfer(text);
  return parsed.ok ? parsed.value.connection : 'cold';
}

/** Whether sessions begin with a browser that has been at the origin before. */
export const isWarm = ({
  browserProfile = 'cold',
  transfers = [],
}: Pick<Around, 'browserProfile' | 'transfers'>): boolean =>
  browserProfile !== 'cold' || transfers.some((text) => connectionOf(text) !== 'cold');

function faultOfConnection(
  { origin, profiles, transports }: Around,
  connection: ConnectionStart,
): string | null {
  if (connection === 'cold') return null;
  if (origin !== 'instrumented' || profiles.length === 0)
    return `A ${connection} connection needs "origin": "instrumented", and an emulated link in "profiles".`;
  return connection === 'zero-rtt' && !transports.some(isQuic)
    ? 'Only QUIC connections begin with 0-RTT here: add h3-only to "transports".'
    : null;
}
