import { groupBy } from '../../../src/shared/groupBy.ts';
import type { ReportSource, SessionState } from '../reportSource.ts';
import type { ReportTable } from '../reportTable.ts';

/** What became of every planned session, by arm; columns in which nothing happened are left out. */
export function ranTable(source: ReportSource): ReportTable {
  const arms = armTally(source);
  const shown = COLUMNS.filter(({ isAlways, of }) => isAlways === true || arms.some((arm) => of(arm) > 0));
  const quiet = COLUMNS.filter((column) => !shown.includes(column)).map(({ label }) => label);
  const nothing = quiet.length > 0 ? ` None: ${quiet.join(', ')}.` : '';
  return {
    id: 'ran',
    title: 'What ran',
    caption: `Planned sessions by arm.${nothing} Means, figures and verdicts contain only finished sessions whose pair was not invalidated by host overload. An arm that often fails is judged by the sessions in which it did not fail.`,
    columns: [{ label: 'arm', isText: true }, ...shown.map(({ label }) => ({ label }))],
    rows: arms.map((arm) => [arm.arm, ...shown.map(({ of }) => of(arm))]),
  };
}

interface RanColumn {
  readonly label: string;
  /** Also where it is 0 everywhere. */
  readonly isAlways?: boolean;
  of(arm: ArmTally): number;
}

const COLUMNS: readonly RanColumn[] = [
  { label: 'planned', isAlways: true, of: ({ planned }) => planned },
  { label: 'finished', isAlways: true, of: ({ states }) => states.finished },
  { label: 'never started', isAlways: true, of: ({ states }) => states['never-started'] },
  { label: 'gave up', isAlways: true, of: ({ states }) => states['gave-up'] },
  { label: 'finished without a frame', of: ({ frameless }) => frameless },
  { label: 'ended by an error', of: ({ cutShort }) => cutShort },
  { label: 'failed in the lab', of: ({ states }) => states.laboratory },
  { label: 'log unreadable', of: ({ states }) => states.unreadable },
  { label: 'not played', of: ({ states }) => states['not-played'] },
  { label: 'invalidated by host overload', of: ({ invalidated }) => invalidated },
  { label: 'failed tries', of: ({ failedTries }) => failedTries },
];

/** What became of the sessions of an arm. */
export interface ArmTally {
  readonly arm: string;
  readonly planned: number;
  readonly states: Readonly<Record<SessionState, number>>;
  /** Finished, and yet no frame was ever shown. */
  readonly frameless: number;
  /** Finished, and an error ended playback after the first frame. */
  readonly cutShort: number;
  /** Finished, in an invalidated pair. */
  readonly invalidated: number;
  /** Tries that failed, of all its sessions. */
  readonly failedTries: number;
}

/** In the order of the arms' names. */
export function armTally({ plan, sessions, flagged, outcomes }: ReportSource): ArmTally[] {
  const byId = new Map(outcomes.map((outcome) => [outcome.id, outcome]));
  const frameless = new Set(sessions.filter(({ hasPlayed }) => !hasPlayed).map(({ id }) => id));
  const cutShort = new Set(sessions.filter((each) => each.hasPlayed && each.gaveUp).map(({ id }) => id));
  const invalidated = new Set(flagged.map(({ id }) => id));
  const arms = groupBy(plan.sessions, ({ design }) => design.arm);
  return [...arms.keys()].sort().map((arm) => {
    const ids = arms.get(arm)!.map(({ id }) => id);
    const states = { ...NONE };
    for (const id of ids) states[byId.get(id)?.state ?? 'not-played'] += 1;
    return {
      arm,
      planned: ids.length,
      states,
      frameless: ids.filter((id) => frameless.has(id)).length,
      cutShort: ids.filter((id) => cutShort.has(id)).length,
      invalidated: ids.filter((id) => invalidated.has(id)).length,
      failedTries: ids.reduce((sum, id) => sum + (byId.get(id)?.failedTries.length ?? 0), 0),
    };
  });
}

const NONE: Readonly<Record<SessionState, number>> = {
  finished: 0,
  'never-started': 0,
  'gave-up': 0,
  laboratory: 0,
  unreadable: 0,
  'not-played': 0,
};
