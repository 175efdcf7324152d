import type { SessionSeries } from '../../analysis/series.ts';
import { PROTOCOL_NAMES } from '../../analysis/protocol.ts';
import { draggedRange, RANGES, type Grip, type Range, type RangeName } from '../range.ts';
import { stints } from '../stints.ts';
import { clockText } from '../words.ts';
import { glyphSvg, html } from './elements.ts';
import { createLaneChart } from './laneChart.ts';
import type { Theme } from './theme.ts';

/** The whole session as one strip of transport stints; its window is the handle that zooms and pans every lane. */
export interface Overview {
  readonly element: HTMLElement;
  draw(
    series: SessionSeries,
    shown: { range: Range; endMs: number; name: RangeName | null },
    look: Look,
  ): void;
  dispose(): void;
}
interface Look {
  readonly theme: Theme;
  readonly scale: number;
  readonly widthPx: number;
  readonly narrow: boolean;
}

export interface OverviewActions {
  onName(name: RangeName): void;
  onRange(range: Range): void;
}

const HEIGHT_PX = 24;

export function createOverview(actions: OverviewActions): Overview {
  const parts = overviewElements(actions);
  const chart = createLaneChart(parts.canvas, 1);
  const state = { range: { fromMs: 0, toMs: 1 }, endMs: 1, leftPx: 0, plotPx: 1 };
  const stop = dragging(parts.strip, state, actions);
  let size = '';
  return {
    element: parts.element,
    draw(series, { range, endMs, name }, { theme, scale, widthPx, narrow }) {
      const plotPx = widthPx - theme.gutterLeftPx - theme.gutterRightPx;
      Object.assign(state, { range, endMs, leftPx: theme.gutterLeftPx, plotPx });
      const wanted = `${widthPx} ${scale}`;
      if (wanted !== size) chart.resize(widthPx, HEIGHT_PX, scale);
      size = wanted;
      const view = { fromMs: 0, toMs: endMs, nowMs: series.lastMs, mostPoints: plotPx, narrow };
      const lane = stints(series, view);
      chart.draw(lane, view, theme);
      parts.canvas.setAttribute('aria-label', lane.sentence);
      const end = clockText(endMs);
      if (parts.end.textContent !== end) parts.end.textContent = end;
      place(parts, state);
      for (const [each, button] of parts.buttons) button.setAttribute('aria-pressed', String(each === name));
    },
    dispose() {
      stop();
      chart.dispose();
    },
  };
}

/** The window over the strip, and a veil over what lies outside it. */
function place(
  { frame, before, after }: ReturnType<typeof overviewElements>,
  { range, endMs, leftPx, plotPx }: { range: Range; endMs: number; leftPx: number; plotPx: number },
): void {
  const x = (ms: number): number => (Math.min(ms, endMs) / endMs) * plotPx;
  const [fromPx, toPx] = [x(range.fromMs), x(range.toMs)];
  frame.style.transform = `translateX(${leftPx + fromPx}px)`;
  frame.style.width = `${Math.max(6, toPx - fromPx)}px`;
  before.style.left = `${leftPx}px`;
  before.style.width = `${fromPx}px`;
  after.style.left = `${leftPx + toPx}px`;
  after.style.width = `${Math.max(0, plotPx - toPx)}px`;
}

function overviewElements(actions: OverviewActions) {
  const canvas = html('canvas', { role: 'img' });
  const [before, after] = [html('div', { class: 'lanes-veil' }), html('div', { class: 'lanes-veil' })];
  const frame = html('div', { class: 'lanes-window' }, html('i'), html('i'));
  const end = html('span', { class: 'lanes-end' });
  const strip = html(
    'div',
    { class: 'lanes-strip' },
    canvas,
    before,
    after,
    frame,
    html('span', { class: 'lanes-start' }, '0:00'),
    end,
  );
  const legend = html('ul', { class: 'lane-readout' });
  for (const protocol of ['h1', 'h2', 'h3', 'unknown'] as const)
    legend.append(html('li', {}, glyphSvg(protocol), PROTOCOL_NAMES[protocol]));
  const group = html('div', { class: 'lanes-ranges', role: 'group', 'aria-label': 'Time shown' });
  const buttons = RANGES.map(({ name, label }) => {
    const button = html('button', { type: 'button', 'aria-pressed': 'false' }, label);
    button.addEventListener('click', () => actions.onName(name));
    group.append(button);
    return [name, button] as const;
  });
  const head = html('div', { class: 'lane-head' }, html('h2', {}, 'Transport stints'), legend, group);
  const element = html('section', { class: 'lanes-overview', 'aria-label': 'Transport stints' }, head, strip);
  return { element, strip, canvas, before, after, frame, end, buttons };
}

const HANDLE_PX = 8;

function dragging(
  strip: HTMLElement,
  state: { range: Range; endMs: number; leftPx: number; plotPx: number },
  { onRange }: OverviewActions,
): () => void {
  let drag: { grip: Grip; startMs: number; range: Range } | null = null;
  const msAt = (event: PointerEvent): number => {
    const px = event.clientX - strip.getBoundingClientRect().left - state.leftPx;
    return Math.min(Math.max(0, px / state.plotPx), 1) * state.endMs;
  };
  const gripAt = (atMs: number): Grip => {
    const nearMs = (HANDLE_PX / state.plotPx) * state.endMs;
    if (Math.abs(atMs - state.range.fromMs) < nearMs) return 'from';
    if (Math.abs(atMs - state.range.toMs) < nearMs) return 'to';
    return atMs > state.range.fromMs && atMs < state.range.toMs ? 'whole' : 'new';
  };
  const move = (event: PointerEvent): void => {
    if (drag) onRange(draggedRange(drag.range, { ...drag, nowMs: msAt(event), endMs: state.endMs }));
  };
  const down = (event: PointerEvent): void => {
    const startMs = msAt(event);
    drag = { grip: gripAt(startMs), startMs, range: state.range };
    strip.setPointerCapture(event.pointerId);
  };
  const up = (): void => void (drag = null);
  const abort = new AbortController();
  const { signal } = abort;
  strip.addEventListener('pointerdown', down, { signal });
  strip.addEventListener('pointermove', move, { signal });
  strip.addEventListener('pointerup', up, { signal });
  strip.addEventListener('pointercancel', up, { signal });
  return () => abort.abort();
}
