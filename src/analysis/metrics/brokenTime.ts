import { eventsOf } from '../eventsOf.ts';
import { logEndMs } from '../logEndMs.ts';
import type { Metric } from '../metric.ts';
import { unmeasured } from '../unmeasured.ts';

/** How long the browser had QUIC written off. */
export const brokenTime: Metric = {
  id: 'broken-time',
  label: 'Alt-Svc broken',
  meaning:
    'time within the session in which the browser had marked the Alt-Svc of a requested host as broken and therefore did not try QUIC; overlapping periods of several hosts count once',
  unit: 'ms',
  better: 'lower',
  paper: 'Chaudhary et al., IEEE TNSM 21(3), 2024, §IV (the alternate job is marked as broken)',
  unknown: 'there is no NetLog of the session',
  of(log) {
    const reported = eventsOf(log, 'transport').filter(({ source }) => source === 'netlog');
    if (reported.length === 0) return unmeasured('There is no NetLog of this session.');
    const endMs = logEndMs(log);
    const periods = reported
      .flatMap(({ requestId, races }) => (requestId === null ? races : []))
      .filter(({ outcome, startMs }) => outcome === 'broken' && startMs !== null)
      .map((period) => ({ fromMs: period.startMs!, toMs: Math.min(endMs, period.endMs ?? endMs) }))
      .sort((one, other) => one.fromMs - other.fromMs);
    let [brokenMs, doneMs] = [0, 0];
    for (const { fromMs, toMs } of periods) {
      brokenMs += Math.max(0, toMs - Math.max(fromMs, doneMs));
      doneMs = Math.max(doneMs, toMs);
    }
    return { value: brokenMs };
  },
};
