import type { SessionLog } from '../../telemetry/schema/sessionLog.ts';
import { discoveredMs } from '../discoveredMs.ts';
import { eventsOf } from '../eventsOf.ts';
import type { Metric } from '../metric.ts';
import { PROTOCOL_NAMES, protocolOf, type Protocol } from '../protocol.ts';
import { unmeasured } from '../unmeasured.ts';

/** What the page can see; what the browser raced to get there it cannot. */
export const protocolSwitches: Metric = {
  id: 'protocol-switches',
  label: 'protocol switches',
  meaning:
    'number of changes of protocol between successive media requests, separately for audio and video, ignoring unknown protocols; the change from TCP that ends discovery is not counted',
  unit: '',
  better: 'lower',
  parts: 'counts',
  paper: 'Chaudhary et al., IEEE TNSM 21(3), 2024, §III; Resource Timing Level 2, nextHopProtocol',
  unknown: 'the protocol of every media request is unknown',
  of(log) {
    const lanes = (['video', 'audio'] as const).map((mediaType) => lane(log, mediaType));
    if (lanes.every(({ length }) => length === 0))
      return unmeasured('The protocol of every media request is unknown.');
    const foundMs = discoveredMs(log) ?? -Infinity;
    const by: Record<string, number> = {};
    for (const requests of lanes)
      requests.slice(1).forEach(({ protocol }, index) => {
        const before = requests[index]!;
        const endsDiscovery = protocol === 'h3' && before.startMs < foundMs;
        if (protocol === before.protocol || endsDiscovery) return;
        const name = `${PROTOCOL_NAMES[before.protocol]} → ${PROTOCOL_NAMES[protocol]}`;
        by[name] = (by[name] ?? 0) + 1;
      });
    return { value: Object.values(by).reduce((sum, count) => sum + count, 0), by };
  },
};

interface Carried {
  readonly protocol: Protocol;
  readonly startMs: number;
}

/** The whole requests of one media type whose protocol is known, by their starts. */
const lane = (log: SessionLog, mediaType: 'video' | 'audio'): Carried[] =>
  eventsOf(log, 'request')
    .filter((each) => each.type === 'media' && each.mediaType === mediaType && each.outcome === 'ok')
    .map(({ protocol, startMs, atMs }) => ({ protocol: protocolOf(protocol), startMs: startMs ?? atMs }))
    .filter(({ protocol }) => protocol !== 'unknown')
    .sort((one, other) => one.startMs - other.startMs);
