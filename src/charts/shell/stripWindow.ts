import { draggedRange, type Grip, type Range } from '../range.ts';
import { html } from '../../ui/dom.ts';

/** The part of a strip that the lanes show: a window that moves and grows by dragging, and a veil over the rest. */
interface StripWindow {
  place(shown: Shown): void;
  dispose(): void;
}

interface Shown {
  readonly range: Range;
  readonly endMs: number;
  readonly leftPx: number;
  readonly plotPx: number;
}

/** Puts the window into `strip`, which must be positioned. */
export function createStripWindow(strip: HTMLElement, onRange: (range: Range) => void): StripWindow {
  const veil = (): HTMLElement => html('div', { class: 'lanes-veil' });
  const parts = {
    before: veil(),
    after: veil(),
    frame: html('div', { class: 'lanes-window' }, html('i'), html('i')),
  };
  strip.append(parts.before, parts.after, parts.frame);
  const state = { range: { fromMs: 0, toMs: 1 }, endMs: 1, leftPx: 0, plotPx: 1 };
  return {
    place(shown) {
      Object.assign(state, shown);
      place(parts, shown);
    },
    dispose: dragging(strip, state, onRange),
  };
}

function place(
  { frame, before, after }: Readonly<Record<'frame' | 'before' | 'after', HTMLElement>>,
  { range, endMs, leftPx, plotPx }: Shown,
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

const HANDLE_PX = 8;

function dragging(strip: HTMLElement, state: Shown, onRange: (range: Range) => void): () => void {
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
