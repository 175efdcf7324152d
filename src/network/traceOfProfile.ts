import { failed, ok, type Result } from '../shared/result.ts';
import type { Profile } from './profile.ts';
import type { RateTrace } from './rateTrace.ts';

/** A trace always begins again, so a last step that stays is made longer than any session: a week. */
const FOR_EVER_MS = 7 * 24 * 3600 * 1000;

/**
 * The downlink of a profile as the simulator knows a path: rate and RTT over time. `notSimulated` names what is lost. Fails with
 * one sentence where the downlink has no limit, because a trace cannot say that, or never carries anything.
 */
export function traceOfProfile({ id, steps, repeat }: Profile): Result<RateTrace> {
  const rates = steps.map(({ downKbps }) => downKbps);
  if (rates.includes(null)) return failed(`Profile ${id}: Its downlink has no limit; a trace needs a rate.`);
  if (rates.every((rate) => rate === 0)) return failed(`Profile ${id}: Nothing would ever arrive.`);
  let atMs = 0;
  const endMs = steps.map(({ durationMs }) => (atMs += durationMs));
  if (!repeat || steps.length === 1) endMs[endMs.length - 1]! += FOR_EVER_MS;
  return ok({
    name: id,
    endMs: Float64Array.from(endMs),
    rateKbps: Float64Array.from(steps, ({ downKbps }) => downKbps ?? NaN),
    rttMs: Float64Array.from(steps, ({ rttMs }) => rttMs),
    startMs: 0,
  });
}
