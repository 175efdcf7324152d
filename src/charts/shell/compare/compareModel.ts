import type { Comparison } from '../../compare/compareLane.ts';
import { rangeShowing, rangeWithin, type Range } from '../../range.ts';

/** What the comparison panel shows and where its crosshair is. Knows no element of the page. */
interface CompareModel {
  comparison(): Comparison | null;
  endMs(): number;
  /** What is shown; all where nothing was chosen. */
  shown(): Range;
  /** null while all is shown. */
  range(): Range | null;
  pinMs(): number | null;
  show(comparison: Comparison, range: Range | null): void;
  setRange(wanted: Range | null): void;
  /** Pins the crosshair inside the sessions, and moves the range until it is seen; says whether it moved. */
  pin(axisMs: number | null): boolean;
  /** Where zooming without a pointer leaves things as they are: the crosshair, or else the middle. */
  middleMs(): number;
}

const MIN_MS = 1000;

export function createCompareModel(): CompareModel {
  const state = {
    comparison: null as Comparison | null,
    range: null as Range | null,
    pinMs: null as number | null,
  };
  const endMs = (): number =>
    Math.max(MIN_MS, ...(state.comparison?.sessions.map(({ time }) => time.endMs) ?? []));
  const shown = (): Range => state.range ?? { fromMs: 0, toMs: endMs() };
  const setRange = (wanted: Range | null): void => {
    const range = wanted && rangeWithin(wanted, endMs());
    state.range = range === null || range.toMs - range.fromMs >= endMs() - 1 ? null : range;
  };
  return {
    comparison: () => state.comparison,
    endMs,
    shown,
    setRange,
    range: () => state.range,
    pinMs: () => state.pinMs,
    show(comparison, range) {
      state.comparison = comparison;
      setRange(range);
    },
    pin(axisMs) {
      state.pinMs = axisMs === null ? null : Math.min(Math.max(0, axisMs), endMs());
      if (state.pinMs === null || state.range === null) return false;
      const before = state.range;
      setRange(rangeShowing(before, state.pinMs, endMs()));
      return state.range?.fromMs !== before.fromMs;
    },
    middleMs() {
      const { fromMs, toMs } = shown();
      const { pinMs } = state;
      return pinMs !== null && pinMs >= fromMs && pinMs <= toMs ? pinMs : (fromMs + toMs) / 2;
    },
  };
}

/** A range after zooming: `factor` below 1 shows less, with `aboutMs` where it was on the screen. */
export function zoomedRange(
  { fromMs, toMs }: Range,
  { factor, aboutMs, endMs }: { factor: number; aboutMs: number; endMs: number },
): Range {
  const lengthMs = Math.min((toMs - fromMs) * factor, Math.max(endMs, 1));
  const share = (aboutMs - fromMs) / (toMs - fromMs);
  const from = aboutMs - share * lengthMs;
  return rangeWithin({ fromMs: Math.max(0, from), toMs: Math.max(0, from) + lengthMs }, endMs);
}

/** A range of the same length, moved; it stops at both ends. */
export function pannedRange({ fromMs, toMs }: Range, byMs: number, endMs: number): Range {
  const from = Math.min(Math.max(0, fromMs + byMs), Math.max(0, endMs - (toMs - fromMs)));
  return { fromMs: from, toMs: from + toMs - fromMs };
}
