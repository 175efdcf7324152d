import type { CompareScreen } from './compareScreen.ts';
import type { ZoomActions } from './listenToZoom.ts';

/** A tap puts the crosshair, one finger moves what is shown, two zoom. Scrolling up and down stays the browser's. */
export function listenToTouches(screen: CompareScreen, actions: ZoomActions): () => void {
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
