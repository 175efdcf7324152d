import type { TransportEvent } from '../../telemetry/event.ts';
import type { SessionLog } from '../../telemetry/schema/sessionLog.ts';
import { eventsOf, oncePerLog } from '../timeline/log.ts';

type Source = TransportEvent['source'];

/** The browser's NetLog knows every request, DevTools those that it watched, origin and packets those that the origin answered. */
const SOURCES: readonly Source[] = ['netlog', 'devtools', 'packets', 'origin'];

/**
 * By request id, the connection that carried its response. All of them are of one source, the first of `SOURCES` that names
 * any, because each counts connections in its own way. Empty where none does: a page alone does not know its connections.
 */
export const connectionsOf = oncePerLog((log): ReadonlyMap<string, string> => {
  for (const source of SOURCES) {
    const found = connectionsBy(log, source);
    if (found.size > 0) return found;
  }
  return new Map();
});

function connectionsBy(log: SessionLog, source: Source): Map<string, string> {
  const found = new Map<string, string>();
  for (const event of eventsOf(log, 'transport')) {
    if (event.source !== source || event.connectionId === null) continue;
    const ids = event.origin?.requestIds ?? (event.requestId === null ? [] : [event.requestId]);
    for (const id of ids) found.set(id, event.connectionId);
  }
  // Each range has a connection, and the whole may have several.
  for (const { id, ranges } of eventsOf(log, 'request')) if (ranges) found.delete(id);
  return found;
}
