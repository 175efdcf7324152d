import type { ChartPanel, ChartPanelOptions } from '../../charts/shell/chartPanel.ts';
import { byId } from '../dom.ts';
import type { SidePanel } from '../panels/sidePanel.ts';
import { firstFrame } from '../schedule.ts';
import type { LoadSessionViews, SessionViews, ShownSession, View } from './shownSession.ts';

/** What is on show: one session, its chart panel, and the views around it. */
export interface Stage {
  shown(): ShownSession | null;
  chartPanel(): ChartPanel | null;
  /** `atMs`: where the crosshair is pinned at first; null leaves it at the newest moment. */
  show(session: ShownSession | null, atMs?: number | null): void;
  update(): void;
}

export function stage({
  loadViews,
  panel,
  views: firstViews,
  onFault,
}: {
  /** Asked for when there is something to draw. */
  loadViews: LoadSessionViews;
  /** Follows the chart panel's crosshair. */
  panel: Pick<SidePanel, 'cursor' | 'pick'>;
  /** Those that are there from the start. */
  views: readonly View[];
  onFault: (sentence: string) => void;
}): Stage {
  const host = byId('stack', HTMLElement);
  const video = byId('video', HTMLVideoElement);
  let session: ShownSession | null = null;
  let chartPanel: ChartPanel | null = null;
  let turn = 0;
  let views = firstViews;
  const load = async (): Promise<SessionViews> => {
    const loaded = await loadViews();
    if (views === firstViews) {
      const diagnostics = loaded.diagnosticsPanel((atMs) => chartPanel?.setCursor(atMs));
      diagnostics.show(session);
      views = [...firstViews, diagnostics];
    }
    return loaded;
  };
  // Ahead of need, but behind the first frame of a stream that starts by itself. A failure is reported when it matters.
  void firstFrame(video).then(() => load().catch(() => {}));
  const mountFor = async (shown: ShownSession, mine: number, atMs: number | null): Promise<void> => {
    if (shown.growing()) await firstFrame(video);
    const { mountChartPanel } = await load();
    // Something else may be on show by now.
    if (mine !== turn) return;
    chartPanel = mountChartPanel(host, optionsOf(shown, panel));
    if (!shown.growing()) chartPanel.setRange('all');
    if (atMs !== null) chartPanel.setCursor(atMs);
  };
  return {
    shown: () => session,
    chartPanel: () => chartPanel,
    show(next, atMs = null) {
      chartPanel?.dispose();
      [chartPanel, session] = [null, next];
      turn += 1;
      for (const view of views) view.show(next);
      showHost(host, next !== null);
      // A chart that cannot be drawn must not end playback or its recording.
      if (next)
        mountFor(next, turn, atMs).catch((fault: unknown) => {
          host.replaceChildren();
          onFault(`The charts could not be drawn; playback continues. ${String(fault)}`);
        });
    },
    update() {
      for (const view of views) view.update();
      chartPanel?.redraw();
    },
  };
}

function showHost(host: HTMLElement, shown: boolean): void {
  host.hidden = !shown;
  byId('stack-empty', HTMLElement).hidden = shown;
}

function optionsOf(shown: ShownSession, panel: Pick<SidePanel, 'cursor' | 'pick'>): ChartPanelOptions {
  return {
    series: shown.series,
    onCursor: panel.cursor,
    onPick: panel.pick,
    ...(shown.nowMs && { nowMs: shown.nowMs }),
    ...(shown.openEvents && { openEvents: shown.openEvents }),
  };
}
