import { quantile } from '../../../analysis/statistics/summaries.ts';
import { isShown, type Comparison } from '../../compare/compareLane.ts';
import { readoutOf } from '../../compare/sessionLines.ts';
import { COMPARE_LANES } from '../../compare/registry.ts';
import type { View } from '../../chart.ts';
import type { Range } from '../../range.ts';
import { html } from '../../../ui/dom.ts';
import { readTheme, type Theme } from '../theme.ts';
import { createTimeAxis, type TimeAxis } from '../timeAxis.ts';
import type { CompareLaneView } from './compareLaneView.ts';
import type { ZoomBar } from './zoomBar.ts';
import { formatClock } from '../../../shared/format.ts';

/** Everything of the comparison panel that is on the page. Draws at most once per frame. */
export interface CompareScreen {
  readonly body: HTMLElement;
  readonly axis: HTMLElement;
  draw(shown: Shown): void;
  /** The crosshair and the numbers in the heads; null rests on the end of what is shown. */
  place(axisMs: number | null): void;
  /** The span that is being drawn with the pointer; null hides it. */
  select(range: Range | null): void;
  /** Axis time under a pointer; null beside the plots. */
  msAt(clientX: number): number | null;
  msPerPx(): number;
  restyle(): void;
}

interface Shown {
  readonly comparison: Comparison;
  readonly range: Range;
  readonly endMs: number;
  readonly pinMs: number | null;
}

const NARROW_PX = 720;
const MAX_POINTS = 2000;
const AXIS_NAMES = { playback: 'played', wall: 'wall' } as const;

export function createCompareScreen(
  host: HTMLElement,
  lanes: readonly CompareLaneView[],
  bar: ZoomBar,
): CompareScreen {
  const { axis, cross, band, body } = screenElements(host, lanes, bar);
  let theme: Theme = readTheme(host, devicePixelRatio);
  let shown: Shown | null = null;
  let cursorMs: number | null = null;
  const ask = framed();
  const plotPx = (): number => Math.max(1, body.clientWidth - theme.gutterLeftPx - theme.gutterRightPx);
  const xOf = (ms: number, { fromMs, toMs }: Range): number =>
    theme.gutterLeftPx + ((ms - fromMs) / (toMs - fromMs)) * plotPx();
  const drawNow = (): void => {
    if (shown) drawAll({ lanes, axis, bar }, shown, { theme, widthPx: body.clientWidth, plotPx: plotPx() });
    placeNow();
  };
  const placeNow = (): void => {
    if (!shown) return;
    const { comparison, range } = shown;
    const atMs = cursorMs ?? restMs(comparison, range);
    const inside = cursorMs !== null && atMs >= range.fromMs && atMs <= range.toMs;
    cross.hidden = !inside;
    if (inside) cross.style.transform = `translateX(${xOf(atMs, range)}px)`;
    axis.place(inside ? { atMs, xPx: xOf(atMs, range), text: formatReadout(comparison, atMs) } : null);
    for (const lane of lanes) lane.say(comparison, atMs);
  };
  return {
    body,
    axis: axis.element,
    draw(next) {
      [shown, cursorMs] = [next, next.pinMs];
      ask('draw', drawNow);
    },
    place(axisMs) {
      cursorMs = axisMs;
      ask('place', placeNow);
    },
    select: (range) =>
      placeBand(band, shown && range && [xOf(range.fromMs, shown.range), xOf(range.toMs, shown.range)]),
    msAt(clientX) {
      const share = (clientX - body.getBoundingClientRect().left - theme.gutterLeftPx) / plotPx();
      return shown === null || share < 0 || share > 1
        ? null
        : shown.range.fromMs + share * (shown.range.toMs - shown.range.fromMs);
    },
    msPerPx: () => (shown ? (shown.range.toMs - shown.range.fromMs) / plotPx() : 1),
    restyle: () => void (theme = readTheme(host, devicePixelRatio)),
  };
}

function screenElements(host: HTMLElement, lanes: readonly CompareLaneView[], bar: ZoomBar) {
  const axis = createTimeAxis();
  const cross = html('div', { class: 'lanes-cross' });
  const band = html('div', { class: 'lanes-band' });
  const sections = lanes.map(({ element }) => element);
  const body = html('div', { class: 'lanes-body' }, ...sections, axis.element, cross, band);
  cross.hidden = band.hidden = true;
  host.append(bar.element, body);
  return { axis, cross, band, body };
}

function drawAll(
  { lanes, axis, bar }: { lanes: readonly CompareLaneView[]; axis: TimeAxis; bar: ZoomBar },
  { comparison, range, endMs }: Shown,
  { theme, widthPx, plotPx }: { theme: Theme; widthPx: number; plotPx: number },
): void {
  const narrow = widthPx < NARROW_PX;
  const view: View = { ...range, nowMs: endMs, maxPoints: Math.min(MAX_POINTS, plotPx), narrow };
  const look = { theme, scale: devicePixelRatio, widthPx };
  for (const lane of lanes) lane.draw(comparison, view, look);
  axis.draw(view, { ...look, name: narrow ? '' : AXIS_NAMES[comparison.reference.time.alignment] });
  bar.draw({ comparison, range, endMs, plotPx, ...look });
}

/** The span that is being drawn with the pointer, in px of either order; null hides it. */
function placeBand(band: HTMLElement, edgesPx: [number, number] | null): void {
  band.hidden = edgesPx === null;
  if (!edgesPx) return;
  band.style.transform = `translateX(${Math.min(...edgesPx)}px)`;
  band.style.width = `${Math.abs(edgesPx[1] - edgesPx[0])}px`;
}

/** The end of what is shown; of arms, while three of four sessions play. */
const restMs = ({ arms, sessions }: Comparison, { toMs }: Range): number =>
  arms.length === 0
    ? toMs
    : Math.min(toMs, quantile(Float64Array.from(sessions, ({ time }) => time.endMs).sort(), 0.25));

/** The value of the slider in words: what each session or arm shows and has buffered. */
function formatReadout(comparison: Comparison, atMs: number): string {
  const [rates = [], levels = []] = COMPARE_LANES.filter((lane) => isShown(lane, comparison)).map((lane) =>
    readoutOf(lane, comparison, atMs),
  );
  const parts = rates.map(
    ({ look, text }, index) => `${look.letter} ${text}, buffer ${levels[index]?.text ?? '–'}`,
  );
  return [formatClock(atMs), ...parts].join('; ');
}

/** The browser's next frame does each thing that was asked for once, however often that was. */
function framed(): (name: string, act: () => void) => void {
  const wanted = new Map<string, () => void>();
  let frame = 0;
  return (name, act) => {
    wanted.set(name, act);
    frame ||= requestAnimationFrame(() => {
      frame = 0;
      const acts = [...wanted.values()];
      wanted.clear();
      for (const each of acts) each();
    });
  };
}
