import { eventsOf, logEndMs } from '../../analysis/timeline/log.ts';
import { ok } from '../../shared/result.ts';
import type { TransportEvent } from '../../telemetry/event.ts';
import type { SessionLog } from '../../telemetry/schema/sessionLog.ts';
import type { SessionFormat } from '../sessionFormat.ts';
import { harEntry, type HarEntry } from './harEntry.ts';
import { isoTime } from './isoTime.ts';

/**
 * HAR 1.2 (w3c.github.io/web-performance/specs/HAR, "HTTP Archive 1.2"): every request of the session, as the network panels
 * of browsers and HAR viewers open it. What HAR knows not stands in fields with an underscore: races, what was asked for.
 */
export const har: SessionFormat = {
  id: 'har',
  label: 'HAR 1.2',
  about: 'HTTP Archive 1.2: the requests, for the network panel of DevTools and HAR viewers',
  extension: 'har',
  convert: (log) => ok({ text: `${JSON.stringify(archiveOf(log), null, 1)}\n`, notes: [] }),
};

const PAGE = 'page_1';

function archiveOf(log: SessionLog): object {
  const { environment, clock } = log;
  const browser = /^(.*?)[ /](\d[\w.]*)$/.exec(environment.browser ?? '');
  return {
    log: {
      version: '1.2',
      creator: { name: 'Pitwall', version: environment.pitwallVersion },
      ...(browser && { browser: { name: browser[1]!, version: browser[2]! } }),
      pages: [
        {
          startedDateTime: isoTime(clock.startedAtUnixMs),
          id: PAGE,
          title: environment.mpdUrl ?? log.id,
          // A page's events are nothing that a session of playing has.
          pageTimings: { onContentLoad: -1, onLoad: -1 },
        },
      ],
      entries: entriesOf(log),
      comment: `Pitwall session ${log.id}`,
    },
  };
}

/** In the order in which they began, as HAR wants them. */
function entriesOf(log: SessionLog): HarEntry[] {
  const reported = new Map<string, TransportEvent[]>();
  for (const event of eventsOf(log, 'transport'))
    if (event.requestId !== null)
      reported.set(event.requestId, [...(reported.get(event.requestId) ?? []), event]);
  const around = { pageref: PAGE, startedAtUnixMs: log.clock.startedAtUnixMs, endMs: logEndMs(log) };
  return eventsOf(log, 'request')
    .toSorted((one, other) => (one.startMs ?? one.atMs) - (other.startMs ?? other.atMs))
    .map((event) => harEntry(event, { ...around, reported: reported.get(event.id) ?? [] }));
}
