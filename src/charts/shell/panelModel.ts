import { advanceTo, setOpenEvents } from '../../analysis/timeline/appendEvent.ts';
import type { Pick } from '../chart.ts';
import { namedRange, rangeShowing, rangeWithin, type Range, type RangeName } from '../range.ts';
import type { ChartPanelOptions } from './chartPanel.ts';

/** What the chart panel shows and where its crosshair is. Knows no element of the page. */
export interface PanelModel {
  /** Takes over what happened since; says whether the session is still being recorded. */
  catchUp(): boolean;
  endMs(): number;
  range(): Range;
  rangeName(): RangeName | null;
  show(range: RangeName | Range): void;
  hover(atMs: number | null): void;
  /** Pins the crosshair where asked, inside the session, and moves the range until it is seen. */
  pin(atMs: number | null): void;
  /** Hovered, else pinned, else null: the newest moment. */
  cursorMs(): number | null;
  pinnedMs(): number | null;
  pickedMs(): number | null;
  pick(pick: Pick): void;
}

/** An opened session up to this long is shown whole. */
const SHORT_MS = 10 * 60_000;

export function createPanelModel(
  { series, nowMs, openEvents }: ChartPanelOptions,
  narrow: boolean,
): PanelModel {
  let live = nowMs?.() != null;
  const whole = !live && series.lastMs <= SHORT_MS && !narrow;
  const state = {
    name: (whole ? 'all' : narrow ? '1min' : '2.5min') as RangeName | null,
    custom: { fromMs: 0, toMs: 1 } as Range,
    hoverMs: null as number | null,
    pinMs: null as number | null,
    pickedMs: null as number | null,
  };
  const endMs = (): number => Math.max(series.lastMs, 1000);
  const range = (): Range =>
    state.name
      ? namedRange(state.name, { endMs: endMs(), live, aroundMs: live ? null : state.pinMs })
      : rangeWithin(state.custom, endMs());
  const show = (wanted: RangeName | Range): void => {
    if (typeof wanted === 'string') state.name = wanted;
    else Object.assign(state, { name: null, custom: rangeWithin(wanted, endMs()) });
  };
  return {
    catchUp() {
      const now = nowMs?.() ?? null;
      live = now !== null;
      if (now !== null) advanceTo(series, now);
      setOpenEvents(series, live && openEvents ? openEvents() : []);
      return live;
    },
    endMs,
    range,
    rangeName: () => state.name,
    show,
    hover: (atMs) => void (state.hoverMs = atMs),
    pin(atMs) {
      state.pinMs = atMs === null ? null : Math.min(Math.max(0, atMs), endMs());
      if (state.pinMs === null) return;
      const shown = range();
      if (state.pinMs < shown.fromMs || state.pinMs > shown.toMs)
        show(rangeShowing(shown, state.pinMs, endMs()));
    },
    cursorMs: () => state.hoverMs ?? state.pinMs,
    pinnedMs: () => state.pinMs,
    pickedMs: () => state.pickedMs,
    pick: ({ kind, atMs }) => void (state.pickedMs = kind === 'decision' ? atMs : null),
  };
}
