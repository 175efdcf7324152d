import type { LaneView } from './laneView.ts';

/** What a pointer on the lanes means. Times are ms of session time. */
export interface PointerActions {
  msAt(clientX: number): number | null;
  onHover(atMs: number | null): void;
  onPin(atMs: number): void;
  onClick(atMs: number, lane: LaneView | null, clientY: number): void;
  onSelecting(fromMs: number, toMs: number): void;
  onSelected(fromMs: number, toMs: number): void;
  onCancel(): void;
}

/** Less is a click, more a drag. */
const DRAG_PX = 6;

interface Press {
  readonly startPx: number;
  readonly startMs: number;
  readonly lane: LaneView | null;
  dragged: boolean;
}

/** Move reads out, click pins and picks, drag zooms (with a finger or on the axis: it moves the crosshair). */
export function listenToPointer(
  body: HTMLElement,
  { lanes, axis }: { lanes: readonly LaneView[]; axis: HTMLElement },
  actions: PointerActions,
): () => void {
  let press: Press | null = null;
  const isSlide = (event: PointerEvent): boolean =>
    event.pointerType === 'touch' || (event.target instanceof Node && axis.contains(event.target));

  const down = (event: PointerEvent): void => {
    const target = event.target as Node;
    const lane = lanes.find(({ plot }) => plot.contains(target)) ?? null;
    const startMs = actions.msAt(event.clientX);
    if (event.button !== 0 || startMs === null || (!lane && !axis.contains(target))) return;
    press = { startPx: event.clientX, startMs, lane, dragged: false };
    if (!lane) actions.onPin(startMs);
    body.setPointerCapture(event.pointerId);
  };
  const move = (event: PointerEvent): void => {
    const atMs = actions.msAt(event.clientX);
    if (!press) {
      if (event.pointerType !== 'touch') actions.onHover(atMs);
      return;
    }
    if (Math.abs(event.clientX - press.startPx) > DRAG_PX) press.dragged = true;
    if (!press.dragged || atMs === null) return;
    if (isSlide(event) || !press.lane) actions.onPin(atMs);
    else actions.onSelecting(press.startMs, atMs);
  };
  const up = (event: PointerEvent): void => {
    const ended = press;
    press = null;
    if (!ended) return;
    actions.onCancel();
    if (!ended.dragged) return actions.onClick(ended.startMs, ended.lane, event.clientY);
    const atMs = actions.msAt(event.clientX);
    if (ended.lane && event.pointerType !== 'touch' && atMs !== null) actions.onSelected(ended.startMs, atMs);
  };
  const cancel = (): void => {
    press = null;
    actions.onCancel();
  };
  const abort = new AbortController();
  const { signal } = abort;
  body.addEventListener('pointerdown', down, { signal });
  body.addEventListener('pointermove', move, { signal });
  body.addEventListener('pointerup', up, { signal });
  body.addEventListener('pointercancel', cancel, { signal });
  body.addEventListener('pointerleave', () => actions.onHover(null), { signal });
  return () => abort.abort();
}
