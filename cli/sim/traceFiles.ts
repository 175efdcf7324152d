import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { sentenceOf } from '../sentenceOf.ts';
import type { RateTrace } from '../../src/network/rateTrace.ts';
import { readTrace } from '../../src/network/readTrace.ts';

/**
 * The traces of files and folders, by name within a folder. Of a folder every file must be a trace, hidden ones apart;
 * folders in it are not looked into. @throws Error in one sentence that names the file
 */
export async function traceFiles(paths: readonly string[], format: string | null): Promise<RateTrace[]> {
  const files = (await Promise.all(paths.map(filesOf))).flat();
  const names = files.map((file) => path.basename(file));
  const isUnique = new Set(names).size === names.length;
  const traces: RateTrace[] = [];
  for (const [index, file] of files.entries()) {
    const trace = readTrace(await textOf(file), { name: file, format });
    if (!trace.ok) throw new Error(trace.error);
    traces.push({ ...trace.value, name: isUnique ? names[index]! : file });
  }
  return traces;
}

async function filesOf(given: string): Promise<string[]> {
  const entry = await stat(given).catch((error: unknown) => {
    throw new Error(sentenceOf(given, error));
  });
  if (!entry.isDirectory()) return [given];
  const entries = await readdir(given, { withFileTypes: true });
  const files = entries.filter((each) => !each.isDirectory() && !each.name.startsWith('.'));
  if (files.length === 0) throw new Error(`${given}: There is no trace in this folder.`);
  return files.map(({ name }) => path.join(given, name)).sort();
}

const textOf = (file: string): Promise<string> =>
  readFile(file, 'utf8').catch((error: unknown) => {
    throw new Error(sentenceOf(file, error));
  });
