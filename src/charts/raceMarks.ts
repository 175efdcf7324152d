import type { Span } from '../analysis/playingSpans.ts';
import type { SessionSeries } from '../analysis/series.ts';
import { rowAfter, valueAt } from '../analysis/table.ts';
import type { View } from './chart.ts';
import type { Mark, TextItem } from './mark.ts';
import { thinSpans } from './thinSpans.ts';
import { thinTimes } from './thinTimes.ts';

export const NO_RACES = 'unknown: no NetLog';
const BAND_PX = 9;
/** Badges closer than this would cover each other. */
const BADGE_PX = 12;

/**
 * The browser's own truth about its races, as DevTools (`Network.AlternateProtocolUsage`) or a NetLog name it.
 * Without any the row says so: the page alone cannot see a race.
 */
export function raceMarks(series: SessionSeries, view: View, y: number): Mark[] {
  if (series.races.length === 0) return [{ kind: 'texts', items: [unknownText(view, y)] }];
  const { atMs, endMs, outcome } = series.races.columns;
  const broken: Span[] = [];
  const items: TextItem[] = [];
  for (let row = 0; row < rowAfter(series.races, view.toMs); row += 1) {
    const what = outcomeOf(series.outcomes[outcome[row]!] ?? '');
    const span = { fromMs: atMs[row]!, toMs: valueAt(endMs, row) ?? view.nowMs };
    if (what === 'broken') broken.push(span);
    else if (what !== null && span.fromMs >= view.fromMs) items.push(badge(span.fromMs, y, what));
  }
  return [
    { kind: 'hatch', what: 'broken', spans: thinSpans(broken, view), y, heightPx: BAND_PX },
    { kind: 'texts', items: thinTimes(items, view, BADGE_PX) },
  ];
}

function outcomeOf(outcome: string): 'quic' | 'tcp' | 'broken' | null {
  if (/broken/i.test(outcome)) return 'broken';
  if (/(alternativeJob|dnsAlpnH3Job)Won|quic/i.test(outcome)) return 'quic';
  return /mainJobWon|tcp/i.test(outcome) ? 'tcp' : null;
}

const badge = (atMs: number, y: number, won: 'quic' | 'tcp'): TextItem => ({
  atMs,
  axis: 'left',
  y,
  text: won === 'quic' ? 'Q' : 'T',
  tone: won === 'quic' ? 'on-h3' : 'on-h2',
  strong: true,
  align: 'center',
  dxPx: 0,
  dyPx: 0,
  badge: won === 'quic' ? { shape: 'circle', tone: 'protocol-h3' } : { shape: 'square', tone: 'protocol-h2' },
});

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
