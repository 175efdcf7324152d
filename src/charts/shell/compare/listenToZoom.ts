import type { Range } from '../../range.ts';
import { listenToKeys } from '../timeAxis.ts';
import type { CompareScreen } from './compareScreen.ts';

/** What wheel, pointer and keys mean. Times are of the shared axis. */
interface ZoomActions {
  range(): Range;
  isWhole(): boolean;
  pinned(): number | null;
  hover(axisMs: number | null): void;
  pin(axisMs: number | null): void;
  zoom(factor: number, aboutMs?: number): void;
  pan(byMs: number): void;
  panPart(part: number): void;
  select(range: Range): void;
  step(step: -1 | 1): void;
}

/** Less is a click, more a drag. */
const DRAG_PX = 6;
/** Px of wheel that show half, or twice as much: three notches of a usual mouse. */
const HALVING_PX = 300;

/**
 * The wheel zooms where the pointer is (sideways or with Shift it pans), a drag shows what it spans, with Shift it moves all;
 * a finger moves, two zoom. Keys: those of the axis, and + − 0 anywhere on the chart panel. Returns the disposer.
 */
export function listenToZoom(host: HTMLElement, screen: CompareScreen, actions: ZoomActions): () => void {
  const stops = [
    byWheel(screen, actions),
    byMouse(screen, actions),
    listenToTouches(screen, actions),
    byKeys(host, screen, actions),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

function byWheel(screen: CompareScreen, actions: ZoomActions): () => void {
  const abort = new AbortController();
  screen.body.addEventListener(
    'wheel',
    (event) => {
      const atMs = screen.msAt(event.clientX);
      const sideways = event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY);
      // All is shown already: the page scrolls on.
      if (atMs === null || (actions.isWhole() && (sideways || event.deltaY > 0))) return;
      event.preventDefault();
      const px = (sideways ? event.deltaX || event.deltaY : event.deltaY) * (event.deltaMode === 1 ? 16 : 1);
      if (sideways) actions.pan(px * screen.msPerPx());
      else actions.zoom(2 ** (px / HALVING_PX), atMs);
    },
    { signal: abort.signal, passive: false },
  );
  return () => abort.abort();
}

interface Press {
  readonly startPx: number;
  readonly startMs: number;
  readonly moves: boolean;
  readonly onAxis: boolean;
  lastPx: number;
  dragged: boolean;
}

function byMouse(screen: CompareScreen, actions: ZoomActions): () => void {
  let press: Press | null = null;
  const down = (event: PointerEvent): void => {
    const startMs = screen.msAt(event.clientX);
    if (event.pointerType === 'touch' || event.button > 1 || startMs === null) return;
    if (!(event.target instanceof Element && event.target.closest('.lane-plot, .lanes-axis'))) return;
    const onAxis = screen.axis.contains(event.target);
    press = {
      startPx: event.clientX,
      lastPx: event.clientX,
      startMs,
      onAxis,
      dragged: false,
      moves: event.shiftKey || event.button === 1,
    };
    screen.body.setPointerCapture(event.pointerId);
  };
  const move = (event: PointerEvent): void => {
    if (event.pointerType === 'touch') return;
    const atMs = screen.msAt(event.clientX);
    if (!press) return actions.hover(atMs);
    if (Math.abs(event.clientX - press.startPx) > DRAG_PX) press.dragged = true;
    if (!press.dragged) return;
    if (press.moves) actions.pan((press.lastPx - event.clientX) * screen.msPerPx());
    else if (press.onAxis) actions.pin(atMs);
    else if (atMs !== null) screen.select({ fromMs: press.startMs, toMs: atMs });
    press.lastPx = event.clientX;
  };
  const up = (event: PointerEvent): void => {
    const ended = press;
    press = null;
    if (!ended) return;
    screen.select(null);
    const atMs = screen.msAt(event.clientX);
    if (!ended.dragged) actions.pin(ended.startMs);
    else if (!ended.moves && !ended.onAxis && atMs !== null)
      actions.select({ fromMs: Math.min(ended.startMs, atMs), toMs: Math.max(ended.startMs, atMs) });
  };
  const abort = new AbortController();
  const { signal } = abort;
  screen.body.addEventListener('pointerdown', down, { signal });
  screen.body.addEventListener('pointermove', move, { signal });
  screen.body.addEventListener('pointerup', up, { signal });
  screen.body.addEventListener('pointercancel', () => void (press = null), { signal });
  screen.body.addEventListener('pointerleave', () => actions.hover(null), { signal });
  return () => abort.abort();
}

function byKeys(host: HTMLElement, screen: CompareScreen, actions: ZoomActions): () => void {
  const here = (): number => actions.pinned() ?? actions.range().fromMs;
  const stop = listenToKeys(host, screen.axis, {
    onMove: (byMs) => actions.pin(here() + byMs),
    onEdge: (edge) => actions.pin(actions.range()[edge === 'from' ? 'fromMs' : 'toMs']),
    onEnter: () => {},
    onRelease: () => actions.pin(null),
    onStep: actions.step,
    pageMs: () => Math.max(10_000, (actions.range().toMs - actions.range().fromMs) / 10),
  });
  const anywhere: Readonly<Record<string, () => void>> = {
    '+': () => actions.zoom(0.5),
    '=': () => actions.zoom(0.5),
    '-': () => actions.zoom(2),
    '0': () => actions.select({ fromMs: 0, toMs: Infinity }),
    '<': () => actions.panPart(-0.25),
    '>': () => actions.panPart(0.25),
  };
  const abort = new AbortController();
  host.addEventListener(
    'keydown',
    (event) => {
      if (!event.ctrlKey && !event.metaKey && !event.altKey) anywhere[event.key]?.();
    },
    { signal: abort.signal },
  );
  return () => {
    stop();
    abort.abort();
  };
}

/** A tap puts the crosshair, one finger moves what is shown, two zoom. Scrolling up and down stays the browser's. */
function listenToTouches(screen: CompareScreen, actions: ZoomActions): () => void {
  const fingers = new Map<number, number>();
  let tapMs: number | null = null;
  const down = (event: PointerEvent): void => {
    if (event.pointerType !== 'touch') return;
    fingers.set(event.pointerId, event.clientX);
    tapMs = fingers.size === 1 ? screen.msAt(event.clientX) : null;
  };
  const move = (event: PointerEvent): void => {
    const before = fingers.get(event.pointerId);
    if (before === undefined) return;
    const apart = spreadPx(fingers);
    const byPx = event.clientX - before;
    if (byPx !== 0) tapMs = null;
    fingers.set(event.pointerId, event.clientX);
    if (fingers.size === 1) {
      if (actions.isWhole()) actions.pin(screen.msAt(event.clientX));
      else actions.pan(-byPx * screen.msPerPx());
    } else if (apart > 0 && spreadPx(fingers) > 0) {
      const aboutMs = screen.msAt(middlePx(fingers));
      if (aboutMs !== null) actions.zoom(apart / spreadPx(fingers), aboutMs);
    }
  };
  const up = (event: PointerEvent): void => {
    if (fingers.delete(event.pointerId) && tapMs !== null) actions.pin(tapMs);
    tapMs = null;
  };
  const cancel = (event: PointerEvent): void => {
    fingers.delete(event.pointerId);
    tapMs = null;
  };
  const abort = new AbortController();
  const { signal } = abort;
  screen.body.addEventListener('pointerdown', down, { signal });
  screen.body.addEventListener('pointermove', move, { signal });
  screen.body.addEventListener('pointerup', up, { signal });
  screen.body.addEventListener('pointercancel', cancel, { signal });
  return () => abort.abort();
}

const spreadPx = (fingers: ReadonlyMap<number, number>): number =>
  fingers.size < 2 ? 0 : Math.max(20, Math.max(...fingers.values()) - Math.min(...fingers.values()));

const middlePx = (fingers: ReadonlyMap<number, number>): number =>
  (Math.max(...fingers.values()) + Math.min(...fingers.values())) / 2;
