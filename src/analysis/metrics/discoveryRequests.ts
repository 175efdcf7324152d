import { discoveredMs } from '../discoveredMs.ts';
import { eventsOf } from '../eventsOf.ts';
import type { Metric } from '../metric.ts';
import { protocolOf } from '../protocol.ts';
import { unmeasured } from '../unmeasured.ts';

/** What a browser asks for before it knows of h3. */
export const discoveryRequests: Metric = {
  id: 'discovery-requests',
  label: 'requests in discovery',
  meaning:
    'number of requests of all kinds, except those over h3, that started before the first response over h3 arrived',
  unit: '',
  better: null,
  paper: 'Langley et al., The QUIC Transport Protocol, SIGCOMM 2017, §3.8 (discovery); 2024 racing paper §IV',
  unknown: 'there was no response over h3',
  of(log) {
    const foundMs = discoveredMs(log);
    if (foundMs === null) return unmeasured('There was no response over h3.');
    const early = eventsOf(log, 'request').filter(
      ({ startMs, atMs, protocol }) => (startMs ?? atMs) < foundMs && protocolOf(protocol) !== 'h3',
    );
    return { value: early.length };
  },
};
