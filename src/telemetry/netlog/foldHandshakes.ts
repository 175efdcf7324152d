import type { ConnectionDraft, EventFolds, FoldState, RaceDraft } from './foldState.ts';
import { dependencyIn } from './netLogEvents.ts';

/** QUIC handshakes: which attempt began them, and whether it was made for a request or for a preconnect. */
export const handshakeFolds: EventFolds = {
  'QUIC_SESSION_POOL_JOB_RESULT 0': (state, { sourceId, params }) => {
    const session = dependencyIn(params);
    if (session !== null) state.attemptOf.set(session, sourceId);
    state.begun.add(sourceId);
  },
  'BOUND_TO_QUIC_SESSION_POOL_JOB 0': (state, { sourceId, params }) => {
    const job = state.jobs.get(sourceId);
    const attempt = dependencyIn(params);
    // Jobs of preconnects are not in the log.
    if (!job || attempt === null) return;
    job.attemptId = attempt;
    state.owned.add(attempt);
  },
  'QUIC_SESSION_POOL_USE_EXISTING_SESSION 0': (state, { sourceId, params }) => {
    const job = state.jobs.get(sourceId);
    if (!job) return;
    job.reused = true;
    job.charged = chargeHandshake(state, dependencyIn(params));
  },
};

/** The handshake that a preconnect began is charged to the first request that uses it; null where the session is not new. */
export function chargeHandshake(
  { attemptOf, owned, connections }: FoldState,
  session: number | null,
): Charged {
  const attempt = attemptOf.get(session ?? NaN);
  if (attempt === undefined || owned.has(attempt)) return null;
  owned.add(attempt);
  return connections.get(session!) ?? null;
}

type Charged = ConnectionDraft | null;

interface Reuse {
  readonly kind: 'alternative' | 'dns-alpn';
  readonly charged: Charged;
  readonly unixMs: number;
}

/** Decides a race that found a QUIC session. A handshake that is charged to it is its race, with the times of the handshake. */
export function decideReuse(race: RaceDraft, { kind, charged, unixMs }: Reuse): void {
  race.outcome = charged ? `${kind}-won` : `${kind}-reused`;
  race.decidedUnixMs = unixMs;
  if (!charged) return;
  race.startUnixMs = Math.min(race.startUnixMs, charged.startUnixMs);
  race.decidedUnixMs = Math.min(unixMs, charged.readyUnixMs ?? unixMs);
}
