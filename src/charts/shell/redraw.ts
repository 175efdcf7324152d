import type { SessionSeries } from '../../analysis/timeline/series.ts';
import type { LaneView } from './laneView.ts';
import type { PanelModel } from './panelModel.ts';
import type { PanelScreen } from './panelScreen.ts';

/** Brings the page up to date with the series: draws what changed and is seen. `RedrawPolicy` decides when. */
export interface PanelDrawing {
  /** Draws what changed and is seen; says whether the session is still being recorded. */
  draw(): boolean;
  /** Moves crosshair and numbers, at most once per frame; no chart is redrawn. */
  place(): void;
  /** Tokens or sizes changed: everything is drawn anew next time. */
  restyle(): void;
  dispose(): void;
}

export function createPanelDrawing({
  series,
  model,
  screen,
  lanes,
  isSeen,
}: {
  series: SessionSeries;
  model: PanelModel;
  screen: PanelScreen;
  lanes: readonly LaneView[];
  isSeen: (lane: LaneView) => boolean;
}): PanelDrawing {
  const stale = new Set<LaneView>(lanes);
  let shown = '';
  let drawnToMs = 0;
  let frame = 0;
  const place = (): void =>
    screen.place(series, { atMs: model.cursorMs(), pickedMs: model.pickedMs(), range: model.range() });
  return {
    draw() {
      const live = model.catchUp();
      const range = model.range();
      const now = `${range.fromMs} ${range.toMs} ${screen.widthPx()}`;
      const changedMs = Math.min(series.touchedFromMs, drawnToMs);
      if (now !== shown || changedMs <= range.toMs) for (const lane of lanes) stale.add(lane);
      for (const lane of lanes) lane.admit(series);
      const due = lanes.filter((lane) => stale.has(lane) && !lane.folded() && isSeen(lane));
      // The axis of a young session is longer than the session, and the overview's is the same.
      const endMs = Math.max(model.endMs(), range.toMs);
      screen.draw(series, { range, endMs, name: model.rangeName(), lanes: due });
      for (const lane of due) stale.delete(lane);
      [shown, drawnToMs, series.touchedFromMs] = [now, series.lastMs, Infinity];
      place();
      return live;
    },
    place() {
      frame ||= requestAnimationFrame(() => {
        frame = 0;
        place();
      });
    },
    restyle() {
      screen.restyle();
      shown = '';
    },
    dispose: () => cancelAnimationFrame(frame),
  };
}

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

/** Calls back with whether the page shows `host` at all: not in a hidden tab, not scrolled away. */
function whenSeen(host: Element, onChange: (seen: boolean) => void): () => void {
  let onScreen = true;
  const tell = (): void => onChange(onScreen && !document.hidden);
  const observer = new IntersectionObserver((entries) => {
    onScreen = entries.at(-1)?.isIntersecting ?? true;
    tell();
  });
  observer.observe(host);
  document.addEventListener('visibilitychange', tell);
  return () => {
    observer.disconnect();
    document.removeEventListener('visibilitychange', tell);
  };
}

/** Which lanes are on screen or nearly so. */
export function seenOf(
  lanes: readonly { readonly element: Element }[],
  onAppear: () => void,
): { has(lane: { readonly element: Element }): boolean; dispose(): void } {
  const seen = new Set<Element>();
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries)
        if (isIntersecting) seen.add(target);
        else seen.delete(target);
      if (entries.some(({ isIntersecting }) => isIntersecting)) onAppear();
    },
    { rootMargin: '80px' },
  );
  for (const { element } of lanes) observer.observe(element);
  return { has: ({ element }) => seen.has(element), dispose: () => observer.disconnect() };
}

/** Follows what the page does to the chart panel: hidden or seen, wider or narrower, light or dark. Returns the disposer. */
export function listenToPage({
  host,
  drawing,
  policy,
}: {
  host: HTMLElement;
  drawing: PanelDrawing;
  policy: RedrawPolicy;
}): () => void {
  const restyle = (): void => {
    drawing.restyle();
    policy.now();
  };
  const abort = new AbortController();
  const dark = matchMedia('(prefers-color-scheme: dark)');
  dark.addEventListener('change', restyle, { signal: abort.signal });
  const observer = new ResizeObserver(restyle);
  observer.observe(host);
  const unwatch = whenSeen(host, (seen) => policy.setVisible(seen));
  return () => {
    abort.abort();
    observer.disconnect();
    unwatch();
  };
}
