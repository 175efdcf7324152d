import { isInWashout, pairOf, periodAt } from '../../src/shared/assignment.ts';
import type { SwitchRow } from '../design/fieldSession.ts';
import type { Trial } from '../design/trialFile.ts';
import { numberPairs } from './numberIds.ts';
import type { SessionColumns, TrialColumns } from './trialColumns.ts';

/** Sessions that do not count, by reason. */
export interface LeftOut {
  /** Beacons of a session that sent another one later. */
  readonly repeated: number;
  /** No arm is known: neither a logged assignment nor an id that says it. */
  readonly unassigned: number;
  /** The server has logged assignments, and none of this session: it rode what the manifest names, whatever its id says. */
  readonly unsteered: number;
  /** Began while the kill switch was on. */
  readonly killed: number;
  /** Began soon after a switch of periods. */
  readonly washout: number;
}

/** Sessions that count, in the order of time. What is not of `stored` has an entry for each of them. */
export interface Enrolment {
  readonly trial: Trial;
  readonly stored: TrialColumns;
  readonly columns: SessionColumns;
  /** Rows of `columns`. */
  readonly rows: Int32Array;
  /** Unix time at which the server assigned the session, ms; of a session without an assignment, that of its beacon. */
  readonly atMs: Float64Array;
  /** Arms that were assigned, by their place in the file. */
  readonly arms: Uint8Array;
  /** What was drawn together: a viewer's sessions, or a pair of periods. Numbered from 0. */
  readonly clusters: Int32Array;
  /** Networks; a session without one has a number of its own. */
  readonly networks: Int32Array;
  /** Pairs of cluster and network. */
  readonly pairs: Int32Array;
  /** Assignments that count: rows of `columns`, and places of arms; `NO_ARM` is none of the file. */
  readonly assigned: Pick<Enrolment, 'rows' | 'arms'>;
  readonly leftOut: LeftOut;
}

export const NO_ARM = 255;

/** Finds out which sessions count, by what was assigned and never by what was ridden. */
export function enrol(trial: Trial, stored: TrialColumns): Enrolment {
  const columns = stored.columns();
  const armOf = armsByName(trial, stored);
  const wasKilled = killedAt(stored.switches);
  const counts = { repeated: stored.beaconCount(), unassigned: 0, unsteered: 0, killed: 0, washout: 0 };
  const isSteered = columns.isAssigned.includes(1);
  const [counted, assigned] = [new Int32Array(stored.rowCount()), new Int32Array(stored.rowCount())];
  let [size, assignedSize] = [0, 0];
  for (let row = 0; row < stored.rowCount(); row++) {
    const atMs = timeOf(columns, row);
    const [isKilled, isWashout] = [wasKilled(atMs), isInWashout(trial, atMs)];
    if (columns.isAssigned[row] === 1 && !isKilled && !isWashout) assigned[assignedSize++] = row;
    if (columns.isReported[row] === 0) continue;
    counts.repeated -= 1;
    if (armOf(row) === NO_ARM) counts.unassigned += 1;
    else if (isSteered && columns.isAssigned[row] === 0) counts.unsteered += 1;
    else if (isKilled) counts.killed += 1;
    else if (isWashout) counts.washout += 1;
    else counted[size++] = row;
  }
  const rows = sortByTime(counted.subarray(0, size), columns);
  const atMs = new Float64Array(size);
  for (let place = 0; place < size; place++) atMs[place] = timeOf(columns, rows[place]!);
  const clusters = clustersOf(trial, stored, { rows, atMs, viewers: columns.viewer });
  const networks = numberRows(rows, columns.network, stored.networkCount());
  const armsOf = (of: Int32Array): Uint8Array => {
    const arms = new Uint8Array(of.length);
    for (let place = 0; place < of.length; place++) arms[place] = armOf(of[place]!);
    return arms;
  };
  const assignedRows = assigned.subarray(0, assignedSize);
  return {
    ...{ trial, stored, columns, rows, atMs, clusters, networks },
    arms: armsOf(rows),
    pairs: numberPairs(clusters, networks),
    assigned: { rows: assignedRows, arms: armsOf(assignedRows) },
    leftOut: counts,
  };
}

const timeOf = ({ isAssigned, assignedMs, receivedMs }: SessionColumns, row: number): number =>
  isAssigned[row] === 1 ? assignedMs[row]! : receivedMs[row]!;

/** Makes the function that returns the place of a row's arm in the file; `NO_ARM` where none is known. */
function armsByName({ arms }: Trial, stored: TrialColumns): (row: number) => number {
  const { isAssigned, assignedArm, arm } = stored.columns();
  const places = new Map(arms.map(({ pathway }, place) => [stored.numberOfName(pathway), place]));
  return (row) => places.get(isAssigned[row] === 1 ? assignedArm[row]! : arm[row]!) ?? NO_ARM;
}

/** Numbers what was drawn together from 0, for each of `rows`: viewers, by a column of their numbers, or pairs of periods. */
export function clustersOf(
  trial: Trial,
  stored: TrialColumns,
  { rows, atMs, viewers }: Pick<Enrolment, 'rows' | 'atMs'> & { readonly viewers: Int32Array },
): Int32Array {
  if (trial.unit.kind !== 'switchback') return numberRows(rows, viewers, stored.viewerCount());
  const numbers = new Map<number, number>();
  return rows.map((_, place) => {
    const pair = pairOf(periodAt(trial, atMs[place]!));
    const number = numbers.get(pair) ?? numbers.size;
    numbers.set(pair, number);
    return number;
  });
}

/** Numbers what a column has from 0, in the order of rows; where it has nothing (0), the row has a number of its own. */
function numberRows(rows: Int32Array, column: Int32Array, max: number): Int32Array {
  const numbers = new Int32Array(max + 1);
  let count = 0;
  return rows.map((row) => {
    const known = column[row]!;
    if (known === 0) return count++;
    if (numbers[known] === 0) numbers[known] = ++count;
    return numbers[known]! - 1;
  });
}

function killedAt(switches: readonly SwitchRow[]): (atMs: number) => boolean {
  const ordered = [...switches].sort((one, other) => one.atMs - other.atMs);
  return (atMs) => ordered.findLast((each) => each.atMs <= atMs)?.killed ?? false;
}

const RADIX = 2 ** 16;

/** Sorts rows by time, to the millisecond, and keeps the order of equal ones: by one digit after the other, the last first. */
function sortByTime(rows: Int32Array, columns: SessionColumns): Int32Array {
  let [min, max] = [Infinity, -Infinity];
  for (const row of rows) {
    min = Math.min(min, timeOf(columns, row));
    max = Math.max(max, timeOf(columns, row));
  }
  let [from, to]: [Int32Array, Int32Array] = [rows, rows.slice()];
  for (let unit = 1; unit <= max - min; unit *= RADIX) {
    const digitOf = (row: number): number => Math.floor((timeOf(columns, row) - min) / unit) % RADIX;
    const ends = new Int32Array(RADIX + 1);
    for (const row of from) ends[digitOf(row) + 1]! += 1;
    for (let digit = 1; digit <= RADIX; digit++) ends[digit]! += ends[digit - 1]!;
    for (const row of from) to[ends[digitOf(row)]!++] = row;
    [from, to] = [to, from];
  }
  return from;
}
