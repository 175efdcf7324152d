import type { Comparison } from '../../compare/compareLane.ts';
import { COMPARE_LANES } from '../../compare/registry.ts';
import { pannedRange, zoomedRange, createCompareModel } from './compareModel.ts';
import type { Range } from '../../range.ts';
import { createCompareLane } from './compareLaneView.ts';
import { createCompareScreen } from './compareScreen.ts';
import { listenToZoom } from './listenToZoom.ts';
import { createZoomBar } from './zoomBar.ts';

/** The charts of several sessions on one axis, zoomed and panned together. */
interface ComparePanel {
  /** Draws other sessions, another reference or alignment. The range is kept as far as it fits; null shows all. */
  show(comparison: Comparison, range: Range | null): void;
  /** null while all is shown. */
  range(): Range | null;
  /** Pins the crosshair and moves the range until it is seen; null lets it go. */
  setCursor(axisMs: number | null): void;
}

interface ComparePanelOptions {
  /** The range was changed by a person; null when all is shown. */
  readonly onRange: (range: Range | null) => void;
  /** `[` and `]`: to the difference of decisions before or after a moment of the axis. */
  readonly onStep: (step: -1 | 1, axisMs: number) => void;
}

/** Puts the chart panel into `host`, which has a width. Needs the tokens of `src/ui/tokens.css` and the styles of the chart panel. */
export function mountComparePanel(host: HTMLElement, { onRange, onStep }: ComparePanelOptions): ComparePanel {
  host.classList.add('lanes');
  const model = createCompareModel();
  const { shown, endMs, pinMs } = model;
  const draw = (): void => {
    const comparison = model.comparison();
    if (comparison) screen.draw({ comparison, range: shown(), endMs: endMs(), pinMs: pinMs() });
  };
  const setRange = (wanted: Range | null): void => {
    model.setRange(wanted);
    onRange(model.range());
    draw();
  };
  const zoom = (factor: number, aboutMs = model.middleMs()): void =>
    setRange(zoomedRange(shown(), { factor, aboutMs, endMs: endMs() }));
  const pan = (byMs: number): void => setRange(pannedRange(shown(), byMs, endMs()));
  const panPart = (part: number): void => pan((shown().toMs - shown().fromMs) * part);
  const pin = (axisMs: number | null): void => {
    if (model.pin(axisMs)) setRange(model.range());
    else screen.place(pinMs());
  };
  const bar = createZoomBar({ zoom, panPart, all: () => setRange(null), onRange: setRange });
  const screen = createCompareScreen(host, COMPARE_LANES.map(createCompareLane), bar);
  listenToZoom(host, screen, {
    range: shown,
    isWhole: () => model.range() === null,
    hover: (axisMs) => screen.place(axisMs ?? pinMs()),
    pinned: pinMs,
    pin,
    zoom,
    pan,
    panPart,
    select: setRange,
    step: (step) => onStep(step, pinMs() ?? shown().fromMs - 1),
  });
  listenToLook(host, () => {
    screen.restyle();
    draw();
  });
  return {
    show(comparison, range) {
      model.show(comparison, range);
      draw();
    },
    range: model.range,
    setCursor: pin,
  };
}

/** Calls back when what is drawn must be drawn anew: another width, or light and dark changed places. */
function listenToLook(host: HTMLElement, onChange: () => void): void {
  new ResizeObserver(onChange).observe(host);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', onChange);
}
