import type { Span } from '../../analysis/timeline/spans.ts';
import { raceWinner, type RaceWinner, wasRaced } from '../../analysis/transport/raceOutcomes.ts';
import { PROTOCOLS } from '../../analysis/transport/protocol.ts';
import type { SessionSeries } from '../../analysis/timeline/series.ts';
import { rowAfter, valueAt } from '../../analysis/timeline/table.ts';
import type { View } from '../chart.ts';
import { CENTERED, textAt, LOOKS, type DotsMark, type Mark, type SpansMark, type TextItem } from './mark.ts';
import { thinSpans, thinTimes } from './thinning.ts';
import { NO_BREAK } from '../../shared/format.ts';

export const NO_RACES = 'unknown: add a NetLog';
/** Smallest distance of two badges: closer ones would cover each other. */
const BADGE_PX = 16;
const DOT_PX = 4;

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
    return [{ kind: 'texts', items: [textAt(NO_RACES, { atMs: view.fromMs, y: levels.badges })] }];
  const rows = rowsIn(series, view);
  const { badges, unraced } = badgesIn(series, rows, view);
  const { orphans, waits } = carsIn(series, rows, view);
  return [
    ...brokenMarks(series, view, levels.badges),
    dots(thinTimes(unraced, view, DOT_PX), levels.badges),
    spans(thinSpans(orphans, view), { y: levels.cars, look: 'running', protocol: 'h3' }),
    spans(thinSpans(waits, view), { y: levels.cars, look: 'phases', protocol: 'h2' }),
    { kind: 'texts', items: thinBadges(badges, view, levels.badges) },
  ];
}

/** A request that needed no race. */
interface Unraced {
  readonly atMs: number;
  readonly winner: RaceWinner;
}

interface Badge {
  readonly atMs: number;
  readonly winner: RaceWinner;
  readonly died: boolean;
}

/** Outcomes without a badge of their own: the band of broken Alt-Svc says it of all of them. */
const BROKEN: ReadonlySet<string> = new Set(['main-broken', 'broken']);

/** Rows of the races to draw: the NetLog's where there is one. Nothing is drawn later than now. */
function rowsIn({ races }: SessionSeries, { toMs, nowMs }: View): number[] {
  const { netLog } = races.columns;
  const known = netLog.subarray(0, races.length).includes(1);
  const end = rowAfter(races, Math.min(toMs, nowMs));
  return Array.from({ length: end }, (_, row) => row).filter((row) => !known || netLog[row] === 1);
}

function badgesIn({ races, outcomes }: SessionSeries, rows: readonly number[], { fromMs }: View) {
  const { atMs, outcome, died: deaths } = races.columns;
  const [badges, unraced]: [Badge[], Unraced[]] = [[], []];
  for (const row of rows) {
    const said = outcomes[outcome[row]!] ?? '';
    const winner = raceWinner(said);
    const died = deaths[row] === 1;
    if (winner === null || atMs[row]! < fromMs) continue;
    if (died || wasRaced(said)) badges.push({ atMs: atMs[row]!, winner, died });
    else if (!BROKEN.has(said)) unraced.push({ atMs: atMs[row]!, winner });
  }
  return { badges, unraced };
}

function carsIn({ races }: SessionSeries, rows: readonly number[], { nowMs }: View) {
  const { atMs, endMs, orphanEndMs, waitedUntilMs } = races.columns;
  const [orphans, waits]: [Span[], Span[]] = [[], []];
  for (const row of rows) {
    const from = atMs[row]!;
    const orphanEnd = valueAt(orphanEndMs, row);
    const waitedUntil = valueAt(waitedUntilMs, row);
    if (orphanEnd !== null)
      orphans.push({ fromMs: valueAt(endMs, row) ?? from, toMs: Math.min(orphanEnd, nowMs) });
    if (waitedUntil !== null) waits.push({ fromMs: from, toMs: Math.min(waitedUntil, nowMs) });
  }
  return { orphans, waits };
}

/** What went wrong is never thinned away by what went well. */
function thinBadges(badges: readonly Badge[], view: View, y: number): TextItem[] {
  const bad = thinTimes(badges.filter(isBad), view, BADGE_PX);
  const nearMs = (BADGE_PX * (view.toMs - view.fromMs)) / view.maxPoints;
  const good = badges.filter(
    (each) => !isBad(each) && bad.every(({ atMs }) => Math.abs(atMs - each.atMs) >= nearMs),
  );
  return [...thinTimes(good, view, BADGE_PX), ...bad].map((each) => badge(each, y));
}

const isBad = ({ died, winner }: Badge): boolean => died || winner === 'nobody';

function badge({ atMs, winner, died }: Badge, y: number): TextItem {
  const base = { strong: true, ...CENTERED };
  if (winner === 'nobody') return textAt('×', { atMs, y }, { ...base, tone: 'ink' });
  const [letter, tone, shape, protocol] =
    winner === 'quic'
      ? (['Q', 'on-h3', 'circle', 'protocol-h3'] as const)
      : (['T', 'on-h2', 'square', 'protocol-h2'] as const);
  return textAt(died ? '×' : letter, { atMs, y }, { ...base, tone, badge: { shape, tone: protocol } });
}

function dots(of: readonly Unraced[], y: number): DotsMark {
  return {
    kind: 'dots',
    xs: of.map(({ atMs }) => atMs),
    ys: of.map(() => y),
    protocols: of.map(({ winner }) => PROTOCOLS.indexOf(winner === 'quic' ? 'h3' : 'h2')),
    hollow: false,
    radiusPx: 2.5,
  };
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

const BAND_PX = 9;
/** Width of a letter in the lane's type, and of the space on both sides of a word. */
const LETTER_PX = 5.2;
const MARGIN_PX = 12;
/** Width of the band that must be left on each side of its words. */
const MIN_BAND_PX = 14;

/** Periods in which Alt-Svc was marked broken, as bands at `y` with their reason, as far as there is space. */
function brokenMarks({ broken }: Pick<SessionSeries, 'broken'>, view: View, y: number): Mark[] {
  const endMs = Math.min(view.toMs, view.nowMs);
  const spans: Span[] = [];
  const items: TextItem[] = [];
  let wordsEndMs = -Infinity;
  for (const { fromMs, toMs, cause } of broken) {
    const period = { fromMs, toMs: Math.min(toMs ?? Infinity, view.nowMs), cause };
    if (fromMs > endMs || period.toMs < view.fromMs) continue;
    // Periods of several hosts may overlap; their words may not.
    const label = fromMs < wordsEndMs ? null : labelOf(period, view, y);
    spans.push(...(label ? around(period, label, view) : [period]));
    if (label) items.push(label);
    if (label) wordsEndMs = period.toMs;
  }
  return [
    { kind: 'hatch', what: 'broken', spans: thinSpans(spans, view), y, heightPx: BAND_PX },
    { kind: 'texts', items },
  ];
}

/** Chromium's name of a failure in plain letters: "QUIC_TOO_MANY_RTOS: Network …" is "too many rtos". */
export const formatCause = (cause: string | null): string =>
  cause === null
    ? 'cause unknown'
    : (/^[^:]*/.exec(cause)?.[0] ?? '')
        .replace(/^(QUIC|ERR)_/, '')
        .replaceAll('_', ' ')
        .toLowerCase();

interface Period {
  readonly fromMs: number;
  readonly toMs: number;
  readonly cause: string | null;
}

/** Makes the label in the middle of what is seen of the period; null where not even one word fits. */
function labelOf({ fromMs, toMs, cause }: Period, view: View, y: number): TextItem | null {
  const [from, to] = [Math.max(fromMs, view.fromMs), Math.min(toMs, view.toMs, view.nowMs)];
  const widthLimitPx = ((to - from) / (view.toMs - view.fromMs)) * view.maxPoints;
  const length = `${Math.round((toMs - fromMs) / 1000)}${NO_BREAK}s`;
  const why = formatCause(cause);
  const text = [`Alt-Svc broken ${length}: ${why}`, `broken: ${why}`, `broken ${length}`, 'broken'].find(
    (words) => widthPx(words) + 2 * MIN_BAND_PX <= widthLimitPx,
  );
  if (text === undefined) return null;
  return textAt(text, { atMs: (from + to) / 2, y }, { tone: 'ink-2', ...CENTERED });
}

const widthPx = (text: string): number => text.length * LETTER_PX + MARGIN_PX;

/** Returns the parts of the band left and right of its words. */
function around({ fromMs, toMs }: Period, { atMs, text }: TextItem, view: View): Span[] {
  const halfMs = ((widthPx(text) / 2) * (view.toMs - view.fromMs)) / view.maxPoints;
  return [
    { fromMs, toMs: atMs - halfMs },
    { fromMs: atMs + halfMs, toMs },
  ];
}
