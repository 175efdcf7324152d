import type { SessionEvent } from '../../telemetry/schema/sessionLog.ts';

/** The newest decisions and requests in full: the store knows an event only after its next flush. */
export function recentEvents(maxEvents = 256): {
  add(event: SessionEvent): void;
  find(id: string): SessionEvent | null;
} {
  const byId = new Map<string, SessionEvent>();
  return {
    add(event) {
      if (event.kind !== 'decision' && event.kind !== 'request') return;
      byId.set(event.id, event);
      if (byId.size <= maxEvents) return;
      const [oldest] = byId.keys();
      if (oldest !== undefined) byId.delete(oldest);
    },
    find: (id) => byId.get(id) ?? null,
  };
}
