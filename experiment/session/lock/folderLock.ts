import { randomUUID } from 'node:crypto';
import { closeSync, fstatSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startHeartbeat, isLiving, thisProcess, type Owner } from './owner.ts';
import { CodedError, EXIT } from '../../../node/exitCodes.ts';
import { atProcessEnd } from '../../../node/atProcessEnd.ts';
import { isNoSpace, formatFileError } from '../../../node/files.ts';
import { mayOverlap, optionOf, SUFFIX, suffixOf, type Part } from './part.ts';

export interface LockOptions {
  readonly part?: Part;
  say(line: string): void;
  /** Called once, when the lock has been removed, or taken by a process that saw no renewal. */
  onLost(): void;
  /** For tests. */
  readonly times?: LockTimes;
}

interface LockTimes {
  readonly beatMs: number;
  /** An owner that has not renewed the lock for this long has ended. */
  readonly goneAfterMs: number;
  /** What a killed run leaves ends so long after it: watchdog, browsers. */
  readonly lastWordsMs: number;
}

interface FolderLock {
  /** Twice is once. */
  release(): void;
}

const TIMES: LockTimes = { beatMs: 5000, goneAfterMs: 30_000, lastWordsMs: 2000 };
const LOOK_EVERY_MS = 200;

/**
 * Takes the lock of an existing folder for this process. The lock is also released when the process ends, except by
 * `kill -9`. The owner of a lock is gone when its process has ended (on the same machine), or when it has not renewed
 * the lock for `goneAfterMs` (elsewhere).
 *
 * @throws CodedError in one sentence when somebody else plays into the folder
 */
export async function lockFolder(folder: string, options: LockOptions): Promise<FolderLock> {
  const { part } = options;
  const own = path.join(folder, nameOf(part));
  const text = `${JSON.stringify({ token: randomUUID(), ...thisProcess(part) })}\n`;
  const times = options.times ?? TIMES;
  const release = (): void => {
    if (read(own)?.text === text) rmSync(own, { force: true });
  };
  const clearing: Clearing = { folder, times, say: options.say };
  let isAfterKill = false;
  // Before the lock is there: a signal just after it would leave it behind.
  const stopListening = atProcessEnd(release);
  const leave = (): void => {
    stopListening();
    release();
  };
  try {
    while (!created(own, text)) isAfterKill = (await clear(own, clearing)) || isAfterKill;
    for (const other of othersThan(part, folder)) isAfterKill = (await clear(other, clearing)) || isAfterKill;
    if (isAfterKill) await sleep(times.lastWordsMs);
  } catch (error) {
    leave();
    throw error;
  }
  const heartbeat = startHeartbeat(own, { text, everyMs: times.beatMs, onLost: options.onLost });
  return {
    release() {
      heartbeat.stop();
      leave();
    },
  };
}

const nameOf = (part: Part): string => `runner${suffixOf(part)}.lock`;
const NAME = new RegExp(`^runner(${SUFFIX.source})\\.lock$`);

/** Locks of whoever might play the same sessions. */
function othersThan(part: Part, folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => name !== nameOf(part))
    .filter((name) => {
      const suffix = NAME.exec(name)?.[1];
      return suffix !== undefined && mayOverlap(part, suffix);
    })
    .map((name) => path.join(folder, name));
}

/** Whether the file is ours now. */
function created(file: string, text: string): boolean {
  try {
    writeFileSync(file, text, { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    // The file was created before the disk had no space for its text.
    if (isNoSpace(error)) rmSync(file, { force: true });
    throw new Error(formatFileError(file, error), { cause: error });
  }
}

interface Held {
  readonly text: string;
  /** null while it is written, or when it was torn. */
  readonly owner: Owner | null;
  readonly beatAtMs: number;
}

/** null when there is none (any more). Opens the file, because NFS then looks for changes (RFC 1813, 4.11). */
function read(file: string): Held | null {
  let handle: number;
  try {
    handle = openSync(file, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new Error(formatFileError(file, error), { cause: error });
  }
  try {
    const text = readFileSync(handle, 'utf8');
    return { text, owner: ownerIn(text), beatAtMs: fstatSync(handle).mtimeMs };
  } finally {
    closeSync(handle);
  }
}

function ownerIn(text: string): Owner | null {
  try {
    const owner = JSON.parse(text) as Partial<Owner> | null;
    return typeof owner?.pid === 'number' && typeof owner.host === 'string' ? (owner as Owner) : null;
  } catch {
    return null;
  }
}

interface Clearing {
  readonly folder: string;
  readonly times: LockTimes;
  say(line: string): void;
}

/** Removes the lock of an owner that is gone; resolves to whether that was killed on this machine. @throws CodedError when it lives */
async function clear(file: string, { folder, times, say }: Clearing): Promise<boolean> {
  const held = read(file);
  if (held === null) return false;
  const living = held.owner === null ? null : isLiving(held.owner);
  if (living ?? (await isAlive(file, held, { folder, times, say }))) throw inUse(folder, file, held.owner);
  if (!(await removeLock(file, held.text, times))) return false;
  say(`${nameFor(held.owner, file)} has ended: its lock of ${folder} is taken over`);
  return living === false;
}

/** Whether the owner of a lock still beats. Its times are compared with each other and with the disk's own clock, never with ours. */
async function isAlive(
  file: string,
  { text, beatAtMs, owner }: Held,
  { folder, times, say }: Clearing,
): Promise<boolean> {
  const silentMs = Math.max(0, diskTimeMs(file) - beatAtMs);
  if (silentMs >= times.goneAfterMs) return false;
  const until = performance.now() + times.goneAfterMs - silentMs;
  const maxSeconds = Math.ceil((times.goneAfterMs - silentMs) / 1000);
  say(
    `${folder}: ${nameFor(owner, file)} holds its lock; waiting up to ${maxSeconds} s to see whether it still runs`,
  );
  while (performance.now() < until) {
    await sleep(Math.min(LOOK_EVERY_MS, times.beatMs));
    const now = read(file);
    if (now === null || now.text !== text) return false;
    if (now.beatAtMs !== beatAtMs) return true;
  }
  return false;
}

/** What time the disk gives to a file that is written now: on a shared one that is its server's clock. */
function diskTimeMs(beside: string): number {
  const probe = `${beside}.${randomUUID()}`;
  try {
    writeFileSync(probe, '.', { flag: 'wx' });
    return read(probe)?.beatAtMs ?? Date.now();
  } finally {
    rmSync(probe, { force: true });
  }
}

/**
 * Removes a lock that says `text`; false when it does not any more. One process at a time does that, or a slower one would
 * remove the lock that a faster one has just made in its place.
 */
async function removeLock(file: string, text: string, { goneAfterMs }: LockTimes): Promise<boolean> {
  const guard = `${file}.takeover`;
  if (!created(guard, '.')) {
    const since = read(guard)?.beatAtMs;
    if (since !== undefined && diskTimeMs(file) - since >= goneAfterMs) rmSync(guard, { force: true });
    await sleep(LOOK_EVERY_MS);
    return false;
  }
  try {
    if (read(file)?.text !== text) return false;
    rmSync(file, { force: true });
    return true;
  } finally {
    rmSync(guard, { force: true });
  }
}

const nameFor = (owner: Owner | null, file: string): string =>
  owner === null
    ? `an unknown run (${path.basename(file)})`
    : `process ${owner.pid} on ${owner.host}${owner.part ? ` (${optionOf(owner.part)})` : ''}`;

function inUse(folder: string, file: string, owner: Owner | null): CodedError {
  const since = owner === null ? '' : ` since ${owner.since.slice(0, 19).replace('T', ' ')} UTC`;
  return new CodedError(
    EXIT.folderInUse,
    `${folder}: ${nameFor(owner, file)} has been writing into this folder${since}. Wait until it ends, or name another folder with --out.`,
  );
}
