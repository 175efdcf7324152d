import type { RequestEvent } from '../../telemetry/event.ts';
import type { SessionLog } from '../../telemetry/schema/sessionLog.ts';
import { eventsOf } from '../timeline/log.ts';
import { connectionsOf } from './connections.ts';

/** What the link of the lab did to the path of a session at once, in ms of session time. */
export interface LinkChange {
  readonly atMs: number;
  /** `address`: the client got another one. `udp-ports`: a NAT gave the flows of UDP other ones. */
  readonly kind: 'address' | 'udp-ports';
}

type Linked = Pick<SessionLog, 'environment' | 'clock'>;

/** In order of time, also those before play; null where the session used no link of the lab. */
export function linkChanges({ environment: { linkRun }, clock }: Linked): LinkChange[] | null {
  if (!linkRun) return null;
  const at = (
    kind: LinkChange['kind'],
    changes: readonly { readonly atUnixMs: number }[] = [],
  ): LinkChange[] => changes.map(({ atUnixMs }) => ({ atMs: atUnixMs - clock.startedAtUnixMs, kind }));
  return [...at('address', linkRun.addressChanges), ...at('udp-ports', linkRun.udpPortChanges)].sort(
    (one, other) => one.atMs - other.atMs,
  );
}

/** What media requests met at a change of the path. */
export interface Recovery extends LinkChange {
  /** From the change, or from the next request where none was running, to the end of the first one that succeeded, ms. */
  readonly recoveryMs: number | null;
  /** Whether that one used a connection that media had used before the change; null where connections are unknown. */
  readonly isSameConnection: boolean | null;
  /** Media requests that failed between the change and the recovery, or until the next change. */
  readonly failed: number;
}

type Timed = RequestEvent & { readonly endMs: number };

const FAILURES: readonly RequestEvent['outcome'][] = ['http-error', 'network-error', 'timeout'];
const hasFailed = ({ outcome }: RequestEvent): boolean => FAILURES.includes(outcome);
const startOf = ({ startMs, atMs }: RequestEvent): number => startMs ?? atMs;

/**
 * By change, those after the first media response and before the last. A change without a recovery before the next one, or
 * before the end, has none.
 */
export function recoveries(log: SessionLog): Recovery[] | null {
  const changes = linkChanges(log);
  if (changes === null) return null;
  const requests = eventsOf(log, 'request')
    .filter((request): request is Timed => request.endMs !== null)
    .filter(({ type }) => type === 'media');
  const done = requests.filter(({ outcome }) => outcome === 'ok');
  const [firstMs, lastMs] = [
    Math.min(...done.map(({ endMs }) => endMs)),
    Math.max(...requests.map(({ endMs }) => endMs)),
  ];
  return changes
    .filter(({ atMs }) => atMs > firstMs && atMs < lastMs)
    .map((change, index, all) => {
      const untilMs = all[index + 1]?.atMs ?? Infinity;
      const after = requests.filter(({ endMs }) => endMs > change.atMs && endMs <= untilMs);
      const next = firstOf(after.filter(({ outcome }) => outcome === 'ok'));
      const earlier = done.filter(({ endMs }) => endMs <= change.atMs);
      const waitingMs = Math.max(change.atMs, Math.min(...after.map(startOf)));
      return {
        ...change,
        recoveryMs: next ? next.endMs - waitingMs : null,
        isSameConnection: next ? isKnownBefore(log, earlier, next) : null,
        failed: after.filter((each) => hasFailed(each) && each.endMs <= (next?.endMs ?? Infinity)).length,
      };
    });
}

const firstOf = (requests: readonly Timed[]): Timed | undefined =>
  requests.reduce<Timed | undefined>(
    (first, each) => (first && first.endMs <= each.endMs ? first : each),
    undefined,
  );

/** Several connections may be open: over h1, a request uses the one that is free. */
function isKnownBefore(log: SessionLog, before: readonly Timed[], after: Timed): boolean | null {
  const connections = connectionsOf(log);
  const used = new Set(before.flatMap(({ id }) => connections.get(id) ?? []));
  const now = connections.get(after.id);
  return now === undefined || used.size === 0 ? null : used.has(now);
}
