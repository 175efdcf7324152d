import type { Network } from '../../../../experiment/plan/plan.ts';

/** Mean downlink rate of a network over its steps, kbit/s; null where a step has no limit. */
export function networkRate({ profile }: Network): number | null {
  let [kbit, lengthMs] = [0, 0];
  for (const { durationMs, downKbps } of profile.steps) {
    if (downKbps === null) return null;
    kbit += (downKbps * durationMs) / 1000;
    lengthMs += durationMs;
  }
  return lengthMs > 0 ? (1000 * kbit) / lengthMs : null;
}
