import type { RequestEvent } from '../../telemetry/event.ts';
import { discoveredMs } from '../discoveredMs.ts';
import { mediaBytesByProtocol } from '../mediaBytesByProtocol.ts';
import type { Metric } from '../metric.ts';
import { protocolOf, tcpShareOf } from '../protocol.ts';
import { unmeasured } from '../unmeasured.ts';

/** What of the TCP share is not merely that the browser knew of no h3 yet. */
export const tcpShareLater: Metric = {
  id: 'tcp-share-later',
  label: 'TCP share after discovery',
  meaning:
    'T / (T + Q) without the requests over TCP that started before the first response over h3 arrived: until then a browser has to use TCP',
  unit: '%',
  better: null,
  paper: 'Chaudhary et al., IEEE TNSM 21(3), 2024, §III; taking discovery out is ours',
  unknown: 'there was no response over h3, or no media is left',
  of(log) {
    const foundMs = discoveredMs(log);
    if (foundMs === null) return unmeasured('There was no response over h3.');
    const isLater = ({ protocol, startMs, atMs }: RequestEvent): boolean =>
      protocolOf(protocol) === 'h3' || (startMs ?? atMs) >= foundMs;
    const share = tcpShareOf(mediaBytesByProtocol(log, isLater));
    return share === null
      ? unmeasured('No media of a known protocol arrived after discovery.')
      : { value: 100 * share };
  },
};
