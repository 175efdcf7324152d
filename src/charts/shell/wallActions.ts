import type { SessionSeries } from '../../analysis/series.ts';
import type { Pick } from '../chart.ts';
import { decisionBeside, requestPick } from '../picks.ts';
import type { KeyActions } from './wallKeys.ts';
import type { WallModel } from './wallModel.ts';
import type { PointerActions } from './wallPointer.ts';
import type { WallScreen } from './wallScreen.ts';

export interface ActionParts {
  readonly series: SessionSeries;
  readonly model: WallModel;
  readonly screen: WallScreen;
  /** Crosshair moved. */
  readonly onMoved: () => void;
  /** The range changed: the lanes must be drawn. */
  readonly onShown: () => void;
  readonly onPick: (pick: Pick) => void;
}

/** What pointer, keys and callers do to the wall, in one place so that all do the same. */
export interface WallActions {
  pin(atMs: number | null): void;
  stepDecision(step: -1 | 1): void;
  readonly pointer: PointerActions;
  readonly keys: KeyActions;
}

export function createWallActions({
  series,
  model,
  screen,
  onMoved,
  onShown,
  onPick,
}: ActionParts): WallActions {
  const pin = (atMs: number | null): void => {
    const before = model.range();
    model.hover(null);
    model.pin(atMs);
    if (model.range().fromMs !== before.fromMs) onShown();
    onMoved();
  };
  const pick = (picked: Pick | null): void => {
    if (!picked) return;
    model.pick(picked);
    onMoved();
    onPick(picked);
  };
  const stepDecision = (step: -1 | 1): void => {
    const fromMs = model.pickedMs() ?? model.cursorMs() ?? series.lastMs;
    const beside = decisionBeside(series, fromMs, step);
    if (beside) pin(beside.atMs);
    pick(beside);
  };
  return { pin, stepDecision, pointer: pointerOf(), keys: keysOf() };

  function pointerOf(): PointerActions {
    return {
      msAt: (clientX) => screen.msAt(clientX, model.range()),
      onHover(atMs) {
        model.hover(atMs);
        onMoved();
      },
      onPin: pin,
      onClick(atMs, lane, clientY) {
        const { fromMs, toMs } = model.range();
        const { mostPoints } = screen.view(series, { fromMs, toMs });
        pin(atMs);
        pick(lane?.pickAt(series, { atMs, msPerPx: (toMs - fromMs) / mostPoints, clientY }) ?? null);
      },
      onSelecting: (fromMs, toMs) => screen.select({ fromMs, toMs }, model.range()),
      onSelected(fromMs, toMs) {
        model.show({ fromMs, toMs });
        onShown();
      },
      onCancel: () => screen.select(null, model.range()),
    };
  }

  function keysOf(): KeyActions {
    const from = (): number => model.cursorMs() ?? model.endMs();
    return {
      onMove: (byMs) => pin(from() + byMs),
      onEdge: (edge) =>
        pin(edge === 'from' ? model.range().fromMs : Math.min(model.range().toMs, model.endMs())),
      onEnter: () => pick(requestPick(series, from())),
      onRelease: () => pin(null),
      onStep: stepDecision,
      pageMs: () => (model.range().toMs - model.range().fromMs) / 4,
    };
  }
}
