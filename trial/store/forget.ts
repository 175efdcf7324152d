import { existsSync, readdirSync, readFileSync, rmdirSync, rmSync } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { writeAtomically } from '../../node/files.ts';
import { hashId } from '../design/beacon.ts';
import type { Trial } from '../design/trialFile.ts';
import type { LogKind } from './dayLogs.ts';
import { sha256 } from './hash.ts';
import { logFilesOf } from './readLogs.ts';
import { mustBeFolderOf } from './readTrialFolder.ts';
import { partitionFilesOf, readPartition, rowsOfPartition, writePartitionFile } from './rollDays.ts';
import { holdStoreLock } from './storeLock.ts';
import { syncPath } from './syncPath.ts';

/** Rows that were removed. */
export interface Forgotten {
  readonly beacons: number;
  readonly events: number;
  readonly assignments: number;
}

/** Hashed ids that are to be removed. */
interface Targets {
  readonly sessions: Set<string>;
  readonly viewers: Set<string>;
}

/** What a removal that was broken off was about; the next one completes it. */
const JOURNAL = 'forgetting.json';
const KINDS = ['sessions', 'events', 'assignments'] as const satisfies readonly LogKind[];

/**
 * Removes all rows of a viewer or of a session, found by the hash of the id: of a viewer also the rows of its sessions that do not name
 * it. JSON lines are overwritten in place with empty lines, so that a running server goes on writing behind them; files of Parquet are
 * replaced. What is removed is noted first, so that a removal that is broken off is completed by the next one, whatever its id is.
 * @throws Error in one sentence where the folder is of another salt, or while it is being changed
 */
export async function forgetId(folder: string, trial: Trial, id: string): Promise<Forgotten> {
  await mustBeFolderOf(folder, trial);
  const release = holdStoreLock(folder);
  try {
    const targets = readJournal(folder);
    targets.sessions.add(hashId(trial, { kind: 'session', id }, sha256));
    targets.viewers.add(hashId(trial, { kind: 'viewer', id }, sha256));
    await addSessionsOf(folder, targets);
    const journal = path.join(folder, JOURNAL);
    const { sessions, viewers } = targets;
    writeAtomically(journal, `${JSON.stringify({ sessions: [...sessions], viewers: [...viewers] })}\n`);
    await syncPath(journal);
    const forgotten = await removeRows(folder, targets);
    rmSync(journal);
    return forgotten;
  } finally {
    release();
  }
}

function readJournal(folder: string): Targets {
  const file = path.join(folder, JOURNAL);
  if (!existsSync(file)) return { sessions: new Set(), viewers: new Set() };
  const { sessions, viewers } = JSON.parse(readFileSync(file, 'utf8')) as Record<keyof Targets, string[]>;
  return { sessions: new Set(sessions), viewers: new Set(viewers) };
}

/** What rows of all kinds have. */
interface NamedRow {
  readonly session: string;
  readonly viewer: string | null;
}

const isTarget = ({ session, viewer }: NamedRow, { sessions, viewers }: Targets): boolean =>
  sessions.has(session) || (viewer !== null && viewers.has(viewer));

/** Adds the sessions of the viewers: a row of CMCD need not name the viewer. */
async function addSessionsOf(folder: string, targets: Targets): Promise<void> {
  const add = (row: NamedRow): void => {
    if (isTarget(row, targets)) targets.sessions.add(row.session);
  };
  for (const kind of KINDS)
    for (const file of logFilesOf(folder, kind)) for await (const { row } of linesOf(file)) if (row) add(row);
  for (const file of partitionFilesOf(folder)) await readPartition(file, add);
}

async function removeRows(folder: string, targets: Targets): Promise<Forgotten> {
  const counts = { sessions: 0, events: 0, assignments: 0 };
  for (const kind of KINDS)
    for (const file of logFilesOf(folder, kind)) counts[kind] += await removeLines(file, targets);
  for (const file of partitionFilesOf(folder)) counts.sessions += await removeFromPartition(file, targets);
  return { beacons: counts.sessions, events: counts.events, assignments: counts.assignments };
}

/** Overwrites the lines of targets, and what a crash has cut off: nobody can tell whose it is. Returns how many rows there were. */
async function removeLines(file: string, targets: Targets): Promise<number> {
  let removed = 0;
  let handle: FileHandle | null = null;
  try {
    for await (const { row, at, sizeBytes } of linesOf(file)) {
      if (row && !isTarget(row, targets)) continue;
      handle ??= await open(file, 'r+');
      await handle.write(Buffer.alloc(sizeBytes, '\n'), 0, sizeBytes, at);
      removed += row ? 1 : 0;
    }
    await handle?.datasync();
  } finally {
    await handle?.close();
  }
  return removed;
}

interface Line {
  /** null for what is no row. */
  readonly row: NamedRow | null;
  /** Place of the first byte. */
  readonly at: number;
  readonly sizeBytes: number;
}

/** A server writes a row at once: an end without a line end that stands so long, ms, was cut off by a crash. */
const CUT_OFF_MS = 300;

/** The lines of a log, without empty ones and without the last where a server is just writing it. */
async function* linesOf(file: string): AsyncGenerator<Line> {
  const handle = await open(file, 'r');
  try {
    let rest = Buffer.alloc(0);
    let at = 0;
    for await (const chunk of handle.createReadStream({ autoClose: false }) as AsyncIterable<Buffer>) {
      rest = Buffer.concat([rest, chunk]);
      for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
        if (end > 0) yield { row: rowOf(rest.toString('utf8', 0, end)), at, sizeBytes: end };
        rest = rest.subarray(end + 1);
        at += end + 1;
      }
    }
    if (rest.length === 0) return;
    await setTimeout(CUT_OFF_MS);
    const isCutOff = (await handle.stat()).size === at + rest.length;
    if (isCutOff) yield { row: rowOf(rest.toString('utf8')), at, sizeBytes: rest.length };
  } finally {
    await handle.close();
  }
}

function rowOf(line: string): NamedRow | null {
  try {
    const { session, viewer } = JSON.parse(line) as Partial<NamedRow>;
    return session === undefined ? null : { session, viewer: viewer ?? null };
  } catch {
    return null;
  }
}

/** Replaces a file of Parquet by one without the rows, or removes it with its folder. Returns how many rows there were. */
async function removeFromPartition(file: string, targets: Targets): Promise<number> {
  const folder = path.dirname(file);
  // Of a process that was ended while it wrote.
  for (const name of readdirSync(folder)) if (name.endsWith('.tmp')) rmSync(path.join(folder, name));
  const rows = await rowsOfPartition(file);
  const left = rows.filter((row) => !isTarget(row, targets));
  if (left.length === rows.length) return 0;
  if (left.length > 0) await writePartitionFile(file, left);
  else removePartition(file);
  return rows.length - left.length;
}

function removePartition(file: string): void {
  const arm = path.dirname(file);
  const day = path.dirname(arm);
  rmSync(file);
  for (const folder of [arm, day]) if (readdirSync(folder).length === 0) rmdirSync(folder);
}
