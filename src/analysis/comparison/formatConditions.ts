import type { SessionHeader } from '../../telemetry/schema/sessionLog.ts';
import { formatCount } from '../../shared/format.ts';
import type { SessionPair } from './pairs.ts';

/** What sessions ran with besides what they are named by, and whether it was the same: said above every number. */
interface Conditions {
  readonly sentence: string;
  /** Whether anything differs that should be alike. */
  readonly differ: boolean;
}

type Header = Pick<SessionHeader, 'environment' | 'design'>;

/** Rule, transport and steering name a session; of the rest, whatever differs may be the reason for any difference. */
export function formatConditions(headers: readonly Header[]): Conditions {
  const treated = TREATMENTS.filter(({ of }) => valuesOf(headers, of).size > 1).map(({ term }) => term);
  const others = CONDITIONS.map(({ term, of }) => ({ term, values: valuesOf(headers, of) }));
  const differing = others.filter(({ values }) => values.size > 1).map(({ term }) => term);
  const alike = others
    .filter(({ values }) => values.size === 1 && !values.has(UNKNOWN))
    .map(({ term }) => term);
  const compared =
    treated.length === 0 ? 'Rule and transport are the same.' : `They differ by ${listed(treated)}.`;
  const same = alike.length === 0 ? '' : ` The same for all: ${listed(alike)}.`;
  return differing.length === 0
    ? { sentence: `${compared}${same}`, differ: false }
    : {
        sentence: `${compared} Besides, they differ in: ${listed(differing)}. Any difference below may come from that.${same}`,
        differ: true,
      };
}

/** Says what the sessions of several pairs ran with. What differs between pairs does not matter: they are not compared. */
export function formatPairConditions(headers: readonly Header[], pairs: readonly SessionPair[]): Conditions {
  if (pairs.length < 2) return formatConditions(headers);
  const compared = pairs.filter(({ places }) => places.length > 1);
  if (compared.length === 0)
    return { sentence: 'No two of these sessions are of the same pair, so none are compared.', differ: true };
  const conditions = compared.map(({ name, places }) => ({
    name: name ?? 'the sessions of no campaign',
    ...formatConditions(places.map((place) => headers[place]!)),
  }));
  const isAlike = new Set(conditions.map(({ sentence }) => sentence)).size === 1;
  const sentences = isAlike
    ? [conditions[0]!.sentence]
    : conditions.map(({ name, sentence }) => `In ${name}: ${lowerFirst(sentence)}`);
  const alone = pairs.length - compared.length;
  return {
    sentence: [
      `${formatCount(compared.length, 'pair')}; differences are within a pair.`,
      ...sentences,
      ...(alone > 0 ? [`${formatCount(alone, 'session has', 'sessions have')} no partner here.`] : []),
    ].join(' '),
    differ: conditions.some(({ differ }) => differ),
  };
}

const lowerFirst = (sentence: string): string => sentence.charAt(0).toLowerCase() + sentence.slice(1);

const UNKNOWN = 'null';

interface Term {
  readonly term: string;
  of(header: Header): unknown;
}

const TREATMENTS: readonly Term[] = [
  { term: 'rule', of: ({ environment: { rule, ruleParameters } }) => [rule, ruleParameters] },
  { term: 'transport', of: ({ environment }) => environment.transport },
  { term: 'transfer', of: ({ environment }) => environment.transfer },
  {
    term: 'steering',
    of: ({ environment: { steering } }) => steering && [steering.policy, steering.parameters],
  },
  { term: 'ranges of a segment', of: ({ environment }) => environment.split ?? 1 },
  { term: 'load beside the viewer', of: ({ environment }) => environment.beside?.load },
];

/** Scheme, host (kept) and port of an address of the web. */
const ORIGIN = /^https?:\/\/([^/:]*)(:\d+)?/;

/** The pace of a paced stream, without the viewer after it (`lab/content/pacedServer.ts`). */
const PACED_VIEWER = /^(\/paced\/[\w-]+)\/\w+/;

const CONDITIONS: readonly Term[] = [
  // Each session of a laboratory has a host or a port of its own, and each page that plays the demo at a pace a path.
  {
    term: 'content',
    of: ({ environment: { mpdUrl } }) => mpdUrl?.replace(ORIGIN, '').replace(PACED_VIEWER, '$1') ?? null,
  },
  {
    term: 'origin',
    of: ({ environment: { mpdUrl, linkRun, origin } }) =>
      linkRun ? (origin?.program ?? null) : (ORIGIN.exec(mpdUrl ?? '')?.[1] ?? null),
  },
  {
    term: 'network',
    of: ({ environment: { link, linkRun } }) => (linkRun ? [linkRun.network, linkRun.phaseMs] : link),
  },
  { term: 'seed', of: ({ design }) => design?.seed ?? null },
  { term: 'settings', of: ({ environment: { preset } }) => preset },
  { term: 'controller of TCP', of: ({ environment }) => environment.tcpController },
  { term: 'controller of QUIC', of: ({ environment }) => environment.quicController },
  { term: 'browser', of: ({ environment }) => environment.browser },
  {
    term: 'player',
    of: ({ environment: { dashjsVersion, player, simulator } }) => simulator ?? player ?? dashjsVersion,
  },
];

const valuesOf = (headers: readonly Header[], of: Term['of']): Set<string> =>
  new Set(headers.map((header) => JSON.stringify(of(header))));

const listed = (names: readonly string[]): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
