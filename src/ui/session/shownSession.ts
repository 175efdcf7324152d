import type { Diagnostics } from '../../analysis/diagnostics/diagnostics.ts';
import type { ChartPanel, ChartPanelOptions } from '../../charts/shell/chartPanel.ts';
import { type SessionSeries, createSeries } from '../../analysis/timeline/series.ts';
import { advanceTo, appendEvent, setOpenEvents } from '../../analysis/timeline/appendEvent.ts';
import { sceneOf } from '../../analysis/timeline/scene.ts';
import {
  type FileKind,
  type SessionSource,
  fileBlob,
  logSource,
  readStoredSource,
} from '../../telemetry/shell/store/sessionSource.ts';
import type { SessionStore } from '../../telemetry/shell/store/sessionStore.ts';
import type { SessionEvent, SessionHeader, SessionLog } from '../../telemetry/schema/sessionLog.ts';
import type { Telemetry } from '../../telemetry/shell/telemetry.ts';

/** What the views show, whether it is being recorded or was opened from a file: they need not know which. */
export interface ShownSession {
  readonly name: string;
  /** True while it grows. */
  growing(): boolean;
  readonly series: SessionSeries;
  /** null until the code for them is loaded. */
  diagnostics(): Diagnostics | null;
  header(): SessionHeader;
  /** The full event behind a row of the series; null while it is not finished. */
  event(id: string): Promise<SessionEvent | null>;
  file(kind: FileKind): Promise<Blob>;
  /** Session time while it is being recorded, null once that ended; absent for an opened session. */
  readonly nowMs?: () => number | null;
  /** What is unfinished now: requests in flight, a stall. */
  readonly openEvents?: () => readonly SessionEvent[];
}

/** A part of the page that draws a session. */
export interface View {
  /** Changes to another session, or to none. */
  show(session: ShownSession | null): void;
  /** Something may have happened since; called once a second, and not while the page is hidden. */
  update(): void;
}

/** What explains a session: charts, diagnostics, one event in words. It is loaded behind the first frame (sessionViews.ts). */
export interface SessionViews {
  mountChartPanel(host: HTMLElement, options: ChartPanelOptions): ChartPanel;
  createDiagnostics(header: SessionHeader): Diagnostics;
  /** `goTo` shows the moment of a finding, ms of the session. */
  diagnosticsPanel(goTo: (atMs: number) => void): View;
  /** One request, or one decision with its request; null: it is not finished. */
  viewOf(
    event: SessionEvent | null,
    request: SessionEvent | null,
    series: SessionSeries,
  ): readonly HTMLElement[];
  openedSession(log: SessionLog, name: string): ShownSession;
}

export type LoadSessionViews = () => Promise<SessionViews>;

export interface LiveSession extends ShownSession {
  /** The whole log so far; also after the end. */
  log(): Promise<SessionLog>;
  /** Brings the series up to now: open requests and the clock. */
  advance(): void;
  /** The recording ended; the session stays on show. */
  finish(): void;
}

/**
 * The session that this page records. What was recorded before this call, also by an earlier page, comes first: it is
 * read once `calm` resolves (the first frame), and what comes meanwhile waits for it. Diagnostics are loaded then, too.
 */
export function liveSession(
  telemetry: Telemetry,
  store: SessionStore,
  {
    calm,
    loadViews,
  }: { calm: Promise<void>; loadViews: () => Promise<Pick<SessionViews, 'createDiagnostics'>> },
): LiveSession {
  const header = telemetry.header();
  const series = createSeries(header.parts, sceneOf(header));
  const recent = recentEvents();
  const explained = laterDiagnostics(header, calm.then(loadViews));
  const take = (event: SessionEvent): void => {
    appendEvent(series, event);
    explained.append(event);
  };
  // Some diagnostics follow the order of recording.
  const received: SessionEvent[] = [];
  let recording = true;
  let starting = true;
  let isStored = true;
  telemetry.subscribe((event) => {
    recent.add(event);
    if (event.kind === 'error' && event.code === 'storage') isStored = false;
    if (starting) received.push(event);
    else take(event);
  });
  const catchUp = async (): Promise<void> => {
    await calm;
    for (const event of await eventsBefore(telemetry, received)) take(event);
    for (const event of received.splice(0)) take(event);
    starting = false;
  };
  catchUp().catch(reportError);
  return {
    name: 'this session',
    growing: () => recording,
    series,
    diagnostics: explained.diagnostics,
    header: () => telemetry.header(),
    event: async (id) => recent.find(id) ?? (await store.event(telemetry.sessionId, id)),
    log: () => telemetry.exportLog(),
    file: async (kind) => fileBlob(await wholeSource(telemetry, store, isStored && !recording), kind),
    nowMs: () => (recording ? telemetry.nowMs() : null),
    openEvents: () => telemetry.openEvents(),
    advance() {
      if (!recording) return;
      setOpenEvents(series, telemetry.openEvents());
      advanceTo(series, telemetry.nowMs());
    },
    finish() {
      setOpenEvents(series, telemetry.openEvents());
      recording = false;
    },
  };
}

/** Diagnostics whose code is on its way: what comes before it waits, in its order. */
function laterDiagnostics(
  header: SessionHeader,
  loading: Promise<Pick<SessionViews, 'createDiagnostics'>>,
): { append(event: SessionEvent): void; diagnostics(): Diagnostics | null } {
  let diagnostics: Diagnostics | null = null;
  let waiting: SessionEvent[] = [];
  let append = (event: SessionEvent): void => void waiting.push(event);
  const explain = ({ createDiagnostics }: Pick<SessionViews, 'createDiagnostics'>): void => {
    const made = createDiagnostics(header);
    for (const event of waiting) made.append(event);
    append = made.append;
    diagnostics = made;
    waiting = [];
  };
  loading.then(explain).catch(() => {
    // The session goes on without them: the charts, of the same chunk, say what is missing.
    append = () => undefined;
    waiting = [];
  });
  return { append: (event) => append(event), diagnostics: () => diagnostics };
}

/**
 * While it grows, the store is a second behind; afterwards it has everything, if the browser took it (`isInStore`), and needs
 * the least memory.
 */
const wholeSource = async (
  telemetry: Telemetry,
  store: SessionStore,
  isInStore: boolean,
): Promise<SessionSource> =>
  isInStore ? await readStoredSource(store, telemetry.sessionId) : logSource(await telemetry.exportLog());

/** What was recorded before the first event of `received`. */
async function eventsBefore(
  telemetry: Telemetry,
  received: readonly SessionEvent[],
): Promise<SessionEvent[]> {
  const { events } = await telemetry.exportLog();
  const later = new Set([...received, ...telemetry.openEvents()].map(({ id }) => id));
  return events.filter(({ id }) => !later.has(id));
}

/** The newest decisions and requests in full: the store knows an event only after its next flush. */
export function recentEvents(maxEvents = 256): {
  add(event: SessionEvent): void;
  find(id: string): SessionEvent | null;
} {
  const byId = new Map<string, SessionEvent>();
  return {
    add(event) {
      if (event.kind !== 'decision' && event.kind !== 'request') return;
      byId.set(event.id, event);
      if (byId.size <= maxEvents) return;
      const [oldest] = byId.keys();
      if (oldest !== undefined) byId.delete(oldest);
    },
    find: (id) => byId.get(id) ?? null,
  };
}
