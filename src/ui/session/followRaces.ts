import type { RequestEvent } from '../../telemetry/event.ts';
import type { AskedRaces, KnownRaces } from '../../telemetry/join/liveRaces.ts';
import type { SessionEvent } from '../../telemetry/schema/sessionLog.ts';
import type { Run } from './run.ts';

const EVERY_MS = 1000;
/** A server that gives no answers must not cost memory. */
const MAX_REQUESTS = 300;

let isFollowing = false;

/**
 * Records the races of what this page plays, now and later. The page's server, which `npm start` runs, reads them in the NetLog of
 * the browser that it started.
 */
export function followRaces(newest: () => Run | null): void {
  if (isFollowing) return;
  isFollowing = true;
  let followed: Run | null = null;
  let ask = (): Promise<void> => Promise.resolve();
  const look = async (): Promise<void> => {
    const run = newest();
    if (run && run !== followed) {
      ask = await askerFor(run);
      followed = run;
    }
    await ask();
  };
  const again = (): void =>
    void look()
      .catch(() => undefined)
      .finally(() => setTimeout(again, EVERY_MS));
  again();
}

/** Returns what asks for the races of a run's requests and records them. */
async function askerFor({ player: { telemetry }, session }: Run): Promise<() => Promise<void>> {
  const pending = new Map<string, RequestEvent>();
  const take = (event: SessionEvent): void => {
    if (event.kind !== 'request' || event.outcome === 'in-flight') return;
    pending.set(event.id, event);
    const [oldest = ''] = pending.keys();
    if (pending.size > MAX_REQUESTS) pending.delete(oldest);
  };
  const leave = telemetry.subscribe(take);
  const { id, clock, parts, events } = await telemetry.exportLog().catch((fault: unknown) => {
    leave();
    throw fault;
  });
  for (const event of events) take(event);
  // Of a recording that goes on after a reload.
  for (const event of events) if (event.kind === 'transport') pending.delete(event.requestId ?? '');
  return async () => {
    if (!session.growing()) return leave();
    const requests = [...pending.values()];
    const { startedAtUnixMs } = clock;
    const asked: AskedRaces = { session: id, startedAtUnixMs, nowMs: telemetry.nowMs(), requests };
    const answer = await fetch('races/', { method: 'POST', body: JSON.stringify(asked) });
    if (!answer.ok) return;
    const known = (await answer.json()) as KnownRaces;
    if (!session.growing()) return leave();
    // Each page load records a connection for itself.
    const idOf = (event: SessionEvent): string => `x${parts.length}-${event.id}`;
    for (const event of known.finished) telemetry.record(event, idOf(event));
    for (const event of known.open) telemetry.keepOpen(event, idOf(event));
    for (const request of requests) if (!known.waiting.includes(request.id)) pending.delete(request.id);
  };
}
