/**
 * Does some work and measures its time on one core, ms. Where something else takes the core, wall time grows and
 * processor time does not; processor time in turn counts V8's own threads, which collect garbage on other cores. So the
 * lesser of the two.
 */
export function timedOnCore<Value>(work: () => Value): { readonly value: Value; readonly tookMs: number } {
  const cpuBefore = process.cpuUsage();
  const startMs = performance.now();
  const value = work();
  const elapsedMs = performance.now() - startMs;
  const { user, system } = process.cpuUsage(cpuBefore);
  return { value, tookMs: Math.min(elapsedMs, (user + system) / 1000) };
}
