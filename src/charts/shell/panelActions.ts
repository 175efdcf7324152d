import type { Pick } from '../chart.ts';
import { decisionBeside, requestPick, decisionPick } from '../picks.ts';
import type { RedrawPolicy, PanelDrawing } from './redraw.ts';
import type { ChartPanelOptions, PanelRange } from './chartPanel.ts';
import type { PanelModel } from './panelModel.ts';
import type { SessionSeries } from '../../analysis/timeline/series.ts';
import type { LaneView } from './laneView.ts';
import { listenToKeys } from './timeAxis.ts';
import type { PanelScreen } from './panelScreen.ts';

/** What pointer, keys and callers do to the chart panel, in one place so that all do the same. */
interface PanelActions {
  show(range: PanelRange): void;
  hover(atMs: number | null): void;
  pin(atMs: number | null): void;
  pick(picked: Pick | null): void;
  /** The request under the crosshair. */
  pickRequest(): void;
  stepDecision(step: -1 | 1): void;
  /** Where the crosshair is, else the newest moment. */
  hereMs(): number;
}

interface ActionParts {
  readonly options: ChartPanelOptions;
  readonly model: PanelModel;
  readonly drawing: PanelDrawing;
  readonly policy: RedrawPolicy;
}

export function createPanelActions({ options, model, drawing, policy }: ActionParts): PanelActions {
  const { series } = options;
  const tell = oncePerFrame(() =>
    options.onCursor?.({ atMs: model.cursorMs(), pinned: model.pinnedMs() !== null }),
  );
  const moved = (): void => {
    drawing.place();
    tell();
  };
  const hereMs = (): number => model.cursorMs() ?? model.endMs();
  const pin = (atMs: number | null): void => {
    const before = model.range();
    model.hover(null);
    model.pin(atMs);
    if (model.range().fromMs !== before.fromMs) policy.now();
    moved();
  };
  const pick = (picked: Pick | null): void => {
    if (!picked) return;
    model.pick(picked);
    moved();
    options.onPick?.(picked);
  };
  return {
    show(range) {
      model.show(range);
      policy.now();
    },
    hover(atMs) {
      model.hover(atMs);
      moved();
    },
    pin,
    pick,
    pickRequest: () => pick(requestPick(series, hereMs())),
    stepDecision(step) {
      const beside = decisionBeside(series, model.pickedMs() ?? hereMs(), step);
      if (beside) pin(beside.atMs);
      pick(beside);
    },
    hereMs,
  };
}

/** However often it is called, the browser's next frame does it once. */
function oncePerFrame(act: () => void): () => void {
  let frame = 0;
  return () =>
    void (frame ||= requestAnimationFrame(() => {
      frame = 0;
      act();
    }));
}

interface PersonParts {
  readonly host: HTMLElement;
  readonly lanes: readonly LaneView[];
  readonly screen: PanelScreen;
  readonly model: PanelModel;
  readonly series: SessionSeries;
  readonly actions: PanelActions;
}

const MIN_PAGE_MS = 10_000;

/** Turns pointer and keys into actions. Returns the disposer. */
export function listenToPerson(parts: PersonParts): () => void {
  const stops = [byPointer(parts), byKeys(parts)];
  return () => {
    for (const stop of stops) stop();
  };
}

function byPointer({ lanes, screen, model, series, actions }: PersonParts): () => void {
  const msPerPx = (): number => {
    const { fromMs, toMs } = model.range();
    return (toMs - fromMs) / Math.max(1, screen.widthPx());
  };
  return listenToPointer(
    screen.body,
    { lanes, axis: screen.axis },
    {
      msAt: (clientX) => screen.msAt(clientX, model.range()),
      onHover: actions.hover,
      onOver(lane, atMs, pointer) {
        const text =
          atMs === null
            ? null
            : lane?.tooltipAt(series, { atMs, msPerPx: msPerPx(), clientY: pointer.clientY });
        screen.tooltip(text ?? null, pointer);
      },
      onPin: actions.pin,
      onClick(atMs, lane, clientY) {
        actions.pin(atMs);
        const picked = lane?.pickAt(series, { atMs, msPerPx: msPerPx(), clientY });
        actions.pick(picked ?? decisionPick(series, atMs));
      },
      onSelecting: (fromMs, toMs) => screen.select({ fromMs, toMs }, model.range()),
      onSelected: (fromMs, toMs) => actions.show({ fromMs, toMs }),
      onCancel: () => screen.select(null, model.range()),
    },
  );
}

function byKeys({ host, screen, model, actions }: PersonParts): () => void {
  return listenToKeys(host, screen.axis, {
    onMove: (byMs) => actions.pin(actions.hereMs() + byMs),
    onEdge(edge) {
      const { fromMs, toMs } = model.range();
      actions.pin(edge === 'from' ? fromMs : Math.min(toMs, model.endMs()));
    },
    onEnter: actions.pickRequest,
    onRelease: () => actions.pin(null),
    onStep: actions.stepDecision,
    pageMs() {
      const { fromMs, toMs } = model.range();
      return Math.max(MIN_PAGE_MS, (toMs - fromMs) / 10);
    },
  });
}

/** What a pointer on the lanes means. Times are ms of session time. */
interface PointerActions {
  msAt(clientX: number): number | null;
  onHover(atMs: number | null): void;
  /** Over a lane without pressing; null: over none. */
  onOver(lane: LaneView | null, atMs: number | null, pointer: PointerEvent): void;
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
function listenToPointer(
  body: HTMLElement,
  { lanes, axis }: { lanes: readonly LaneView[]; axis: HTMLElement },
  actions: PointerActions,
): () => void {
  let press: Press | null = null;
  const isSlide = (event: PointerEvent): boolean =>
    event.pointerType === 'touch' || (event.target instanceof Node && axis.contains(event.target));

  const down = (event: PointerEvent): void => {
    const target = event.target as Node;
    const lane = laneUnder(lanes, event);
    actions.onOver(null, null, event);
    const startMs = actions.msAt(event.clientX);
    if (event.button !== 0 || startMs === null || (!lane && !axis.contains(target))) return;
    press = { startPx: event.clientX, startMs, lane, dragged: false };
    if (!lane) actions.onPin(startMs);
    body.setPointerCapture(event.pointerId);
  };
  const move = (event: PointerEvent): void => {
    if (!press) return;
    const atMs = actions.msAt(event.clientX);
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
  listenToHover(body, lanes, { ...actions, isPressed: () => press !== null, signal });
  return () => abort.abort();
}

const laneUnder = (lanes: readonly LaneView[], { target }: PointerEvent): LaneView | null =>
  lanes.find(({ plot }) => plot.contains(target as Node)) ?? null;

interface HoverActions extends PointerActions {
  isPressed(): boolean;
  readonly signal: AbortSignal;
}

/** A pointer that is not pressed: a finger has no such state. */
function listenToHover(
  body: HTMLElement,
  lanes: readonly LaneView[],
  { msAt, onHover, onOver, isPressed, signal }: HoverActions,
): void {
  const move = (event: PointerEvent): void => {
    if (isPressed() || event.pointerType === 'touch') return;
    const atMs = msAt(event.clientX);
    onHover(atMs);
    onOver(laneUnder(lanes, event), atMs, event);
  };
  const leave = (event: PointerEvent): void => {
    onHover(null);
    onOver(null, null, event);
  };
  body.addEventListener('pointermove', move, { signal });
  body.addEventListener('pointerleave', leave, { signal });
}
