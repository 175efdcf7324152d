import type { AssignmentRow, FieldSession, SwitchRow, TrialData, TrialRows } from '../design/fieldSession.ts';
import type { MeasuredSession } from '../design/trialMetrics.ts';
import { enlarged, numberIds } from './numberIds.ts';

/** The columns of what is stored. They are longer than they have rows. */
function emptyColumns(size: number) {
  return {
    /** 1 where a beacon has arrived. */
    isReported: new Uint8Array(size),
    receivedMs: new Float64Array(size),
    /** NaN where playback never started; as `bitrateKbps`. */
    joinMs: new Float64Array(size),
    playedMs: new Float64Array(size),
    stalledMs: new Float64Array(size),
    stalls: new Int32Array(size),
    bitrateKbps: new Float64Array(size),
    errors: new Int32Array(size),
    h3Bytes: new Float64Array(size),
    tcpBytes: new Float64Array(size),
    /** Number of the viewer from 1; 0 where it is not known. So are networks and all names. */
    viewer: new Int32Array(size),
    network: new Int32Array(size),
    arm: new Int32Array(size),
    pathway: new Int32Array(size),
    networkClass: new Int32Array(size),
    /** 1 where the server has logged an assignment; the next three are of the first. */
    isAssigned: new Uint8Array(size),
    assignedMs: new Float64Array(size),
    assignedArm: new Int32Array(size),
    assignedViewer: new Int32Array(size),
  };
}

/** What is stored of sessions: a row for each id of a session, in the order in which they first occur. */
export type SessionColumns = Readonly<ReturnType<typeof emptyColumns>>;

/** Everything that a trial has stored, in columns: ten million sessions take 1.5 GB. */
export interface TrialColumns extends TrialRows {
  columns(): SessionColumns;
  /** How many rows the columns have. */
  rowCount(): number;
  /** How many beacons there were, with those that others have replaced. */
  beaconCount(): number;
  readonly switches: readonly SwitchRow[];
  /** How many viewers, and networks, have numbers. */
  viewerCount(): number;
  networkCount(): number;
  /** Returns the number of a pathway or a class, and its name. */
  numberOfName(name: string | null): number;
  nameOf(number: number): string;
}

const FIRST_SIZE = 1024;

/** Makes columns without rows. Rows may come in any order of their kinds. */
export function trialColumns(): TrialColumns {
  const [ids, viewers, networks] = [numberIds(), numberIds(), numberIds()];
  const names: string[] = [''];
  const numbers = new Map<string, number>();
  const switches: SwitchRow[] = [];
  let columns = emptyColumns(FIRST_SIZE);
  let size = FIRST_SIZE;
  let beacons = 0;

  function rowOf(session: string): number {
    const row = ids.numberOf(session);
    if (row < size) return row;
    size *= 2;
    columns = Object.fromEntries(
      Object.entries(columns).map(([name, column]) => [name, enlarged(column, size)]),
    ) as unknown as typeof columns;
    return row;
  }

  /** Rows of older versions have no pathway. */
  function numberOfName(name: string | null | undefined): number {
    if (name === null || name === undefined) return 0;
    const known = numbers.get(name);
    if (known !== undefined) return known;
    numbers.set(name, names.length);
    return names.push(name) - 1;
  }
  const viewerOf = (id: string | null): number => (id === null ? 0 : viewers.numberOf(id) + 1);

  function session(one: FieldSession): void {
    const row = rowOf(one.session);
    beacons += 1;
    columns.isReported[row] = 1;
    columns.receivedMs[row] = one.receivedMs;
    columns.joinMs[row] = one.joinMs ?? NaN;
    columns.playedMs[row] = one.playedMs;
    columns.stalledMs[row] = one.stalledMs;
    columns.stalls[row] = one.stalls;
    columns.bitrateKbps[row] = one.bitrateKbps ?? NaN;
    columns.errors[row] = one.errors;
    columns.h3Bytes[row] = one.h3Bytes;
    columns.tcpBytes[row] = one.tcpBytes;
    columns.viewer[row] = viewerOf(one.viewer);
    columns.network[row] = one.network === null ? 0 : networks.numberOf(one.network) + 1;
    columns.arm[row] = numberOfName(one.arm);
    columns.pathway[row] = numberOfName(one.pathway);
    columns.networkClass[row] = numberOfName(one.networkClass);
  }

  function assignment(one: AssignmentRow): void {
    const row = rowOf(one.session);
    if (columns.isAssigned[row] === 1) return;
    columns.isAssigned[row] = 1;
    columns.assignedMs[row] = one.atMs;
    columns.assignedArm[row] = numberOfName(one.arm);
    columns.assignedViewer[row] = viewerOf(one.viewer);
  }

  return {
    session,
    assignment,
    turn: (row) => void switches.push(row),
    columns: () => columns,
    rowCount: ids.count,
    beaconCount: () => beacons,
    switches,
    viewerCount: viewers.count,
    networkCount: networks.count,
    numberOfName,
    nameOf: (number) => names[number]!,
  };
}

/** Returns rows as columns. */
export function columnsOf({ sessions, assignments, switches }: TrialData): TrialColumns {
  const columns = trialColumns();
  for (const row of sessions) columns.session(row);
  for (const row of assignments) columns.assignment(row);
  for (const row of switches) columns.turn(row);
  return columns;
}

/** A session of the columns: that of `row`, which may be changed. */
export interface SessionCursor extends MeasuredSession {
  row: number;
}

const nullIfNaN = (value: number): number | null => (Number.isNaN(value) ? null : value);

/** Makes a cursor for metrics: an object for each of ten million sessions takes seconds. */
export const sessionCursor = (columns: SessionColumns): SessionCursor => ({
  row: 0,
  get joinMs() {
    return nullIfNaN(columns.joinMs[this.row]!);
  },
  get playedMs() {
    return columns.playedMs[this.row]!;
  },
  get stalledMs() {
    return columns.stalledMs[this.row]!;
  },
  get stalls() {
    return columns.stalls[this.row]!;
  },
  get bitrateKbps() {
    return nullIfNaN(columns.bitrateKbps[this.row]!);
  },
  get errors() {
    return columns.errors[this.row]!;
  },
});
