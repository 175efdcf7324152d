/** Sessions that wait at most; the oldest goes first. */
const MAX_WAITING = 20;
const MAX_AGE_MS = 7 * 86_400_000;

/** Beacons that no collector has acknowledged, in the storage of the page's origin: one for each session. */
export interface Spool {
  /** Keeps the newest beacon of a session. */
  keep(session: string, line: string): void;
  /** Removes a beacon that was acknowledged or refused; a newer one of its session stays. */
  drop(session: string, line: string): void;
  /** Returns what waits, oldest first. Removes what is too old or no beacon. */
  list(nowMs: number): { readonly session: string; readonly line: string }[];
  clear(): void;
}

type KeyedStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>;

/**
 * Opens the spool of a trial. Each session has a key of its own, so that two tabs do not write over each other. Without storage, and
 * where it is full, nothing is kept: a beacon that is not sent at once is lost.
 */
export function openSpool(trial: string, storage = pageStorage()): Spool {
  const prefix = `pitwall-trial:${trial}:`;
  const sessions = (): string[] =>
    Array.from({ length: storage.length }, (_, at) => storage.key(at) ?? '')
      .filter((key) => key.startsWith(prefix))
      .map((key) => key.slice(prefix.length));
  const remove = (session: string): void => storage.removeItem(prefix + session);
  const list = (nowMs: number): { session: string; line: string; startedMs: number }[] =>
    sessions()
      .flatMap((session) => {
        const line = storage.getItem(prefix + session) ?? '';
        const startedMs = startOf(line);
        if (startedMs !== null && nowMs - startedMs < MAX_AGE_MS) return [{ session, line, startedMs }];
        remove(session);
        return [];
      })
      .sort((one, other) => one.startedMs - other.startedMs);
  return {
    keep: quietly((session, line) => {
      storage.setItem(prefix + session, line);
      const waiting = list(startOf(line) ?? 0);
      for (const old of waiting.slice(0, -MAX_WAITING)) remove(old.session);
    }),
    drop: quietly((session, line) => {
      if (storage.getItem(prefix + session) === line) remove(session);
    }),
    list(nowMs) {
      try {
        return list(nowMs);
      } catch {
        return [];
      }
    },
    clear: quietly(() => {
      for (const session of sessions()) remove(session);
    }),
  };
}

/** What somebody else may have written there is no beacon. */
function startOf(line: string): number | null {
  try {
    const { startedMs } = JSON.parse(line) as { startedMs?: unknown };
    return typeof startedMs === 'number' ? startedMs : null;
  } catch {
    return null;
  }
}

/** Storage is refused in some private windows, and when it is full. */
const quietly =
  <Given extends unknown[]>(act: (...given: Given) => void) =>
  (...given: Given): void => {
    try {
      act(...given);
    } catch {
      return;
    }
  };

/** `localStorage`: written at once, also while the page goes away. */
function pageStorage(): KeyedStorage {
  try {
    return localStorage;
  } catch {
    return {
      length: 0,
      key: () => null,
      getItem: () => null,
      setItem: () => undefined,
      removeItem: () => undefined,
    };
  }
}
