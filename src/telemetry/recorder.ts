import type { Draft, EventKind } from './event.ts';
import type { SessionEvent } from './schema/sessionLog.ts';

/** Takes drafts, gives them ids and hands events on. Knows no clock, no storage and no DOM. */
export interface Recorder {
  /** An id for an event that is recorded later (a request in flight that a decision wants to name). */
  reserveId(kind: EventKind): string;
  record(draft: Draft, id?: string): SessionEvent;
  /**
   * Keeps the present state of something unfinished (a request in flight, a stall) so that a crash loses nothing:
   * storage saves it with each flush, and a rescued log ends with it. Recording the same id closes it.
   */
  keepOpen(draft: Draft, id: string): void;
  drop(id: string): void;
  /** What is unfinished now. */
  openEvents(): SessionEvent[];
}

const PREFIX: Record<EventKind, string> = {
  manifest: 'm',
  ladder: 'l',
  request: 'r',
  decision: 'd',
  told: 't',
  rule: 'u',
  switch: 'w',
  buffer: 'b',
  stall: 's',
  seek: 'k',
  frames: 'f',
  playback: 'p',
  visibility: 'v',
  probe: 'q',
  transport: 'x',
  error: 'e',
};

/**
 * `part` keeps ids unique across reloads: the second page load of a session writes `r2-1`, not `r1` again.
 * `onEvent` is called once per finished event, in recording order.
 */
export function createRecorder({
  part = 0,
  onEvent,
}: {
  part?: number;
  onEvent: (event: SessionEvent) => void;
}): Recorder {
  const counts = new Map<EventKind, number>();
  const open = new Map<string, SessionEvent>();
  const reserveId = (kind: EventKind): string => {
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    return part === 0 ? `${PREFIX[kind]}${count}` : `${PREFIX[kind]}${part + 1}-${count}`;
  };
  return {
    reserveId,
    record(draft, id = reserveId(draft.kind)) {
      const event = { ...draft, id } as SessionEvent;
      open.delete(id);
      onEvent(event);
      return event;
    },
    keepOpen: (draft, id) => void open.set(id, { ...draft, id } as SessionEvent),
    drop: (id) => void open.delete(id),
    openEvents: () => [...open.values()],
  };
}
