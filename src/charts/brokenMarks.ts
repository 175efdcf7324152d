import type { Span } from '../analysis/timeline/spans.ts';
import type { SessionSeries } from '../analysis/timeline/series.ts';
import type { View } from './chart.ts';
import type { Mark, TextItem } from './mark.ts';
import { thinSpans } from './thinSpans.ts';
import { NO_BREAK } from '../shared/format.ts';

const BAND_PX = 9;
/** Of a letter in the lane's type, and of the ground on both sides of a word. */
const LETTER_PX = 5.2;
const MARGIN_PX = 12;
/** What must be left of the band on each side of its words. */
const MIN_BAND_PX = 14;

/** Periods in which Alt-Svc was marked broken, as bands at `y` with their reason, as far as there is space. */
export function brokenMarks({ broken }: Pick<SessionSeries, 'broken'>, view: View, y: number): Mark[] {
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

/** In the middle of what is seen of the period; null where not even one word fits. */
function labelOf({ fromMs, toMs, cause }: Period, view: View, y: number): TextItem | null {
  const [from, to] = [Math.max(fromMs, view.fromMs), Math.min(toMs, view.toMs, view.nowMs)];
  const widthLimitPx = ((to - from) / (view.toMs - view.fromMs)) * view.maxPoints;
  const length = `${Math.round((toMs - fromMs) / 1000)}${NO_BREAK}s`;
  const why = formatCause(cause);
  const text = [`Alt-Svc broken ${length}: ${why}`, `broken: ${why}`, `broken ${length}`, 'broken'].find(
    (words) => widthPx(words) + 2 * MIN_BAND_PX <= widthLimitPx,
  );
  if (text === undefined) return null;
  const base = { axis: 'left', y, strong: false, align: 'center', dxPx: 0, dyPx: 0, badge: null } as const;
  return { ...base, atMs: (from + to) / 2, text, tone: 'ink-2' };
}

const widthPx = (text: string): number => text.length * LETTER_PX + MARGIN_PX;

/** The band, left and right of its words. */
function around({ fromMs, toMs }: Period, { atMs, text }: TextItem, view: View): Span[] {
  const halfMs = ((widthPx(text) / 2) * (view.toMs - view.fromMs)) / view.maxPoints;
  return [
    { fromMs, toMs: atMs - halfMs },
    { fromMs: atMs + halfMs, toMs },
  ];
}
