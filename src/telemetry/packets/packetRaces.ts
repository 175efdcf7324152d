import type { ConnectionAttempt } from './packetFacts.ts';

/** Attempts over QUIC and TCP to one host, of which one began before the other was settled. */
interface PacketRace {
  readonly host: string;
  /** In the order in which they began. */
  readonly attempts: readonly ConnectionAttempt[];
  /** From QUIC's first Initial to TCP's first SYN; below 0, TCP began first. */
  readonly headStartMs: number;
  /** The first over which the client could send requests; null: none was, before the capture ended. */
  readonly winner: ConnectionAttempt | null;
}

/** Finds the races in a capture. An attempt whose first packet is not in it is in none. */
export function racesIn(attempts: readonly ConnectionAttempt[]): PacketRace[] {
  const hostOf = createHostOf(attempts);
  const open = new Map<string, { attempts: Begun[]; untilUnixMs: number }>();
  const groups: { readonly host: string; readonly attempts: Begun[] }[] = [];
  const begun = attempts.filter((each): each is Begun => each.startUnixMs !== null);
  for (const attempt of begun.sort((one, other) => one.startUnixMs - other.startUnixMs)) {
    const host = hostOf(attempt);
    const group = open.get(host);
    const untilUnixMs = pendingUntilUnixMs(attempt);
    if (group && attempt.startUnixMs <= group.untilUnixMs) {
      group.attempts.push(attempt);
      group.untilUnixMs = Math.max(group.untilUnixMs, untilUnixMs);
    } else {
      const own = [attempt];
      open.set(host, { attempts: own, untilUnixMs });
      groups.push({ host, attempts: own });
    }
  }
  return groups.flatMap(({ host, attempts: own }) => {
    const [quic, tcp] = (['quic', 'tcp'] as const).map((name) =>
      own.find(({ protocol }) => protocol === name),
    );
    if (!quic || !tcp) return [];
    return [{ host, attempts: own, headStartMs: tcp.startUnixMs - quic.startUnixMs, winner: winnerOf(own) }];
  });
}

type Begun = ConnectionAttempt & { readonly startUnixMs: number };

/** Returns when an attempt was decided: it could be used, it ended, or its last packet where nothing says so. */
export const settledUnixMs = ({ readyUnixMs, end, lastUnixMs }: ConnectionAttempt): number =>
  readyUnixMs ?? end?.atUnixMs ?? lastUnixMs;

/** A client that gets no answer for longer sends again: after less, nobody can tell that it has given up. */
export const SILENT_MS = 1000;

/** Returns until when an attempt may yet succeed. */
export const pendingUntilUnixMs = (attempt: ConnectionAttempt): number =>
  settledUnixMs(attempt) + (attempt.readyUnixMs === null && attempt.end === null ? SILENT_MS : 0);

function winnerOf(attempts: readonly ConnectionAttempt[]): ConnectionAttempt | null {
  const ready = attempts.filter(({ readyUnixMs }) => readyUnixMs !== null);
  return ready.reduce<ConnectionAttempt | null>(
    (first, each) => (first && first.readyUnixMs! <= each.readyUnixMs! ? first : each),
    null,
  );
}

/**
 * Returns what names the host of an attempt: its SNI; for one that ended before a ClientHello, that of the attempt to the same
 * address which began nearest in time; else the address.
 */
export function createHostOf(attempts: readonly ConnectionAttempt[]): (attempt: ConnectionAttempt) => string {
  const named = new Map<string, ConnectionAttempt[]>();
  for (const each of attempts)
    if (each.serverName !== null) {
      const same = named.get(each.server.address);
      if (same) same.push(each);
      else named.set(each.server.address, [each]);
    }
  return ({ serverName, server, firstUnixMs, readyUnixMs }) => {
    // One that could be used without TLS is no attempt at the same.
    if (serverName !== null || readyUnixMs !== null) return serverName ?? server.address;
    const apartMs = (each: ConnectionAttempt): number => Math.abs(each.firstUnixMs - firstUnixMs);
    const nearest = (named.get(server.address) ?? []).reduce<ConnectionAttempt | null>(
      (best, each) => (best && apartMs(best) <= apartMs(each) ? best : each),
      null,
    );
    return nearest?.serverName ?? server.address;
  };
}
