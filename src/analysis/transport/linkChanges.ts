import { USUAL_MTU_BYTES } from '../../shared/units.ts';
import type { RequestEvent } from '../../telemetry/event.ts';
import type { SessionLog } from '../../telemetry/schema/sessionLog.ts';
import { eventsOf, logEndMs } from '../timeline/log.ts';
import { connectionsOf } from './connections.ts';

/** What the link of the lab did to the path of a session at once, in ms of session time. */
interface LinkChange {
  readonly atMs: number;
  /**
   * `address`: the client lost its own, and got another one at once or after a gap. `udp-ports`: a NAT gave the flows of UDP
   * other ones. `mtu`: the path carries smaller packets than before.
   */
  readonly kind: 'address' | 'udp-ports' | 'mtu';
}

type Linked = Pick<SessionLog, 'environment' | 'clock'>;

/** Changes that follow one another faster are one change: the player cannot answer to the first alone. */
const APART_MS = 1000;

/** In order of time, also those before play; null where the session used no link of the lab. */
function linkChanges({ environment: { linkRun }, clock }: Linked): LinkChange[] | null {
  if (!linkRun) return null;
  const at = (
    kind: LinkChange['kind'],
    changes: readonly { readonly atUnixMs: number; readonly lostAtUnixMs?: number }[] = [],
  ): LinkChange[] =>
    changes.map(({ atUnixMs, lostAtUnixMs = atUnixMs }) => ({
      atMs: lostAtUnixMs - clock.startedAtUnixMs,
      kind,
    }));
  return [
    ...at('address', linkRun.addressChanges),
    ...at('udp-ports', linkRun.udpPortChanges),
    ...at('mtu', mtuDrops(linkRun.mtuChanges)),
  ]
    .sort((one, other) => one.atMs - other.atMs)
    .filter(({ atMs }, index, all) => index === 0 || atMs - all[index - 1]!.atMs >= APART_MS);
}

type MtuChange = NonNullable<NonNullable<SessionLog['environment']['linkRun']>['mtuChanges']>[number];

/** A path that carries larger packets than before disturbs nobody. */
const mtuDrops = (changes: readonly MtuChange[] = []): MtuChange[] =>
  changes.filter(({ bytes }, index) => bytes < (changes[index - 1]?.bytes ?? USUAL_MTU_BYTES));

/** What media requests met at a change of the path. */
export interface Recovery extends LinkChange {
  /**
   * From the change, or from the next media request where none was running, to the end of the first one that succeeded, ms;
   * until the next change or the end of the log where none did.
   */
  readonly recoveryMs: number;
  readonly hasRecovered: boolean;
  /** Whether the one that succeeded used a connection that media used just before; null where connections are unknown. */
  readonly isSameConnection: boolean | null;
  /** Media requests that failed between the change and the recovery, or until the next change. */
  readonly failed: number;
}

/** So long a media request waits at least after a change, when it is aborted, to say that nothing came any more. */
export const STUCK_MS = 5000;

/**
 * By change, those after the first media that came and before the last media request that was not aborted, or after which one
 * had waited for `STUCK_MS` when it was aborted: then nothing came until the end. null: no link.
 */
export function recoveries(log: SessionLog): Recovery[] | null {
  const changes = linkChanges(log);
  if (changes === null || changes.length === 0) return changes === null ? null : [];
  const requests = eventsOf(log, 'request').filter(({ type }) => type === 'media');
  const firstMs = min(requests.filter(({ outcome }) => outcome === 'ok').map(endOf));
  const kept = requests.filter(({ outcome }) => outcome !== 'aborted');
  const lastMs = max(kept.map(({ endMs }) => endMs ?? logEndMs(log)));
  const endMs = Math.max(logEndMs(log), lastMs, max(requests.map((request) => request.endMs ?? -Infinity)));
  return changes
    .filter(({ atMs }) => atMs > firstMs && (atMs < lastMs || isStuck(requests, atMs)))
    .map((change, index, all) => {
      const untilMs = all[index + 1]?.atMs ?? endMs;
      return recoveryOf(log, { change, untilMs, requests });
    });
}

const isStuck = (requests: readonly RequestEvent[], atMs: number): boolean =>
  requests.some(
    (request) =>
      request.outcome === 'aborted' && endOf(request) - Math.max(atMs, startOf(request)) >= STUCK_MS,
  );

interface Around {
  readonly change: LinkChange;
  /** The next change, or the end of the log. */
  readonly untilMs: number;
  readonly requests: readonly RequestEvent[];
}

function recoveryOf(log: SessionLog, { change, untilMs, requests }: Around): Recovery {
  const { atMs } = change;
  const after = requests.filter((request) => endOf(request) > atMs && startOf(request) < untilMs);
  const ended = after.filter((request) => endOf(request) <= untilMs);
  const recovered = first(ended.filter(({ outcome }) => outcome === 'ok'));
  const recoveredMs = recovered ? endOf(recovered) : untilMs;
  const waitingMs = Math.max(atMs, min(after.map(startOf)));
  return {
    ...change,
    recoveryMs: Math.max(0, recoveredMs - Math.min(waitingMs, untilMs)),
    hasRecovered: recovered !== undefined,
    isSameConnection: recovered ? isKept(connectionsOf(log), recovered, { requests, atMs }) : null,
    failed: ended.filter((request) => hasFailed(request) && endOf(request) <= recoveredMs).length,
  };
}

/**
 * Whether a request used the connection of one that ran at a moment, or of the last one that had ended: several may be open. Only
 * of others: what a log has of a request that the browser sent again is its last connection.
 */
function isKept(
  connections: ReadonlyMap<string, string>,
  after: RequestEvent,
  { requests, atMs }: { readonly requests: readonly RequestEvent[]; readonly atMs: number },
): boolean | null {
  const now = connections.get(after.id);
  const known = requests.filter(({ id }) => id !== after.id && connections.has(id));
  const running = known.filter((request) => startOf(request) <= atMs && endOf(request) > atMs);
  const last = known
    .filter((request) => endOf(request) <= atMs)
    .reduce<RequestEvent | undefined>(
      (latest, each) => (latest && endOf(latest) > endOf(each) ? latest : each),
      undefined,
    );
  const before = last ? [...running, last] : running;
  if (now === undefined || before.length === 0) return null;
  return before.some(({ id }) => connections.get(id) === now);
}

const FAILURES: readonly RequestEvent['outcome'][] = ['http-error', 'network-error', 'timeout'];
const hasFailed = ({ outcome }: RequestEvent): boolean => FAILURES.includes(outcome);
const startOf = ({ startMs, atMs }: RequestEvent): number => startMs ?? atMs;
/** A request that never ended runs until the end. */
const endOf = ({ endMs }: RequestEvent): number => endMs ?? Infinity;

const first = (requests: readonly RequestEvent[]): RequestEvent | undefined =>
  requests.reduce<RequestEvent | undefined>(
    (found, each) => (found && endOf(found) <= endOf(each) ? found : each),
    undefined,
  );

const max = (values: readonly number[]): number =>
  values.reduce((largest, each) => Math.max(largest, each), -Infinity);

const min = (values: readonly number[]): number =>
  values.reduce((smallest, each) => Math.min(smallest, each), Infinity);
