import '../../src/ui/tokens.css';
import { MediaPlayer } from 'dashjs';
import { createDiagnostics } from '../../src/analysis/diagnostics/diagnostics.ts';
import { mountChartPanel } from '../../src/charts/shell/mountChartPanel.ts';
import { attachTelemetry } from '../../src/telemetry/shell/attachTelemetry.ts';
import { createIndexedDbStore } from '../../src/telemetry/shell/store/indexedDbStore.ts';
import type { SessionStore } from '../../src/telemetry/shell/store/sessionStore.ts';
import { liveSession } from '../../src/ui/session/shownSession.ts';
import { recordDay, type DayOptions } from './day/recordDay.ts';

/** What the bench does with this page. */
export interface DayBench {
  /** Records the next segments; resolves with the events recorded so far once they are written. */
  record(segments: number): Promise<{ events: number; requests: number; done: boolean }>;
  /** Draws every lane over the last `shownMs` of the session, or all of it. `step` makes each range a new one. */
  redraw(shownMs: number | null, step: number): void;
  /** Reads back a few events by id, so that a store that lost them is noticed. */
  stored(): Promise<number>;
}

declare global {
  var day: Promise<DayBench> | undefined;
}

globalThis.day = startDay(JSON.parse(new URLSearchParams(location.search).get('day') ?? '') as DayOptions);

/**
 * The page's own path: telemetry of a dash.js player that plays nothing, its recorder, IndexedDB, the live session's
 * series, and the chart panel. Only where the drafts come from is made up.
 */
async function startDay(options: DayOptions): Promise<DayBench> {
  const [video, host] = [document.querySelector('video'), document.querySelector('main')];
  if (!video || !host) throw new Error('the bench page has no video or no main');
  const written = countWrites(createIndexedDbStore());
  const telemetry = await attachTelemetry(MediaPlayer().create(), video, { store: written.store });
  const session = liveSession(telemetry, written.store, {
    calm: Promise.resolve(),
    loadViews: () => Promise.resolve({ createDiagnostics }),
  });
  const panel = mountChartPanel(host, { series: session.series });
  const count = { events: 0, requests: 0 };
  telemetry.subscribe(({ kind }) => {
    count.events += 1;
    if (kind === 'request') count.requests += 1;
  });
  const segments = recordDay(options, telemetry.record);
  return {
    async record(max) {
      let done = false;
      for (let left = max; left > 0 && !done; left -= 1) done = segments.next().done === true;
      await written.caughtUp(() => count.events);
      return { ...count, done };
    },
    redraw(shownMs, step) {
      const toMs = session.series.lastMs - step;
      panel.setRange({ fromMs: shownMs === null ? step : toMs - shownMs, toMs });
    },
    async stored() {
      let events = 0;
      for await (const batch of written.store.events(telemetry.sessionId)) events += batch.length;
      return events;
    },
  };
}

/** A store that says when all that was recorded is written: a day must not pile up in memory before it. */
function countWrites(inner: SessionStore): {
  readonly store: SessionStore;
  caughtUp(wanted: () => number): Promise<void>;
} {
  let written = 0;
  let wake: () => void = () => undefined;
  return {
    store: {
      ...inner,
      async flush(update) {
        await inner.flush(update);
        written += update.events.length;
        wake();
      },
    },
    async caughtUp(wanted) {
      while (written < wanted()) await new Promise<void>((resolve) => (wake = resolve));
    },
  };
}
