import type { Pick } from '../chart.ts';
import { decisionBeside, requestPick } from '../picks.ts';
import type { RedrawPolicy } from './redrawPolicy.ts';
import type { ChartPanelOptions, PanelRange } from './chartPanel.ts';
import type { PanelDrawing } from './panelDrawing.ts';
import type { PanelModel } from './panelModel.ts';

/** What pointer, keys and callers do to the chart panel, in one place so that all do the same. */
export interface PanelActions {
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

export interface ActionParts {
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
