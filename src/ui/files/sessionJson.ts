import type { SessionLog } from '../../telemetry/schema/sessionLog.ts';

const EVENTS_PER_CHUNK = 2000;

/**
 * The text of a session file in pieces, an event a line, so that a day of recording never needs one string of it all
 * and the page can breathe in between.
 */
export function* sessionJson(log: SessionLog): Generator<string> {
  const { events, ...header } = log;
  yield `${JSON.stringify(header).slice(0, -1)},"events":[`;
  for (let from = 0; from < events.length; from += EVENTS_PER_CHUNK) {
    const lines = events.slice(from, from + EVENTS_PER_CHUNK).map((event) => JSON.stringify(event));
    yield `${from === 0 ? '' : ','}\n${lines.join(',\n')}`;
  }
  yield '\n]}\n';
}
