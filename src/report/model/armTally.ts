import type { ReportSource } from '../reportSource.ts';
import type { SessionState } from '../sessionOutcome.ts';

/** What became of the sessions of an arm. */
export interface ArmTally {
  readonly arm: string;
  readonly planned: number;
  readonly states: Readonly<Record<SessionState, number>>;
  /** Finished, and yet no frame was ever shown. */
  readonly frameless: number;
  /** Finished, in an invalidated pair. */
  readonly invalidated: number;
  /** Tries that failed, of all its sessions. */
  readonly failedTries: number;
}

/** In the order of the arms' names. */
export function armTally({ plan, sessions, flagged, outcomes }: ReportSource): ArmTally[] {
  const byId = new Map(outcomes.map((outcome) => [outcome.id, outcome]));
  const frameless = new Set(sessions.filter(({ hasPlayed }) => !hasPlayed).map(({ id }) => id));
  const invalidated = new Set(flagged.map(({ id }) => id));
  const arms = new Map<string, string[]>();
  for (const { id, design } of plan.sessions) if (!arms.get(design.arm)?.push(id)) arms.set(design.arm, [id]);
  return [...arms.keys()].sort().map((arm) => {
    const ids = arms.get(arm)!;
    const states = { ...NONE };
    for (const id of ids) states[byId.get(id)?.state ?? 'not-played'] += 1;
    return {
      ...{ arm, planned: ids.length, states },
      frameless: ids.filter((id) => frameless.has(id)).length,
      invalidated: ids.filter((id) => invalidated.has(id)).length,
      failedTries: ids.reduce((sum, id) => sum + (byId.get(id)?.failedTries ?? 0), 0),
    };
  });
}

const NONE: Readonly<Record<SessionState, number>> = {
  ...{ finished: 0, 'never-started': 0, 'gave-up': 0 },
  ...{ laboratory: 0, unreadable: 0, 'not-played': 0 },
};
