import type { RequestEvent } from '../telemetry/event.ts';
import type { SessionLog } from '../telemetry/schema/sessionLog.ts';
import { eventsOf } from './eventsOf.ts';
import { protocolOf, type Protocol } from './protocol.ts';

/** Body bytes of media by protocol, also what failed requests had delivered; of the requests that `counts` names. */
export function mediaBytesByProtocol(
  log: SessionLog,
  counts: (request: RequestEvent) => boolean = () => true,
): Record<Protocol, number> {
  const bytes = { h1: 0, h2: 0, h3: 0, unknown: 0 };
  for (const request of eventsOf(log, 'request'))
    if (request.type === 'media' && counts(request))
      bytes[protocolOf(request.protocol)] += request.receivedBytes ?? 0;
  return bytes;
}
