/** A queue that CoDel manages, as RFC 8289 §5 has it, on paper: what a link ought to do with packets that come at given times. */
interface CodelOptions {
  /** Transmission of one packet; all have the same size. */
  readonly packetMs: number;
  readonly limitPackets: number;
}

/** RFC 8289 §4.2 and §4.3, and the defaults of Linux and Rattan. */
export const TARGET_MS = 5;
export const INTERVAL_MS = 100;

interface Queue {
  /** Arrival times by number. */
  readonly atMs: readonly number[];
  readonly options: CodelOptions;
  /** Numbers of those that wait, oldest first, from `head` on. */
  readonly waiting: number[];
  head: number;
  /** §5.5's variables: when the delay will have been above the target for an interval, and the drops so far. */
  firstAboveMs: number | null;
  isDropping: boolean;
  dropNextMs: number;
  count: number;
  lastCount: number;
}

/**
 * How long each packet waits before its transmission begins, in ms; null for those that never come to it. `atMs` are their
 * arrivals, ascending.
 */
export function codelQueue(atMs: readonly number[], options: CodelOptions): (number | null)[] {
  const waitedMs: (number | null)[] = atMs.map(() => null);
  const queue: Queue = {
    atMs,
    options,
    waiting: [],
    head: 0,
    firstAboveMs: null,
    isDropping: false,
    dropNextMs: 0,
    count: 0,
    lastCount: 0,
  };
  let freeAtMs = 0;
  const serveUntil = (untilMs: number): void => {
    while (queue.head < queue.waiting.length) {
      const nowMs = Math.max(freeAtMs, atMs[queue.waiting[queue.head]!]!);
      if (nowMs > untilMs) return;
      const number = next(queue, nowMs);
      if (number === null) return;
      waitedMs[number] = nowMs - atMs[number]!;
      freeAtMs = nowMs + options.packetMs;
    }
  };
  atMs.forEach((arrivalMs, number) => {
    serveUntil(arrivalMs);
    if (queue.waiting.length - queue.head < options.limitPackets) queue.waiting.push(number);
  });
  serveUntil(Infinity);
  return waitedMs;
}

/** The packet that is sent now, after those that are dropped now; null when none is left. */
function next(queue: Queue, nowMs: number): number | null {
  let taken = take(queue, nowMs);
  if (!queue.isDropping) return taken.isLate ? enterDropping(queue, nowMs) : taken.number;
  queue.isDropping = taken.isLate;
  while (queue.isDropping && nowMs >= queue.dropNextMs) {
    queue.count += 1;
    taken = take(queue, nowMs);
    queue.isDropping = taken.isLate;
    if (queue.isDropping) queue.dropNextMs = lawMs(queue, queue.dropNextMs);
  }
  return taken.number;
}

/** Drops the one that was just taken. A queue that was bad a short while ago is dropped from as fast as it was then. */
function enterDropping(queue: Queue, nowMs: number): number | null {
  const { number } = take(queue, nowMs);
  const sinceLast = queue.count - queue.lastCount;
  const isRecent = nowMs - queue.dropNextMs < 16 * INTERVAL_MS;
  queue.count = sinceLast > 1 && isRecent ? sinceLast : 1;
  queue.lastCount = queue.count;
  queue.isDropping = true;
  queue.dropNextMs = lawMs(queue, nowMs);
  return number;
}

/** §5.4: the more drops did not help, the sooner comes the next. */
const lawMs = ({ count }: Queue, fromMs: number): number => fromMs + INTERVAL_MS / Math.sqrt(count);

interface Taken {
  readonly number: number | null;
  /** It, and all before it for an interval, waited longer than the target. */
  readonly isLate: boolean;
}

function take(queue: Queue, nowMs: number): Taken {
  const number = queue.waiting[queue.head] ?? null;
  if (number !== null) queue.head += 1;
  const left = queue.waiting.length - queue.head;
  // What is left is one packet at most: the target cannot be met by dropping (§5.5 compares bytes with a packet).
  if (number === null || nowMs - queue.atMs[number]! < TARGET_MS || left <= 1) {
    queue.firstAboveMs = null;
    return { number, isLate: false };
  }
  if (queue.firstAboveMs === null) {
    queue.firstAboveMs = nowMs + INTERVAL_MS;
    return { number, isLate: false };
  }
  return { number, isLate: nowMs >= queue.firstAboveMs };
}
