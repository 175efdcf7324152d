import type { SessionSeries } from '../../analysis/timeline/series.ts';
import { rowAfter } from '../../analysis/timeline/table.ts';
import type { View } from '../chart.ts';
import { formatCursor } from '../formatCursor.ts';
import type { Range, RangeName } from '../range.ts';
import { html, setTo } from '../../ui/dom.ts';
import type { LaneView } from './laneView.ts';
import type { Overview } from './overview.ts';
import { readTheme, type Theme } from './theme.ts';
import { createTimeAxis } from './timeAxis.ts';

/** The page below this width stacks its lanes' heads and shows less. */
export const NARROW_PX = 720;
/** A column cannot be thinner than a pixel, and more would only cost. */
const MAX_POINTS = 2000;

/** Everything of the chart panel that is on the page: draws lanes, axis and strip, and places what floats above them. */
export interface PanelScreen {
  readonly body: HTMLElement;
  readonly axis: HTMLElement;
  readonly narrow: () => boolean;
  view(series: SessionSeries, range: Range): View;
  draw(series: SessionSeries, shown: Shown): void;
  /** Crosshair, badge and numbers: cheap, never redraws a chart. */
  place(series: SessionSeries, cursor: { atMs: number | null; pickedMs: number | null; range: Range }): void;
  select(range: Range | null, shown: Range): void;
  /** A line beside the pointer; null takes it away. */
  tooltip(text: string | null, pointer: Pick<PointerEvent, 'clientX' | 'clientY'>): void;
  msAt(clientX: number, range: Range): number | null;
  restyle(): void;
  readonly widthPx: () => number;
}
interface Shown {
  readonly range: Range;
  readonly endMs: number;
  readonly name: RangeName | null;
  /** Lanes to draw. */
  readonly lanes: readonly LaneView[];
}

export function createPanelScreen(
  host: HTMLElement,
  lanes: readonly LaneView[],
  overview: Overview,
): PanelScreen {
  const { axis, cross, band, picked, body, tooltip } = screenElements(host, lanes, overview);
  let theme: Theme = readTheme(host, devicePixelRatio);
  const widthPx = (): number => body.clientWidth;
  const narrow = (): boolean => widthPx() < NARROW_PX;
  // A width that is read after something was written has the browser lay the page out at once: it is read first, and once.
  const size = (): Size => {
    const width = widthPx();
    const { gutterLeftPx: leftPx, gutterRightPx } = theme;
    return { widthPx: width, leftPx, plotPx: Math.max(1, width - leftPx - gutterRightPx) };
  };
  return {
    body,
    axis: axis.element,
    narrow,
    view: (series, range) => viewOf(series, range, size()),
    widthPx,
    draw(series, shown) {
      const now = size();
      const { widthPx: width } = now;
      // What is under a resting pointer may be another thing now.
      setTo(tooltip, 'hidden', true);
      const scale = devicePixelRatio;
      const drawn = viewOf(series, shown.range, now);
      const paints = shown.lanes.map((lane) => lane.write(series, drawn));
      for (const paint of paints) paint({ theme, scale });
      axis.draw(drawn, { theme, scale, widthPx: width, name: drawn.narrow ? '' : 'session' });
      overview.draw(series, shown, { theme, scale, widthPx: width, narrow: drawn.narrow });
    },
    place(series, { atMs, pickedMs, range }) {
      const now = size();
      const inside = atMs !== null && atMs >= range.fromMs && atMs <= range.toMs;
      setTo(cross, 'hidden', !inside);
      const xPx = inside ? xIn(now, atMs, range) : 0;
      if (inside) cross.style.transform = `translateX(${xPx}px)`;
      axis.place(inside ? { atMs, xPx, text: formatCursor(series, atMs) } : null);
      for (const lane of lanes) lane.say(series, atMs ?? series.lastMs, now.widthPx < NARROW_PX);
      placePicked(picked, series, { pickedMs, range, size: now });
    },
    select(range, shown) {
      const now = size();
      placeBand(band, range && [xIn(now, range.fromMs, shown), xIn(now, range.toMs, shown)]);
    },
    tooltip: (text, pointer) => placeTooltip(tooltip, text, pointer),
    msAt(clientX, { fromMs, toMs }) {
      const share = (clientX - body.getBoundingClientRect().left - theme.gutterLeftPx) / size().plotPx;
      return share < 0 || share > 1 ? null : fromMs + share * (toMs - fromMs);
    },
    restyle: () => void (theme = readTheme(host, devicePixelRatio)),
  };
}

/** What the panel measures, px: its whole width, and where in it the plots begin and how wide they are. */
interface Size {
  readonly widthPx: number;
  readonly leftPx: number;
  readonly plotPx: number;
}

const viewOf = (series: SessionSeries, range: Range, { widthPx, plotPx }: Size): View => ({
  ...range,
  nowMs: series.lastMs,
  maxPoints: Math.min(MAX_POINTS, plotPx),
  narrow: widthPx < NARROW_PX,
});

const xIn = ({ leftPx, plotPx }: Size, ms: number, { fromMs, toMs }: Range): number =>
  leftPx + ((ms - fromMs) / (toMs - fromMs)) * plotPx;

function screenElements(host: HTMLElement, lanes: readonly LaneView[], overview: Overview) {
  const axis = createTimeAxis();
  const cross = html('div', { class: 'lanes-cross' });
  const band = html('div', { class: 'lanes-band' });
  const picked = html('div', { class: 'lanes-picked' });
  const sections = lanes.map(({ element }) => element);
  const tooltip = html('div', { class: 'lanes-tooltip' });
  const body = html('div', { class: 'lanes-body' }, ...sections, axis.element, cross, band, tooltip);
  lanes.find(({ chart }) => chart.id === 'decisions')?.plot.append(picked);
  for (const floating of [cross, band, picked, tooltip]) floating.hidden = true;
  host.append(overview.element, body);
  shareHeight(host, lanes);
  return { axis, cross, band, picked, body, tooltip };
}

/** The span that is being drawn with the pointer, in px of either order; null hides it. */
function placeBand(band: HTMLElement, edgesPx: [number, number] | null): void {
  band.hidden = edgesPx === null;
  if (!edgesPx) return;
  band.style.transform = `translateX(${Math.min(...edgesPx)}px)`;
  band.style.width = `${Math.abs(edgesPx[1] - edgesPx[0])}px`;
}

const TOOLTIP_AWAY_PX = 12;

/** Beside the pointer, on its other side where it would reach out of the panel. */
function placeTooltip(
  tooltip: HTMLElement,
  text: string | null,
  { clientX, clientY }: { clientX: number; clientY: number },
): void {
  tooltip.hidden = text === null;
  if (text === null) return;
  if (tooltip.textContent !== text) tooltip.textContent = text;
  const { left, top, width, height } = tooltip.parentElement!.getBoundingClientRect();
  const xPx = beside(clientX - left, tooltip.offsetWidth, width);
  const yPx = beside(clientY - top, tooltip.offsetHeight, height);
  tooltip.style.transform = `translate(${xPx}px, ${yPx}px)`;
}

/** Where something of a size lies beside a point of a line, after it if that fits into the line. */
const beside = (atPx: number, sizePx: number, linePx: number): number =>
  Math.max(
    0,
    atPx + TOOLTIP_AWAY_PX + sizePx <= linePx ? atPx + TOOLTIP_AWAY_PX : atPx - TOOLTIP_AWAY_PX - sizePx,
  );

/** The outline of the decision that was picked, over its column. */
function placePicked(
  picked: HTMLElement,
  { decisions }: SessionSeries,
  { pickedMs, range, size }: { pickedMs: number | null; range: Range; size: Size },
): void {
  setTo(picked, 'hidden', pickedMs === null || pickedMs < range.fromMs || pickedMs > range.toMs);
  if (picked.hidden || pickedMs === null) return;
  const { atMs, lane } = decisions.columns;
  let next = rowAfter(decisions, pickedMs);
  const mine = lane[next - 1];
  while (next < decisions.length && lane[next] !== mine) next += 1;
  const fromPx = xIn(size, pickedMs, range);
  const rightPx = size.leftPx + size.plotPx;
  const toPx = Math.min(
    rightPx,
    next < decisions.length ? xIn(size, atMs[next]!, range) : rightPx,
    fromPx + 32,
  );
  picked.style.transform = `translateX(${fromPx - 1}px)`;
  picked.style.width = `${Math.max(5, toPx - fromPx)}px`;
}

/** What a tall window has more is shared among the lanes by how much each can grow. */
function shareHeight(host: HTMLElement, lanes: readonly LaneView[]): void {
  const total = (key: 'minPx' | 'maxPx'): number =>
    lanes.reduce((sum, { chart }) => sum + chart.height[key], 0);
  host.style.setProperty('--shares', String(total('maxPx') - total('minPx')));
}
