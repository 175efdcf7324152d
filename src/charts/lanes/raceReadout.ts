import { raceCounts, raceWinner, wasRaced } from '../../analysis/transport/raceOutcomes.ts';
import type { SessionSeries } from '../../analysis/timeline/series.ts';
import { rowAfter } from '../../analysis/timeline/table.ts';
import { formatCause, NO_RACES } from '../marks/raceMarks.ts';
import type { ReadoutItem } from '../chart.ts';
import type { GlyphId } from '../marks/glyphs.ts';
import { formatCount, formatClock } from '../../shared/format.ts';

/** A sentence stays one that can be listened to. */
const MAX_PERIODS = 3;
/** The longest names of failures are cut: the sentence has them whole. */
const MAX_CHARS = 24;

/** Outcomes that say where QUIC was known from, in DevTools' words or the NetLog's. */
const KNOWN_FROM = [
  [/^dns-?alpn/i, 'DNS'],
  [/^alternative/, 'Alt-Svc'],
] as const;

/** The session's races in a sentence or two, where h3 was known from, and the cause of each broken period. */
export function formatRace(series: SessionSeries): string {
  if (series.races.length === 0 && series.broken.length === 0) return `Races: ${NO_RACES}.`;
  const { quic, tcp, died } = raceCounts(series, { fromMs: 0, toMs: Infinity });
  const races = `Races: QUIC won ${quic}, TCP won ${tcp}, ${formatCount(died, 'connection')} died.`;
  const broken = series.broken.slice(0, MAX_PERIODS).map(({ fromMs, toMs, cause }) => {
    const until = toMs === null ? 'to the end' : `to ${formatClock(toMs)}`;
    return `Alt-Svc broken from ${formatClock(fromMs)} ${until} (${cause ?? 'cause unknown'}).`;
  });
  const more = series.broken.length - broken.length;
  const sources = KNOWN_FROM.filter(([outcome]) => series.outcomes.some((each) => outcome.test(each)));
  const known = sources.map(([, source]) => source).join(' and from ');
  return [
    races,
    ...(known ? [`h3 was known from ${known}.`] : []),
    ...broken,
    ...(more > 0 ? [`And ${formatCount(more, 'time')} more.`] : []),
  ].join(' ');
}

/**
 * Keys of what the race row shows: only what this session has, so that a session without races needs no space. The keys
 * of a race and of a broken Alt-Svc name the cause at the moment.
 */
export function raceKeys({ races, broken, outcomes }: SessionSeries, atMs: number): ReadoutItem[] {
  const some = (name: 'waitedUntilMs' | 'orphanEndMs' | 'died' | 'cause'): boolean =>
    races.columns[name].subarray(0, races.length).some((value) => value > 0);
  const raced = outcomes.filter(wasRaced).map(raceWinner);
  const cause = outcomes[races.columns.cause.subarray(0, rowAfter(races, atMs)).findLast(Boolean) ?? -1];
  return [
    ...(some('cause')
      ? [{ glyph: 'ring' as const, label: 'race', value: formatCause(cause ?? 'not yet'), chars: 16 }]
      : []),
    ...(raced.includes('quic') ? [key('quic', 'QUIC won')] : []),
    ...(raced.includes('tcp') ? [key('tcp', 'TCP won')] : []),
    ...(outcomes.some(isUnraced) ? [key('dot', 'no race')] : []),
    ...(some('died') ? [key('died', 'connection died')] : []),
    ...(some('waitedUntilMs') ? [key('waits', 'TCP waits')] : []),
    ...(some('orphanEndMs') ? [key('orphan', 'loser still connecting')] : []),
    ...(broken.length > 0 ? [brokenKey(broken, atMs)] : []),
  ];
}

const isUnraced = (outcome: string): boolean => raceWinner(outcome) !== null && !wasRaced(outcome);
const key = (glyph: GlyphId, label: string): ReadoutItem => ({ glyph, label, value: null, chars: 0 });

function brokenKey(broken: SessionSeries['broken'], atMs: number): ReadoutItem {
  const now = broken.find(({ fromMs, toMs }) => fromMs <= atMs && atMs < (toMs ?? Infinity));
  const chars = Math.max(...broken.slice(0, MAX_PERIODS).map(({ cause }) => formatCause(cause).length));
  const said = now ? formatCause(now.cause) : 'not now';
  return {
    glyph: 'broken',
    label: 'broken',
    value: said.slice(0, MAX_CHARS),
    chars: Math.min(chars, MAX_CHARS),
  };
}
