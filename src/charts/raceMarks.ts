import type { Span } from '../analysis/playingSpans.ts';
import { raceWinner, type RaceWinner } from '../analysis/raceWinner.ts';
import { PROTOCOLS } from '../analysis/protocol.ts';
import type { SessionSeries } from '../analysis/series.ts';
import { rowAfter, valueAt } from '../analysis/table.ts';
import type { View } from './chart.ts';
import { LOOKS, type Mark, type SpansMark, type TextItem } from './mark.ts';
import { thinSpans } from './thinSpans.ts';
import { thinTimes } from './thinTimes.ts';

export const NO_RACES = 'unknown: no NetLog';
const BAND_PX = 9;
/** Badges closer than this would cover each other. */
const BADGE_PX = 16;

/** Levels of the left axis: badges and broken Alt-Svc on one, the cars that wait or go on below it. */
interface Levels {
  readonly badges: number;
  readonly cars: number;
}

/**
 * The browser's own truth about its races, as DevTools or a NetLog tell it; the NetLog's where both do. Without any
 * the row says so: the page alone cannot see a race.
 */
export function raceMarks(series: SessionSeries, view: View, levels: Levels): Mark[] {
  if (series.races.length === 0 && series.broken.length === 0)
    return [{ kind: 'texts', items: [unknownText(view, levels.badges)] }];
  const races = racesIn(series, view);
  const broken = series.broken
    .map(({ fromMs, toMs }) => ({ fromMs, toMs: toMs ?? view.nowMs }))
    .filter(({ fromMs }) => fromMs <= view.toMs);
  return [
    { kind: 'hatch', what: 'broken', spans: thinSpans(broken, view), y: levels.badges, heightPx: BAND_PX },
    spans(thinSpans(races.orphans, view), { y: levels.cars, look: 'running', protocol: 'h3' }),
    spans(thinSpans(races.waits, view), { y: levels.cars, look: 'phases', protocol: 'h2' }),
    { kind: 'texts', items: thinBadges(races.badges, view, levels.badges) },
  ];
}

interface Badge {
  readonly atMs: number;
  readonly winner: RaceWinner;
  readonly died: boolean;
}

/** Nothing is drawn later than now, also where a NetLog goes on after the session. */
function racesIn(series: SessionSeries, { fromMs, toMs, nowMs }: View) {
  const { atMs, outcome, netLog, died, ...columns } = series.races.columns;
  const end = rowAfter(series.races, Math.min(toMs, nowMs));
  const known = netLog.subarray(0, series.races.length).includes(1);
  const [badges, orphans, waits]: [Badge[], Span[], Span[]] = [[], [], []];
  for (let row = 0; row < end; row += 1) {
    if (known && netLog[row] === 0) continue;
    const from = atMs[row]!;
    const orphanEnd = valueAt(columns.orphanEndMs, row);
    const waitedUntil = valueAt(columns.waitedUntilMs, row);
    if (orphanEnd !== null)
      orphans.push({ fromMs: valueAt(columns.endMs, row) ?? from, toMs: Math.min(orphanEnd, nowMs) });
    if (waitedUntil !== null) waits.push({ fromMs: from, toMs: Math.min(waitedUntil, nowMs) });
    const winner = raceWinner(series.outcomes[outcome[row]!] ?? '');
    if (winner !== null && from >= fromMs) badges.push({ atMs: from, winner, died: died[row] === 1 });
  }
  return { badges, orphans, waits };
}

/** What went wrong is never thinned away by what went well. */
function thinBadges(badges: readonly Badge[], view: View, y: number): TextItem[] {
  const bad = thinTimes(badges.filter(isBad), view, BADGE_PX);
  const nearMs = (BADGE_PX * (view.toMs - view.fromMs)) / view.mostPoints;
  const good = badges.filter(
    (each) => !isBad(each) && bad.every(({ atMs }) => Math.abs(atMs - each.atMs) >= nearMs),
  );
  return [...thinTimes(good, view, BADGE_PX), ...bad].map((each) => badge(each, y));
}

const isBad = ({ died, winner }: Badge): boolean => died || winner === 'nobody';

function badge({ atMs, winner, died }: Badge, y: number): TextItem {
  const base = { atMs, axis: 'left', y, strong: true, align: 'center', dxPx: 0, dyPx: 0 } as const;
  if (winner === 'nobody') return { ...base, text: '×', tone: 'ink', badge: null };
  const [letter, tone, shape, protocol] =
    winner === 'quic'
      ? (['Q', 'on-h3', 'circle', 'protocol-h3'] as const)
      : (['T', 'on-h2', 'square', 'protocol-h2'] as const);
  return { ...base, text: died ? '×' : letter, tone, badge: { shape, tone: protocol } };
}

function spans(
  of: readonly Span[],
  { y, look, protocol }: { y: number; look: (typeof LOOKS)[number]; protocol: (typeof PROTOCOLS)[number] },
): SpansMark {
  const toMs = of.map((each) => each.toMs);
  return {
    kind: 'spans',
    fromMs: of.map(({ fromMs }) => fromMs),
    midMs: toMs,
    toMs,
    ys: of.map(() => y),
    protocols: of.map(() => PROTOCOLS.indexOf(protocol)),
    looks: of.map(() => LOOKS.indexOf(look)),
    heightPx: 5,
  };
}

const unknownText = ({ fromMs }: View, y: number): TextItem => ({
  atMs: fromMs,
  axis: 'left',
  y,
  text: NO_RACES,
  tone: 'ink-3',
  strong: false,
  align: 'left',
  dxPx: 6,
  dyPx: 0,
  badge: null,
});
