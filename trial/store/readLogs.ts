import { createReadStream, existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { LogKind } from './dayLogs.ts';

/** Returns the files of a log, in the order of days. */
export function logFilesOf(folder: string, kind: LogKind): string[] {
  const place = path.join(folder, kind);
  if (!existsSync(place)) return [];
  return readdirSync(place)
    .filter((name) => name.endsWith('.jsonl'))
    .sort()
    .map((name) => path.join(place, name));
}

/** Reads the rows of a log, line by line. Resolves to the number of lines that are no JSON. */
export async function readLog(file: string, take: (row: object) => void): Promise<number> {
  let torn = 0;
  for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Infinity })) {
    if (line === '') continue;
    try {
      take(JSON.parse(line) as object);
    } catch {
      torn += 1;
    }
  }
  return torn;
}
