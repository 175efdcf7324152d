const PREFIX = 'pitwall-session-';

/**
 * Holds the Web Lock of a session until the returned function is called or the page dies, so that no other tab takes
 * a session that is being recorded for one that was cut off. Throws when another page holds it. Where there are no
 * Web Locks (an insecure origin) the session is recorded all the same, unprotected.
 */
export async function holdSessionLock(sessionId: string): Promise<() => void> {
  const locks = webLocks();
  if (!locks) return () => undefined;
  return new Promise((resolve, reject) => {
    const held = (lock: Lock | null): Promise<void> | undefined => {
      if (lock) return new Promise((release) => resolve(release));
      reject(new Error(`session ${sessionId} is already being recorded in another tab`));
      return undefined;
    };
    locks.request(PREFIX + sessionId, { ifAvailable: true }, held).catch(reject);
  });
}

/** Sessions that some page of this origin is recording now. */
export async function liveSessionIds(): Promise<ReadonlySet<string>> {
  const { held = [] } = (await webLocks()?.query()) ?? {};
  const names = held.flatMap(({ name }) => (name?.startsWith(PREFIX) ? [name.slice(PREFIX.length)] : []));
  return new Set(names);
}

function webLocks(): LockManager | undefined {
  return (globalThis as { navigator?: { locks?: LockManager } }).navigator?.locks;
}
