import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { formatFileError, makeFolder, writeAtomically } from '../../node/files.ts';
import { tracesFolder } from '../../lab/tracesFolder.ts';
import {
  faultOfNamed,
  formatLacking,
  namedTrace,
  TRACE,
  traceSets,
  type TraceSet,
} from '../../src/network/traceSets/traceSets.ts';

const keptFile = (set: TraceSet, name: string): string => path.join(tracesFolder(), set.id, name);

/** Returns the names of a set's files that are kept here. */
export const keptNames = (set: TraceSet): string[] =>
  Object.keys(set.files).filter((name) => existsSync(keptFile(set, name)));

/**
 * Finds the files of what stands after `trace:`: a trace of a set, a whole set, or a path relative to `folder`.
 * @throws Error in one sentence that says what is missing, and where it is published
 */
export function filesOfTrace(entry: string, folder: string): string[] {
  const named = namedTrace(entry);
  if (!named) return [path.resolve(folder, entry.slice(TRACE.length))];
  const { set, name } = named;
  const fault = name === null ? null : faultOfNamed(entry);
  if (fault !== null) throw new Error(fault);
  const names = name === null ? Object.keys(set.files) : [name];
  const kept = keptNames(set);
  const lacking = names.filter((each) => !kept.includes(each));
  if (lacking.length > 0) throw new Error(formatLacking(set, lacking));
  return names.map((each) => keptFile(set, each));
}

/** Says which of these traces are not on this machine: a sentence for each set, and for each file without one. */
export function lackingTraces(entries: readonly string[], folder: string): string[] {
  const bySet = new Map<TraceSet, string[]>();
  const sentences: string[] = [];
  for (const entry of new Set(entries)) {
    const { set, name = null } = namedTrace(entry) ?? {};
    if (set && name !== null && !existsSync(keptFile(set, name)))
      bySet.set(set, [...(bySet.get(set) ?? []), name]);
    if (!set && !existsSync(path.resolve(folder, entry.slice(TRACE.length))))
      sentences.push(`${entry}: There is no such file (relative to ${folder}).`);
  }
  return [...[...bySet].map(([set, names]) => formatLacking(set, names)), ...sentences];
}

/** Traces of a set that were found. */
interface AddedTraces {
  readonly set: TraceSet;
  readonly found: number;
  /** Number of traces that were not here before. */
  readonly added: number;
}

/** Maximum size of a trace, bytes: no larger file is read. */
const LARGEST = 20e6;

/** Maximum number of folders in folders; a link is not followed, so none can lead back. */
const MAX_FOLDERS = 20_000;

/**
 * Keeps what is a trace of a set in a file or a folder and those below it; names do not matter, only what is in a file.
 * @throws Error in one sentence
 */
export async function addTraces(given: string, sets = traceSets): Promise<AddedTraces[]> {
  const known = new Map(
    sets.flatMap((set) => Object.entries(set.files).map(([name, hash]) => [hash, { set, name }])),
  );
  const found = new Map<TraceSet, { names: Set<string>; added: number }>();
  for await (const file of regularFiles(given)) {
    const text = await readFile(file).catch(() => null);
    const trace = text && known.get(hashOfTrace(text));
    if (!trace) continue;
    const { set, name } = trace;
    const of = found.get(set) ?? { names: new Set(), added: 0 };
    found.set(set, of);
    of.names.add(name);
    if (!existsSync(keptFile(set, name))) of.added += 1;
    makeFolder(path.dirname(keptFile(set, name)));
    writeAtomically(keptFile(set, name), text);
  }
  return sets.map((set) => ({
    set,
    found: found.get(set)?.names.size ?? 0,
    added: found.get(set)?.added ?? 0,
  }));
}

/** Hashes the text of a trace with line ends of one character: git may have changed them. */
const hashOfTrace = (content: Buffer): string =>
  createHash('sha256')
    .update(content.toString('latin1').replaceAll('\r\n', '\n'), 'latin1')
    .digest('hex')
    .slice(0, 32);

async function* regularFiles(given: string): AsyncGenerator<string> {
  const top = await stat(given).catch((error: unknown) => {
    throw new Error(formatFileError(given, error));
  });
  if (top.isFile()) return yield given;
  const folders = [given];
  for (let at = 0; at < folders.length; at += 1) {
    if (at >= MAX_FOLDERS)
      throw new Error(`${given}: It has more than ${MAX_FOLDERS} folders: name the one of the traces.`);
    const entries = await readdir(folders[at]!, { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      const place = path.join(folders[at]!, entry.name);
      if (entry.isDirectory() && entry.name !== '.git') folders.push(place);
      else if (entry.isFile() && (await stat(place)).size <= LARGEST) yield place;
    }
  }
}
