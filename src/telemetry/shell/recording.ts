import { onEvents } from './onEvents.ts';
import { createRecorder, type Recorder } from '../recorder/recorder.ts';
import type { SessionEvent, SessionHeader } from '../schema/sessionLog.ts';
import type { SessionStore } from './store/sessionStore.ts';

/** Time between an event and its write, ms. With the write itself a crash costs less than a second. */
const FLUSH_MS = 800;

/** The recorder with its storage and its listeners. */
export interface Recording extends Recorder {
  subscribe(listener: (event: SessionEvent) => void): () => void;
  /** Writes what is not written yet. */
  flush(): Promise<void>;
  /** Returns what storage does not have, or may not have yet. */
  unwritten(): readonly SessionEvent[];
  /** Flushes for the last time. */
  close(): Promise<void>;
}

/**
 * Finished events go to the store within a second after they happened, together with the state of the unfinished
 * ones. Nothing else is kept: memory does not grow with the session.
 */
export function createRecording({
  part,
  store,
  header,
  carriedOver,
  onWriteFault,
}: {
  part: number;
  store: SessionStore;
  header: () => SessionHeader;
  /** Unfinished events of the part before a reload; they are finished as they are. */
  carriedOver: readonly SessionEvent[];
  /** Called the first time that storage refuses. */
  onWriteFault?: (fault: unknown) => void;
}): Recording {
  const listeners = new Set<(event: SessionEvent) => void>();
  const writer = createWriter(
    (events) => store.flush({ header: header(), events, open: recorder.openEvents() }),
    { first: carriedOver, onFault: onWriteFault },
  );
  const recorder = createRecorder({
    part,
    onEvent(event) {
      writer.add(event);
      for (const listener of listeners) notify(listener, event);
    },
  });
  const unhook = onLeaving(() => void writer.flush());
  return {
    ...recorder,
    keepOpen(draft, id) {
      recorder.keepOpen(draft, id);
      writer.flushSoon();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    flush: writer.flush,
    unwritten: writer.unwritten,
    close() {
      unhook();
      return writer.close();
    },
  };
}

interface Writer {
  add(event: SessionEvent): void;
  flushSoon(): void;
  flush(): Promise<void>;
  unwritten(): readonly SessionEvent[];
  close(): Promise<void>;
}

function createWriter(
  save: (events: readonly SessionEvent[]) => Promise<void>,
  { first, onFault }: { first: readonly SessionEvent[]; onFault: ((fault: unknown) => void) | undefined },
): Writer {
  let unwritten: SessionEvent[] = [...first];
  let writing: Promise<void> = Promise.resolve();
  let timer: ReturnType<typeof setTimeout> | null = null;
  let closed = false;
  let hasFailed = false;
  const write = async (): Promise<void> => {
    const events = [...unwritten];
    try {
      await save(events);
      unwritten = unwritten.slice(events.length);
    } catch (fault) {
      // Storage may be full or gone for a moment: the next flush tries again, oldest first.
      console.warn('Pitwall could not write the session:', fault);
      if (!hasFailed) onFault?.(fault);
      hasFailed = true;
    }
  };
  const flush = (): Promise<void> => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    writing = writing.then(write);
    return writing;
  };
  const flushSoon = (): void => {
    if (!closed) timer ??= setTimeout(() => void flush(), FLUSH_MS);
  };
  return {
    add(event) {
      unwritten.push(event);
      flushSoon();
    },
    flushSoon,
    flush,
    unwritten: () => unwritten,
    close() {
      closed = true;
      return flush();
    },
  };
}

/** A hidden page may never be seen again, and on phones gets no other notice. Returns the disposer. */
function onLeaving(flush: () => void): () => void {
  const onVisibility = (): void => {
    if (document.visibilityState === 'hidden') flush();
  };
  const offVisibility = onEvents(document, ['visibilitychange'], onVisibility);
  const offHide = onEvents(globalThis, ['pagehide'], flush);
  return () => {
    offVisibility();
    offHide();
  };
}

/** A listener that throws (a chart) must not cost an event or reach dash.js, nor must the page's own `reportError`. */
function notify(listener: (event: SessionEvent) => void, event: SessionEvent): void {
  try {
    listener(event);
  } catch (fault) {
    queueMicrotask(() => {
      throw fault;
    });
  }
}
