import * as Type from '@sinclair/typebox';
import { at, hasRaces, Name, texts, type Around, type Factor, type Names } from './factor.ts';
import { isWarm } from './transfer.ts';

/**
 * How browsers learn that the origin offers h3, in the format of `discoveryOf`. Absent: from Alt-Svc, and nobody asks DNS,
 * because the browser is given the address of the origin.
 */
export const discovery: Factor<'discovery', 'discovery', Type.TOptional<Names>, string> = {
  field: 'discovery',
  key: 'discovery',
  schema: Type.Optional(Type.Array(Name, { minItems: 1, maxItems: 4 })),
  examples: ['alt-svc', 'dns'],
  values: texts,
  words: {
    question: 'the way in which h3 is discovered',
    counted: ['discovery of h3', 'discoveries of h3'],
    compared: 'discoveries of h3',
  },
  column: { report: 'discovery', terminal: 'discovery' },
  needs: {
    link: 'Browsers ask a DNS server of their own behind an emulated link, and loopback is none: fill in "profiles", or leave out "discovery".',
  },
  impossible: {
    /** Over TCP alone, and where QUIC is forced, every way would play the same session again. */
    isPossible: (name, { transports = '' }, { names }) => hasRaces(transports) || name === names[0],
    why: 'without a race, which discover nothing',
  },
  notSimulated: 'The player model asks no DNS: play this in the lab, or leave out "discovery".',
  faultsOf: (list, campaign) => [
    ...list.flatMap((text, index) =>
      at(
        `/discovery/${index}`,
        discoveryOf(text) === null
          ? `"${text}" is no discovery of h3: "alt-svc", "dns", "dns+alt-svc" or "none".`
          : null,
      ),
    ),
    ...at(
      '/discovery',
      isWarm(campaign)
        ? 'A warm browser has discovered h3 before its session: leave out "discovery", or what needs a warm browser.'
        : null,
    ),
    ...at('/transports', faultOfTransports(campaign)),
  ],
  title: (text) => `, h3 discovered by ${text}`,
};

const faultOfTransports = ({ compare, transports }: Around): string | null =>
  compare === 'discovery' && !transports.some(hasRaces)
    ? 'Discoveries of h3 are compared, but no transport races: add h3-racing.'
    : null;

/** What tells a browser of h3. */
interface Discovery {
  /** Whether DNS has an HTTPS record (RFC 9460). */
  readonly byDns: boolean;
  /** Whether responses over TCP have Alt-Svc (RFC 7838). */
  readonly byAltSvc: boolean;
}

/** Reads `alt-svc`, `dns`, `dns+alt-svc` or `none`; null for anything else. */
export function discoveryOf(text: string): Discovery | null {
  if (!['alt-svc', 'dns', 'dns+alt-svc', 'none'].includes(text)) return null;
  const ways = text.split('+');
  return { byDns: ways.includes('dns'), byAltSvc: ways.includes('alt-svc') };
}
