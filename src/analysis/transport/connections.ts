import type { TransportEvent } from '../../telemetry/event.ts';
import type { SessionLog } from '../../telemetry/schema/sessionLog.ts';
import { eventsOf, oncePerLog } from '../timeline/log.ts';

type Source = TransportEvent['source'];

/** The browser's NetLog knows every request, DevTools those that it watched, the instrumented origin those that it answered. */
const SOURCES: readonly Source[] = ['netlog', 'devtools', 'origin'];

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

/** Without segments in ranges that came over several connections: no single one carried the response. */
function connectionsBy(log: SessionLog, source: Source): Map<string, string> {
  const inRanges = new Set(eventsOf(log, 'request').flatMap(({ id, ranges }) => (ranges ? [id] : [])));
  const found = new Map<string, Set<string>>();
  for (const event of eventsOf(log, 'transport')) {
    if (event.source !== source || event.connectionId === null) continue;
    for (const id of event.origin?.requestIds ?? [event.requestId ?? '']) {
      const before = inRanges.has(id) ? [...(found.get(id) ?? []), ...racedOver(event)] : [];
      found.set(id, new Set([...before, event.connectionId]));
    }
  }
  found.delete('');
  return new Map([...found].flatMap(([id, [only, ...others]]) => (others.length > 0 ? [] : [[id, only!]])));
}

const racedOver = ({ races }: TransportEvent): string[] =>
  races.flatMap(({ connectionId }) => connectionId ?? []);
