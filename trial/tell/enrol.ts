import { isInWashout, pairOf, periodAt } from '../../src/shared/assignment.ts';
import type { AssignmentRow, FieldSession, SwitchRow } from '../design/fieldSession.ts';
import type { Trial } from '../design/trialFile.ts';

/** Everything that a trial has stored. */
export interface TrialData {
  readonly sessions: readonly FieldSession[];
  readonly assignments: readonly AssignmentRow[];
  readonly switches: readonly SwitchRow[];
}

/** A session that counts, with the arm that it was assigned. */
export interface Enrolled {
  readonly session: FieldSession;
  readonly arm: string;
  /** Unix time at which the server assigned the session, ms; of a session without an assignment, that of its beacon. */
  readonly atMs: number;
  /** What was drawn together: a viewer's sessions, or a pair of periods. */
  readonly cluster: string;
}

/** Sessions that do not count, by reason. */
export interface LeftOut {
  /** Beacons of a session that sent another one later. */
  readonly repeated: number;
  /** No arm is known: neither a logged assignment nor an id that says it. */
  readonly unassigned: number;
  /** Began while the kill switch was on. */
  readonly killed: number;
  /** Began soon after a switch of periods. */
  readonly washout: number;
}

export interface Enrolment {
  /** In the order of time. */
  readonly rows: readonly Enrolled[];
  /** Assignments, the first of each session, without those that do not count. */
  readonly assigned: readonly AssignmentRow[];
  readonly leftOut: LeftOut;
}

/** Finds out which sessions count, by what was assigned and never by what was ridden. */
export function enrol(trial: Trial, { sessions, assignments, switches }: TrialData): Enrolment {
  const wasKilled = killedAt(switches);
  const byId = new Map<string, AssignmentRow>();
  for (const row of assignments) if (!byId.has(row.session)) byId.set(row.session, row);
  const arms = new Set(trial.arms.map(({ pathway }) => pathway));
  const latest = new Map(sessions.map((session) => [session.session, session]));
  const counts = { unassigned: 0, killed: 0, washout: 0 };
  const rows: Enrolled[] = [];
  for (const session of latest.values()) {
    const assignment = byId.get(session.session);
    const arm = assignment?.arm ?? session.arm;
    const atMs = assignment?.atMs ?? session.receivedMs;
    if (arm === null || !arms.has(arm)) counts.unassigned += 1;
    else if (wasKilled(atMs)) counts.killed += 1;
    else if (isInWashout(trial, atMs)) counts.washout += 1;
    else rows.push({ session, arm, atMs, cluster: clusterOf(trial, { session, atMs }) });
  }
  return {
    rows: rows.sort((one, other) => one.atMs - other.atMs),
    assigned: [...byId.values()].filter(({ atMs }) => !wasKilled(atMs) && !isInWashout(trial, atMs)),
    leftOut: { ...counts, repeated: sessions.length - latest.size },
  };
}

function clusterOf(trial: Trial, { session, atMs }: Pick<Enrolled, 'session' | 'atMs'>): string {
  if (trial.unit.kind === 'switchback') return String(pairOf(periodAt(trial, atMs)));
  return session.viewer ?? session.session;
}

function killedAt(switches: readonly SwitchRow[]): (atMs: number) => boolean {
  const ordered = [...switches].sort((one, other) => one.atMs - other.atMs);
  return (atMs) => ordered.findLast((each) => each.atMs <= atMs)?.killed ?? false;
}
