import { raceCounts } from '../analysis/raceCounts.ts';
import type { SessionSeries } from '../analysis/series.ts';
import type { ReadoutItem } from './chart.ts';
import type { GlyphId } from './glyphs.ts';
import { NO_RACES } from './raceMarks.ts';
import { clockText, counted } from './words.ts';

/** A sentence stays one that can be listened to. */
const MOST_PERIODS = 3;

/** The session's races in a sentence or two, with the cause of each broken period. */
export function raceSentence(series: SessionSeries): string {
  if (series.races.length === 0 && series.broken.length === 0) return `Races: ${NO_RACES}.`;
  const { quic, tcp, died } = raceCounts(series, { fromMs: 0, toMs: Infinity });
  const races = `Races: QUIC won ${quic}, TCP won ${tcp}, ${counted(died, 'connection')} died.`;
  const broken = series.broken.slice(0, MOST_PERIODS).map(({ fromMs, toMs, cause }) => {
    const until = toMs === null ? 'to the end' : `to ${clockText(toMs)}`;
    return `Alt-Svc broken from ${clockText(fromMs)} ${until} (${cause ?? 'cause unknown'}).`;
  });
  const more = series.broken.length - broken.length;
  return [races, ...broken, ...(more > 0 ? [`And ${counted(more, 'time')} more.`] : [])].join(' ');
}

/** Keys of what the race row shows: only what this session has, so that a quiet one needs no room. */
export function raceKeys({ races, broken }: SessionSeries): ReadoutItem[] {
  const some = (name: 'waitedUntilMs' | 'orphanEndMs' | 'died'): boolean =>
    races.columns[name].subarray(0, races.length).some((value) => value > 0);
  return [
    ...(races.length > 0 ? [key('quic', 'QUIC won'), key('tcp', 'TCP won')] : []),
    ...(some('died') ? [key('died', 'died')] : []),
    ...(some('waitedUntilMs') ? [key('waits', 'TCP waits')] : []),
    ...(some('orphanEndMs') ? [key('orphan', 'orphaned')] : []),
    ...(broken.length > 0 ? [key('broken', 'broken')] : []),
  ];
}

const key = (glyph: GlyphId, label: string): ReadoutItem => ({ glyph, label, value: null, room: 0 });
