import { eventsOf } from '../eventsOf.ts';
import type { Metric } from '../metric.ts';

/** Requests of the session, all kinds, by the protocol that carried them. */
export const requestsByProtocol: Metric = {
  id: 'requests',
  label: 'requests',
  unit: '',
  better: null,
  paper: 'Resource Timing Level 2, nextHopProtocol',
  of(log) {
    const by: Record<string, number> = {};
    for (const { protocol, outcome } of eventsOf(log, 'request')) {
      const name = protocol ?? (outcome === 'ok' ? 'unknown' : 'failed');
      by[name] = (by[name] ?? 0) + 1;
    }
    return { value: eventsOf(log, 'request').length, by };
  },
};
