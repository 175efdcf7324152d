import { setTimeout as passed } from 'node:timers/promises';

/** A browser that starts takes two cores for about this long. */
const APART_MS = 4000;

let hasBegun = false;

/**
 * Waits before the first session of a worker, the longer the higher its number (from 0): workers that began together would
 * start their browsers together again and again, and every session would feel it.
 */
export async function beginApart(worker: number): Promise<void> {
  const isFirst = !hasBegun;
  hasBegun = true;
  if (isFirst) await passed(worker * APART_MS);
}
