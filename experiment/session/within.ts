/** Rejects after `limitMs`; a later result or error of `part` is ignored. @throws Error when the limit has passed */
export async function within<Value>(limitMs: number, part: Promise<Value>): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${limitMs / 1000} s`)), limitMs);
  });
  return Promise.race([part, late]).finally(() => clearTimeout(timer));
}

/** Counts the ms until a moment, below 0 after it. A system clock that is set meanwhile does not change them. */
export function countDown(atUnixMs: number): () => number {
  const endMs = performance.now() + atUnixMs - Date.now();
  return () => endMs - performance.now();
}
