import { errorDraft } from '../errorDraft.ts';
import type { Draft, ErrorEvent, EventKind } from '../event.ts';
import type { Fault } from '../schema/checkOf.ts';
import { fittedEvent } from '../schema/fitted.ts';
import { formatFault } from '../schema/recordFault.ts';
import type { SessionEvent } from '../schema/sessionLog.ts';

/** Takes drafts, gives them ids and hands events on. Knows no clock, no storage and no DOM. */
export interface Recorder {
  /** An id for an event that is recorded later (a request in flight that a decision wants to name). */
  reserveId(kind: EventKind): string;
  /**
   * The event is written as the log's schema allows it, whatever a manifest or server said (`fitted`); the first change of each
   * field is an `error` event of its own. Answers with the event as it is in the log.
   */
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

/** Letters of ids; a kind that is not here has its first letter. No two have the same. */
const LETTERS: Readonly<Partial<Record<EventKind, string>>> = {
  'rule-input': 't',
  rule: 'u',
  switch: 'w',
  seek: 'k',
  resize: 'z',
  probe: 'q',
  steering: 'g',
  'steering-input': 'h',
  transport: 'x',
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
  const reported = new Set<string>();
  const reserveId = (kind: EventKind): string => {
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    const letter = LETTERS[kind] ?? kind.charAt(0);
    return part === 0 ? `${letter}${count}` : `${letter}${part + 1}-${count}`;
  };
  const tell = (event: SessionEvent, faults: readonly Fault[], isKept: boolean): void => {
    for (const fault of faults) {
      const field = `${event.kind} ${fault.path.replaceAll(/\/\d+/g, '')}`;
      if (reported.has(field) || reported.size >= MAX_REPORTED) continue;
      reported.add(field);
      record(outOfRange(event, fault, isKept));
    }
  };
  const record = (draft: Draft, id = reserveId(draft.kind)): SessionEvent => {
    const whole = { ...draft, id } as SessionEvent;
    const { value, faults } = fittedEvent(whole);
    open.delete(id);
    if (value) onEvent(value);
    tell(whole, faults, value !== null);
    return value ?? whole;
  };
  return {
    reserveId,
    record,
    keepOpen(draft, id) {
      const { value } = fittedEvent({ ...draft, id } as SessionEvent);
      if (value) open.set(id, value);
    },
    drop: (id) => void open.delete(id),
    openEvents: () => [...open.values()],
  };
}

/** Fields whose change is reported: dictionaries have names from outside, and a log must not fill with these. */
const MAX_REPORTED = 100;

/** Says what the log could not hold. Fits itself: its words are short, and its time is clamped. */
function outOfRange({ kind, atMs }: SessionEvent, fault: Fault, isKept: boolean): Draft<ErrorEvent> {
  const what = isKept ? 'the log has the nearest value' : 'the event is left out';
  const message = `A log cannot hold the values of this ${kind} event, so ${what}: ${formatFault(fault)}`;
  return errorDraft({ atMs: atMs >= 0 ? atMs : 0, source: 'telemetry', code: 'out-of-range', message });
}
