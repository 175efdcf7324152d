/** Never more often, whoever asks (architecture: charts redraw at most 4 times a second). */
const MIN_GAP_MS = 250;
/** What merely happened is shown once a second: people read numbers, not frames. */
const CALM_GAP_MS = 1000;

export interface RedrawPolicy {
  /** Data changed: drawn within a second. */
  soon(): void;
  /** A person acted: drawn at once, if the last drawing is a quarter of a second old. */
  now(): void;
  /** Nothing is drawn while hidden; what was missed is drawn on return. */
  setVisible(visible: boolean): void;
  dispose(): void;
}

/** Decides when `draw` runs. The clock is `performance.now`. */
export function createRedrawPolicy(draw: () => void): RedrawPolicy {
  const state = { visible: true, wanted: false, lastMs: -Infinity, dueMs: Infinity };
  let timer: ReturnType<typeof setTimeout> | undefined;
  const run = (): void => {
    clearTimeout(timer);
    Object.assign(state, { wanted: false, dueMs: Infinity, lastMs: performance.now() });
    draw();
  };
  const ask = (gapMs: number): void => {
    state.wanted = true;
    const dueMs = Math.max(performance.now(), state.lastMs + gapMs);
    if (!state.visible || dueMs >= state.dueMs) return;
    state.dueMs = dueMs;
    clearTimeout(timer);
    timer = setTimeout(run, dueMs - performance.now());
  };
  return {
    soon: () => ask(CALM_GAP_MS),
    now: () => ask(MIN_GAP_MS),
    setVisible(visible) {
      state.visible = visible;
      if (visible && state.wanted) return ask(MIN_GAP_MS);
      clearTimeout(timer);
      state.dueMs = Infinity;
    },
    dispose: () => clearTimeout(timer),
  };
}
