import { open, type FileHandle } from 'node:fs/promises';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { groupBy } from '../../src/shared/groupBy.ts';

/** Logs of a trial: JSON lines, a file a day. */
export type LogKind = 'sessions' | 'events' | 'assignments' | 'switches';

/** Appends rows to logs by day. A row is on the disk when its promise resolves. */
export interface DayLogs {
  append(kind: LogKind, atMs: number, rows: readonly object[]): Promise<void>;
  /** Bytes that are waiting to be written. */
  pendingBytes(): number;
  close(): Promise<void>;
}

interface Waiting {
  readonly file: string;
  readonly text: string;
  resolve(): void;
  reject(error: unknown): void;
}

export const dayOf = (atMs: number): string => new Date(atMs).toISOString().slice(0, 10);

/** Opens the logs below a folder. Rows that wait together share one fsync (group commit). */
export function openDayLogs(folder: string): DayLogs {
  const handles = new Map<string, FileHandle>();
  let waiting: Waiting[] = [];
  let pending = 0;
  let work: Promise<void> | null = null;

  async function writeAll(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      for (const [file, of] of groupBy(batch, ({ file }) => file)) await writeBatch(file, of);
    }
    work = null;
  }

  async function writeBatch(file: string, of: readonly Waiting[]): Promise<void> {
    const text = of.map((each) => each.text).join('');
    try {
      const handle = handles.get(file) ?? (await openLog(file));
      handles.set(file, handle);
      await handle.appendFile(text);
      await handle.datasync();
      for (const { resolve } of of) resolve();
    } catch (error) {
      // A part of a line may have been written: to open the file again ends it.
      await handles
        .get(file)
        ?.close()
        .catch(() => undefined);
      handles.delete(file);
      for (const { reject } of of) reject(error);
    }
    pending -= text.length;
    await closeOlder(handles);
  }

  return {
    append(kind, atMs, rows) {
      const text = rows.map((row) => `${JSON.stringify(row)}\n`).join('');
      pending += text.length;
      return new Promise((resolve, reject) => {
        waiting.push({ file: path.join(folder, kind, `${dayOf(atMs)}.jsonl`), text, resolve, reject });
        work ??= writeAll();
      });
    },
    pendingBytes: () => pending,
    async close() {
      await work;
      for (const handle of handles.values()) await handle.close();
      handles.clear();
    },
  };
}

/** Opens a log to append to. A line that a crash cut off is ended first, so that it spoils no other. */
async function openLog(file: string): Promise<FileHandle> {
  mkdirSync(path.dirname(file), { recursive: true });
  const handle = await open(file, 'a+');
  const { size } = await handle.stat();
  if (size > 0) {
    const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, size - 1);
    if (buffer[0] !== 10) await handle.appendFile('\n');
  }
  return handle;
}

const MAX_OPEN = 8;

async function closeOlder(handles: Map<string, FileHandle>): Promise<void> {
  for (const [file, handle] of handles) {
    if (handles.size <= MAX_OPEN) return;
    handles.delete(file);
    await handle.close();
  }
}
