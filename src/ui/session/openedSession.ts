import { createDiagnostics } from '../../analysis/diagnostics/diagnostics.ts';
import { setOpenEvents, seriesOf } from '../../analysis/timeline/appendEvent.ts';
import type { SessionEvent, SessionLog } from '../../telemetry/schema/sessionLog.ts';
import { fileBlob, logSource } from '../../telemetry/shell/store/sessionSource.ts';
import type { ShownSession } from './shownSession.ts';

/** A session that was read from a file: everything is there, nothing plays. */
export function openedSession(log: SessionLog, name: string): ShownSession {
  const series = seriesOf(log);
  setOpenEvents(series, []);
  const { events, ...header } = log;
  const diagnostics = createDiagnostics(header);
  for (const event of events) diagnostics.append(event);
  let byId: Map<string, SessionEvent> | null = null;
  return {
    name,
    growing: () => false,
    series,
    diagnostics: () => diagnostics,
    header: () => header,
    event: async (id) => {
      byId ??= new Map(events.map((event) => [event.id, event]));
      return byId.get(id) ?? null;
    },
    file: (kind) => fileBlob(logSource(log), kind),
  };
}
