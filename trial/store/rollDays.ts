import { existsSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { makeFolder, writeAtomically } from '../../node/files.ts';
import { parquetBytes, readParquetColumns } from '../../node/parquetTable.ts';
import type { Cell, CellType, TableColumn } from '../../src/export/table.ts';
import { groupBy } from '../../src/shared/groupBy.ts';
import type { AssignmentRow, FieldSession } from '../design/fieldSession.ts';
import type { Trial } from '../design/trialFile.ts';
import { dayOf } from './dayLogs.ts';
import { logFilesOf, readLog } from './readLogs.ts';
import { holdStoreLock } from './storeLock.ts';
import { syncPath } from './syncPath.ts';

type Field = keyof FieldSession;

const column = (
  name: Field,
  type: CellType,
  unit: string,
  meaning: string,
): TableColumn & { name: Field } => ({
  name,
  type,
  unit,
  meaning,
});

const COLUMNS = [
  column('session', 'text', '', 'salted hash of the id of the session'),
  column('viewer', 'text', '', 'salted hash of the id of the viewer'),
  column('network', 'text', '', 'salted hash of the prefix of the address'),
  column('arm', 'text', '', 'pathway that was assigned'),
  column('startedMs', 'number', 'ms', 'Unix time of the start, clock of the viewer'),
  column('receivedMs', 'number', 'ms', 'Unix time of the beacon, clock of the collector'),
  column('joinMs', 'number', 'ms', 'time to the first frame'),
  column('playedMs', 'number', 'ms', 'played time'),
  column('stalledMs', 'number', 'ms', 'stalled time'),
  column('stalls', 'number', '', 'number of stalls'),
  column('bitrateKbps', 'number', 'kbit/s', 'mean bitrate over played time'),
  column('errors', 'number', '', 'errors of the player'),
  column('h3Bytes', 'number', 'bytes', 'media over HTTP/3'),
  column('tcpBytes', 'number', 'bytes', 'media over HTTP/2 and HTTP/1.1'),
  column('pathway', 'text', '', 'pathway with the largest part of the media bytes'),
  column('networkClass', 'text', '', 'class of the network'),
] as const;

/** Columns that files of older versions lack. */
const LATER: readonly Field[] = ['pathway'];

/** What is true of simulated viewers, beside their data: these belong to nobody, and their days lie in the past. */
export const TRUTH_FILE = 'truth.json';
const FOLDER = 'parquet';
const FILE = 'sessions.parquet';
/** A body that began before midnight goes into the file of its day; a server waits for it for seconds, not for minutes. */
const LATE_MS = 10 * 60_000;
/** The partition of sessions whose arm nobody knows. */
const NO_ARM = 'unknown';

/** What a roll did. */
export interface Rolled {
  readonly days: readonly string[];
  readonly sessions: number;
  /** Days that were older than the retention, and are deleted. */
  readonly deleted: readonly string[];
}

/**
 * Writes the sessions of finished days as Parquet, `parquet/day=DAY/arm=ARM/sessions.parquet`, and removes their JSON lines. Deletes
 * days beyond the retention of the trial, but none of simulated viewers. A day that is rolled again, for late beacons, keeps what it had.
 */
export async function rollDays(folder: string, trial: Trial, nowMs: number): Promise<Rolled> {
  const release = holdStoreLock(folder);
  try {
    return await rollUnlocked(folder, trial, nowMs);
  } finally {
    release();
  }
}

async function rollUnlocked(folder: string, trial: Trial, nowMs: number): Promise<Rolled> {
  const isSimulated = existsSync(path.join(folder, TRUTH_FILE));
  const deleted = isSimulated ? [] : deleteOlder(folder, dayOf(nowMs - trial.retentionDays * 86_400_000));
  const arms = await assignedArms(folder);
  const days: string[] = [];
  let sessions = 0;
  for (const file of logFilesOf(folder, 'sessions')) {
    const day = path.basename(file, '.jsonl');
    if (day >= dayOf(nowMs - LATE_MS)) continue;
    const rows: FieldSession[] = [];
    await readLog(file, (row) => rows.push(row as FieldSession));
    const known = rows.map((row) => ({ ...row, arm: arms.get(row.session) ?? row.arm }));
    for (const [arm, of] of groupBy(known, ({ arm }) => arm ?? NO_ARM))
      await writePartition(folder, { day, arm }, of);
    rmSync(file);
    days.push(day);
    sessions += rows.length;
  }
  return { days, sessions, deleted };
}

async function assignedArms(folder: string): Promise<ReadonlyMap<string, string>> {
  const arms = new Map<string, string>();
  for (const file of logFilesOf(folder, 'assignments'))
    await readLog(file, (row) => {
      const { session, arm } = row as AssignmentRow;
      if (!arms.has(session)) arms.set(session, arm);
    });
  return arms;
}

interface Partition {
  readonly day: string;
  readonly arm: string;
}

/** Returns the file of a day and an arm. */
export const partitionFileOf = (folder: string, { day, arm }: Partition): string =>
  path.join(folder, FOLDER, `day=${day}`, `arm=${arm}`, FILE);

async function writePartition(
  folder: string,
  partition: Partition,
  rows: readonly FieldSession[],
): Promise<void> {
  const file = partitionFileOf(folder, partition);
  const before = existsSync(file) ? await rowsOfPartition(file) : [];
  makeFolder(path.dirname(file));
  await writePartitionFile(file, [...before, ...rows]);
}

/** Writes the file of a day and an arm, whole or not at all. When it resolves the file is on the disk. */
export async function writePartitionFile(file: string, rows: readonly FieldSession[]): Promise<void> {
  const cells = rows.map((row) => COLUMNS.map(({ name }): Cell => row[name] ?? null));
  const day = path.basename(path.dirname(path.dirname(file))).slice('day='.length);
  writeAtomically(file, parquetBytes(COLUMNS, cells, { 'pitwall.day': day }));
  await syncPath(file);
  await syncPath(path.dirname(file));
}

/** Reads the file of a day and an arm, row by row. */
export async function readPartition(file: string, take: (row: FieldSession) => void): Promise<void> {
  const names = COLUMNS.map(({ name }) => name);
  const needed = names.filter((name) => !LATER.includes(name));
  const columns = await readParquetColumns(file, needed, LATER);
  const cells = <Name extends Field>(name: Name): ArrayLike<FieldSession[Name]> =>
    (columns.get(name) ?? []) as ArrayLike<FieldSession[Name]>;
  const [session, viewer, network, arm] = [cells('session'), cells('viewer'), cells('network'), cells('arm')];
  const [startedMs, receivedMs, joinMs] = [cells('startedMs'), cells('receivedMs'), cells('joinMs')];
  const [playedMs, stalledMs, stalls] = [cells('playedMs'), cells('stalledMs'), cells('stalls')];
  const [bitrateKbps, errors] = [cells('bitrateKbps'), cells('errors')];
  const [h3Bytes, tcpBytes] = [cells('h3Bytes'), cells('tcpBytes')];
  const [pathway, networkClass] = [cells('pathway'), cells('networkClass')];
  // A literal: an object that is filled by names takes four times as long.
  for (let row = 0; row < session.length; row++)
    take({
      session: session[row]!,
      viewer: viewer[row] ?? null,
      network: network[row] ?? null,
      arm: arm[row] ?? null,
      startedMs: startedMs[row]!,
      receivedMs: receivedMs[row]!,
      joinMs: joinMs[row] ?? null,
      playedMs: playedMs[row]!,
      stalledMs: stalledMs[row]!,
      stalls: stalls[row]!,
      bitrateKbps: bitrateKbps[row] ?? null,
      errors: errors[row]!,
      h3Bytes: h3Bytes[row]!,
      tcpBytes: tcpBytes[row]!,
      pathway: pathway[row] ?? null,
      networkClass: networkClass[row] ?? null,
    });
}

/** Reads the file of a day and an arm as a whole. */
export async function rowsOfPartition(file: string): Promise<FieldSession[]> {
  const rows: FieldSession[] = [];
  await readPartition(file, (row) => rows.push(row));
  return rows;
}

/** Returns the files of days that were rolled, in the order of days. */
export function partitionFilesOf(folder: string): string[] {
  const place = path.join(folder, FOLDER);
  if (!existsSync(place)) return [];
  return readdirSync(place)
    .sort()
    .flatMap((day) =>
      readdirSync(path.join(place, day))
        .sort()
        .map((arm) => path.join(place, day, arm, FILE)),
    );
}

/** Deletes what is of days before `first`. */
function deleteOlder(folder: string, first: string): string[] {
  const deleted = new Set<string>();
  for (const kind of ['sessions', 'events', 'assignments'] as const)
    for (const file of logFilesOf(folder, kind))
      if (path.basename(file, '.jsonl') < first) {
        rmSync(file);
        deleted.add(path.basename(file, '.jsonl'));
      }
  const place = path.join(folder, FOLDER);
  for (const name of existsSync(place) ? readdirSync(place) : []) {
    const day = name.slice('day='.length);
    if (day >= first) continue;
    rmSync(path.join(place, name), { recursive: true });
    deleted.add(day);
  }
  return [...deleted].sort();
}
