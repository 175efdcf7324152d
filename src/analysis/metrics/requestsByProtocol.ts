import type { RequestEvent } from '../../telemetry/event.ts';
import { eventsOf } from '../eventsOf.ts';
import type { Metric } from '../metric.ts';
import { unmeasured } from '../unmeasured.ts';

/** Requests of the session, all kinds, by the protocol that carried them. */
export const requestsByProtocol: Metric = {
  id: 'requests',
  label: 'requests',
  meaning:
    'number of requests of all kinds, with retries, by the protocol that carried the response; requests that the player aborted (for a seek, a switch, the stop), that failed without a response, or that were open when the log ended are counted separately',
  unit: '',
  better: null,
  paper: 'Resource Timing Level 2, nextHopProtocol',
  unknown: 'the player sent no request',
  headline: 6,
  parts: 'counts',
  of(log) {
    const requests = eventsOf(log, 'request');
    if (requests.length === 0) return unmeasured('The player sent no request.');
    const by: Record<string, number> = {};
    for (const request of requests) {
      const name = nameOf(request);
      by[name] = (by[name] ?? 0) + 1;
    }
    return { value: requests.length, by };
  },
};

/** What the player took back has failed as little as it was carried. */
function nameOf({ protocol, outcome }: RequestEvent): string {
  if (outcome === 'aborted' || outcome === 'in-flight') return outcome;
  return protocol ?? (outcome === 'ok' ? 'unknown' : 'failed');
}
