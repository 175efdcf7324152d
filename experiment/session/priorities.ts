import type { CompareCell } from './plan.ts';
import type { AccessRecord } from '../../lab/caddy/accessLog.ts';
import type { RequestEvent } from '../../src/telemetry/event.ts';
import type { SessionLog } from '../../src/telemetry/schema/sessionLog.ts';

type Asked = Pick<AccessRecord, 'uri' | 'protocol' | 'requestHeaders'>;

/**
 * Holds the priorities that a page was to ask for against the `Priority` headers that its origin received over h2 and h3 (RFC
 * 9218: a lower urgency is served first). Browsers have urgencies of their own, so they are compared with each other. Returns
 * what is wrong in a part of a sentence; null where all is well, or nothing was compared.
 */
export function priorityFault(
  { environment, events }: SessionLog,
  { priority }: Pick<CompareCell, 'priority'>,
  asked: readonly Asked[],
): string | null {
  if (priority === undefined) return null;
  if (environment.priority !== priority)
    return `its segments were to be asked for by "${priority}", and it says ${environment.priority ?? 'nothing'}`;
  const isLow = lowPaths(events, priority);
  const urgencies = { low: new Set<number>(), usual: new Set<number>() };
  for (const { uri, protocol, requestHeaders } of asked) {
    const low = isLow.get(uri.split('?')[0]!);
    const hasPriorities = protocol === 'h2' || protocol === 'h3';
    if (low !== undefined && hasPriorities) urgencies[low ? 'low' : 'usual'].add(urgencyOf(requestHeaders));
  }
  const { low, usual } = urgencies;
  const fits =
    priority === 'browser' ? usual.size <= 1 : Math.min(...low, Infinity) > Math.max(...usual, -Infinity);
  return fits
    ? null
    : `its segments were to be asked for by "${priority}", and the origin received ${formatUrgencies(usual)}${priority === 'browser' ? '' : `, and ${formatUrgencies(low)} for the later ones`}`;
}

/** Returns for the path of each segment whether the page was to ask for it with a low priority. */
function lowPaths(
  events: SessionLog['events'],
  priority: NonNullable<CompareCell['priority']>,
): ReadonlyMap<string, boolean> {
  const isLow = ({ mediaType, rung }: RequestEvent): boolean =>
    mediaType === 'video' && (priority === 'audio-first' || (priority === 'lowest-first' && rung !== 0));
  return new Map(
    events.flatMap((event) =>
      event.kind === 'request' && event.type === 'media' && URL.canParse(event.url)
        ? [[new URL(event.url).pathname, isLow(event)] as const]
        : [],
    ),
  );
}

/** RFC 9218, section 4.1: 3 where nothing else is said. */
const urgencyOf = ({ priority = '' }: AccessRecord['requestHeaders']): number =>
  Number(/\bu=([0-7])/.exec(priority)?.[1] ?? 3);

const formatUrgencies = (urgencies: ReadonlySet<number>): string =>
  urgencies.size === 0
    ? 'no urgency'
    : [...urgencies]
        .sort((a, b) => a - b)
        .map((each) => `u=${each}`)
        .join(' and ');
