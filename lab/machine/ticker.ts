import { TICK_MS } from './machineSample.ts';

/** Called with the clock, and how late the timer came. */
export type Listener = (atMs: number, delayMs: number) => void;

const listeners = new Set<Listener>();
let timer: NodeJS.Timeout | undefined;

/** One timer for the whole process, while somebody listens. Returns what ends the listening. */
export function onTick(listener: Listener): () => void {
  listeners.add(listener);
  if (listeners.size === 1) wait();
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) clearTimeout(timer);
  };
}

/** Each from the one before, so that a late one does not make the next early. Nobody's process lives on for it. */
function wait(): void {
  const dueMs = performance.now() + TICK_MS;
  timer = setTimeout(() => {
    const atMs = performance.now();
    wait();
    for (const listener of listeners) listener(atMs, Math.max(0, atMs - dueMs));
  }, TICK_MS);
  timer.unref();
}
