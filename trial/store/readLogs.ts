import { createReadStream, existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
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

const CHUNK_BYTES = 2 ** 20;

/** Reads the rows of a log, line by line. Resolves to the number of lines that are no JSON. */
export async function readLog(file: string, take: (row: object) => void): Promise<number> {
  let torn = 0;
  const takeLine = (line: string): void => {
    if (line === '') return;
    try {
      take(JSON.parse(line) as object);
    } catch {
      torn += 1;
    }
  };
  let rest = '';
  const chunks = createReadStream(file, { encoding: 'utf8', highWaterMark: CHUNK_BYTES });
  for await (const chunk of chunks as AsyncIterable<string>) {
    const text = rest + chunk;
    let start = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
      takeLine(text.slice(start, end));
      start = end + 1;
    }
    rest = text.slice(start);
  }
  takeLine(rest);
  return torn;
}
