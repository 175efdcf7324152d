import type { Draft, MissingReason, RequestEvent } from '../../event.ts';
import { joinResourceTiming, type SentRequest } from '../../join/joinResourceTiming.ts';
import {
  requestDraft,
  type RequestAnswer,
  type RequestFacts,
  type RequestPurpose,
  type RequestSurroundings,
} from '../../join/requestDraft.ts';
import type { RequestRanges, TimedRequest } from '../../join/requestRanges.ts';
import type { TimingEntry } from '../../join/resourceTiming.ts';
import { parseUrl } from '../parseUrl.ts';
import type { Recording } from '../recording.ts';
import { observeResources, OF_SCRIPTS, type ResourceEntries } from './observeResources.ts';

/** How long an ended request waits for its Resource Timing entry, ms. Seen: there at the end, fetch a task later. */
const ENTRY_WAIT_MS = 1000;

interface AskedRequest {
  readonly url: string;
  readonly method: string;
  readonly range: string | null;
  readonly attempt: number;
  readonly purpose: RequestPurpose;
  /** Filled while the body arrives; absent where nobody counts. */
  readonly progress?: NonNullable<RequestFacts['progress']>;
}

/** A request on its way through the book. Only the book writes it. */
export interface RequestEntry extends AskedRequest, TimedRequest {
  readonly askedMs: number;
  id: string | null;
  url: string;
  /** Until it is sent, when it was asked for. */
  sentMs: number;
  answer: RequestAnswer | null;
  /** Those in which it went out, where it did. */
  sentRanges?: RequestRanges;
}

/** Every request from asking to the log, joined with its Resource Timing entry. */
export interface RequestBook {
  ask(asked: AskedRequest): RequestEntry;
  /** The last moment before sending, with the URL as it is sent. */
  sending(entry: RequestEntry, url: string): void;
  /** It is out: from here on it is a request of the page, whatever becomes of it. */
  sent(entry: RequestEntry): void;
  /** Called again for an aborted request, the abort was the player's own progress time-out. */
  end(entry: RequestEntry, ended: { url: string; answer: RequestAnswer }): void;
  /** Resolves when no request is in flight and all are recorded. */
  drained(): Promise<void>;
  /** Records what is left as it is. */
  close(): void;
}

export function createRequestBook({
  recording,
  onSent,
  takeOthers,
  ...around
}: {
  recording: Pick<Recording, 'reserveId' | 'record' | 'keepOpen'>;
  onSent: (entry: RequestEntry & { id: string }) => void;
  /** Gets the entries that no request here owns; says which it took. */
  takeOthers: (entries: readonly TimingEntry[]) => readonly TimingEntry[];
} & RequestSurroundings): RequestBook {
  const open = new Set<RequestEntry>();
  const pending = createPendingRequests(open, {
    takeOthers,
    record(entry) {
      if (entry.id !== null) recording.record(draftOf(entry, around), entry.id);
    },
  });
  return {
    ask: (asked) => ({
      ...asked,
      askedMs: performance.now(),
      sentMs: performance.now(),
      id: null,
      answer: null,
      timing: null,
    }),
    sending(entry, url) {
      entry.url = absolute(url);
      entry.sentMs = performance.now();
    },
    sent(entry) {
      if (entry.id !== null) return;
      entry.id = recording.reserveId('request');
      open.add(entry);
      recording.keepOpen(draftOf(entry, around), entry.id);
      onSent(entry as RequestEntry & { id: string });
    },
    end(entry, { url, answer }) {
      const again = entry.answer?.outcome === 'aborted';
      entry.url = absolute(url);
      entry.answer = again ? { ...answer, outcome: 'timeout' } : answer;
      // The player's own progress time-out aborts first and reports the end in the same task.
      if (answer.outcome === 'aborted' && !again) setTimeout(() => pending.settle(entry));
      else pending.settle(entry);
      setTimeout(() => pending.settle(entry, 'no-entry'), ENTRY_WAIT_MS);
    },
    drained: pending.drained,
    close: pending.close,
  };
}

/** With what is known of the timing of a request that has ended, and of its ranges. */
function draftOf(entry: RequestEntry, around: RequestSurroundings): Draft<RequestEvent> {
  const { answer, sentRanges, timing } = entry;
  const ranges = answer && sentRanges?.recorded(around.sessionMs);
  return requestDraft({ ...entry, ...(ranges ?? { timing: timing ?? 'in-flight' }) }, around);
}

/** A request has one Resource Timing entry, or one for each of its ranges. */
const timedIn = (entry: RequestEntry): readonly TimedRequest[] => entry.sentRanges?.sent ?? [entry];

interface PendingRequests {
  /** Records an ended request if its entry is there, or without one if a reason is given. */
  settle(entry: RequestEntry, otherwise?: MissingReason): void;
  drained(): Promise<void>;
  close(): void;
}

function createPendingRequests(
  open: Set<RequestEntry>,
  {
    record,
    takeOthers,
  }: {
    record: (entry: RequestEntry) => void;
    takeOthers: (entries: readonly TimingEntry[]) => readonly TimingEntry[];
  },
): PendingRequests {
  let idle: (() => void)[] = [];
  const resources = observeResources(OF_SCRIPTS, () => {
    settleEnded();
    for (const entry of takeOthers(resources.current())) resources.claim(entry);
  });
  const take = (entry: RequestEntry): void => {
    open.delete(entry);
    record(entry);
    // What was unclear may be clear now.
    settleEnded();
    if (open.size > 0) return;
    for (const resolve of idle) resolve();
    idle = [];
  };
  const settle = (entry: RequestEntry, otherwise?: MissingReason): void => {
    if (!open.has(entry)) return;
    // What is unclear of one range may be clear when the others have their entries.
    for (const reason of otherwise ? [undefined, otherwise] : [undefined])
      for (const one of timedIn(entry)) one.timing ??= timingOf(one, { open, resources, otherwise: reason });
    if (timedIn(entry).every(({ timing }) => timing !== null)) take(entry);
  };
  const settleEnded = (): void => [...open].filter(({ answer }) => answer).forEach((entry) => settle(entry));
  return {
    settle,
    drained: () => (open.size === 0 ? Promise.resolve() : new Promise((resolve) => idle.push(resolve))),
    close() {
      for (const entry of [...open]) settle(entry, 'no-entry');
      resources.dispose();
    },
  };
}

/** The entry of what has ended, which is then claimed; null while it has none, unless a reason is given. */
function timingOf(
  one: TimedRequest,
  {
    open,
    resources,
    otherwise,
  }: { open: ReadonlySet<RequestEntry>; resources: ResourceEntries; otherwise: MissingReason | undefined },
): TimedRequest['timing'] {
  const waiting = [...open]
    .flatMap(timedIn)
    .filter(({ timing }) => timing === null)
    .sort((a, b) => a.sentMs - b.sentMs);
  const requests = waiting.map(sentRequestOf);
  const mine = requests[waiting.indexOf(one)]!;
  const joined = joinResourceTiming(mine, {
    requests,
    entries: resources.current(),
    nowMs: performance.now(),
  });
  if (joined === 'unclear') return otherwise ? 'range-ambiguous' : null;
  if (joined === 'none') return otherwise ?? null;
  resources.claim(joined);
  return joined;
}

function sentRequestOf({ url, sentMs, answer }: TimedRequest): SentRequest {
  const complete = answer?.outcome === 'ok' || answer?.outcome === 'http-error';
  return {
    url,
    sentMs,
    endMs: answer?.endMs ?? null,
    complete,
    bodyBytes: complete ? answer.receivedBytes : null,
  };
}

/** As Resource Timing names it: absolute and without fragment. A URL that is none stays what it is. */
function absolute(url: string): string {
  const parsed = parseUrl(url, document.baseURI);
  if (!parsed) return url;
  parsed.hash = '';
  return parsed.href;
}
