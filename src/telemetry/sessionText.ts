import type { SessionEvent, SessionHeader } from './schema/sessionLog.ts';

/**
 * A session file in pieces, so that a day of playing need not be one string in memory. Joined they are the JSON of a
 * `SessionLog`, one event a line.
 */
export function createSessionText(): {
  begin(header: SessionHeader): string;
  /** May be called any number of times. */
  events(events: readonly SessionEvent[]): string;
  end(): string;
} {
  let first = true;
  return {
    begin: (header) => `${JSON.stringify(header).slice(0, -1)},"events":[`,
    events(events) {
      if (events.length === 0) return '';
      const lines = events.map((event) => JSON.stringify(event)).join(',\n');
      const before = first ? '\n' : ',\n';
      first = false;
      return before + lines;
    },
    end: () => '\n]}\n',
  };
}
