import { timeTicks } from '../axis.ts';
import type { View } from '../chart.ts';
import { html } from '../../ui/dom.ts';
import type { Theme } from './theme.ts';
import { formatClock } from '../../shared/format.ts';

/** The axis under the lanes: sticks to the bottom edge, and is the slider that moves the crosshair by keyboard. */
export interface TimeAxis {
  readonly element: HTMLElement;
  draw(view: View, look: { theme: Theme; scale: number; widthPx: number; name: string }): void;
  /** Where the crosshair is and what it reads; null hides the badge. */
  place(cursor: { xPx: number; atMs: number; text: string } | null): void;
}

const HEIGHT_PX = 24;
const LABEL_WIDTH_PX = 76;

export function createTimeAxis(): TimeAxis {
  const canvas = html('canvas', { 'aria-hidden': 'true' });
  const badge = html('div', { class: 'lanes-badge', 'aria-hidden': 'true' });
  const element = html(
    'div',
    {
      class: 'lanes-axis',
      role: 'slider',
      tabindex: '0',
      'aria-label': 'Time under the crosshair',
      'aria-valuemin': '0',
      'aria-valuemax': '0',
      'aria-valuenow': '0',
      'aria-valuetext': '0:00',
    },
    canvas,
    badge,
  );
  return {
    element,
    draw(view, look) {
      fit(canvas, look);
      element.setAttribute('aria-valuemin', String(Math.floor(view.fromMs / 1000)));
      element.setAttribute('aria-valuemax', String(Math.ceil(view.toMs / 1000)));
      paintAxis(canvas.getContext('2d')!, view, look);
    },
    place(cursor) {
      badge.hidden = cursor === null;
      if (!cursor) return;
      const at = formatClock(cursor.atMs);
      if (badge.textContent !== at) badge.textContent = at;
      badge.style.transform = `translateX(${cursor.xPx}px) translateX(-50%)`;
      element.setAttribute('aria-valuenow', String(Math.round(cursor.atMs / 1000)));
      element.setAttribute('aria-valuetext', cursor.text);
    },
  };
}

function fit(canvas: HTMLCanvasElement, { scale, widthPx }: { scale: number; widthPx: number }): void {
  const [width, height] = [Math.round(widthPx * scale), Math.round(HEIGHT_PX * scale)];
  if (canvas.width !== width) canvas.width = width;
  if (canvas.height !== height) canvas.height = height;
}

/** Also used for exported pictures. `widthPx` is the lane's whole width, gutters and all. */
export function paintAxis(
  context: CanvasRenderingContext2D,
  view: Pick<View, 'fromMs' | 'toMs'>,
  { theme, scale, widthPx, name }: { theme: Theme; scale: number; widthPx: number; name: string },
): void {
  const [left, right] = [theme.gutterLeftPx, widthPx - theme.gutterRightPx];
  context.setTransform(scale, 0, 0, scale, 0, 0);
  context.clearRect(0, 0, widthPx, HEIGHT_PX);
  context.font = theme.font();
  context.textBaseline = 'middle';
  context.fillStyle = theme.colour('ink-3');
  context.textAlign = 'right';
  context.fillText(view.toMs >= 3_600_000 ? 'h:mm:ss' : 'm:ss', left - 8, 12);
  if (name && theme.gutterRightPx > 44) context.fillText(name, widthPx - 4, 12);
  const rightEnd = name && theme.gutterRightPx > 44 ? right - 8 : right + theme.gutterRightPx - 22;
  for (const tick of timeTicks(
    view.fromMs,
    view.toMs,
    Math.max(2, Math.floor((right - left) / LABEL_WIDTH_PX)),
  )) {
    const x = left + ((tick - view.fromMs) / (view.toMs - view.fromMs)) * (right - left);
    context.fillStyle = theme.colour('line');
    context.fillRect(Math.round(x), 0, 1, 4);
    context.fillStyle = theme.colour('ink-3');
    const isLast = x > rightEnd;
    context.textAlign = x < left + 8 ? 'left' : isLast ? 'right' : 'center';
    // A little space before the name.
    context.fillText(formatClock(tick), isLast ? x - 4 : x, 12);
  }
}

/** What a key on the lanes means; times are ms. */
interface KeyActions {
  /** Moves the crosshair by this much. */
  onMove(byMs: number): void;
  onEdge(edge: 'from' | 'to'): void;
  onEnter(): void;
  onRelease(): void;
  onStep(step: -1 | 1): void;
  /** How far Page Up and Page Down go. */
  pageMs(): number;
}

const SECOND_MS = 1000;

/** Keys of the axis (a slider: WAI-ARIA Authoring Practices), and `[` `]` anywhere in the chart panel. */
export function listenToKeys(host: HTMLElement, axis: HTMLElement, actions: KeyActions): () => void {
  const abort = new AbortController();
  const onAxis = (event: KeyboardEvent): void => {
    const act = axisKey(event, actions);
    if (!act) return;
    event.preventDefault();
    act();
  };
  const anywhere = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key !== '[' && event.key !== ']') return;
    // A page whose own keys step as well sees that it is done.
    event.preventDefault();
    actions.onStep(event.key === '[' ? -1 : 1);
  };
  axis.addEventListener('keydown', onAxis, { signal: abort.signal });
  host.addEventListener('keydown', anywhere, { signal: abort.signal });
  return () => abort.abort();
}

function axisKey(event: KeyboardEvent, actions: KeyActions): (() => void) | undefined {
  const stepMs = SECOND_MS * (event.shiftKey ? 10 : 1);
  const keys: Readonly<Record<string, () => void>> = {
    ArrowLeft: () => actions.onMove(-stepMs),
    ArrowDown: () => actions.onMove(-stepMs),
    ArrowRight: () => actions.onMove(stepMs),
    ArrowUp: () => actions.onMove(stepMs),
    PageDown: () => actions.onMove(-actions.pageMs()),
    PageUp: () => actions.onMove(actions.pageMs()),
    Home: () => actions.onEdge('from'),
    End: () => actions.onEdge('to'),
    Enter: () => actions.onEnter(),
    Escape: () => actions.onRelease(),
  };
  return keys[event.key];
}
