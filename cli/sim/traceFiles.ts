import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { PROFILE, profileTrace } from './profileTrace.ts';
import { sentenceOf } from '../sentenceOf.ts';
import { textOf } from '../textOf.ts';
import { valueOf } from '../valueOf.ts';
import type { RateTrace } from '../../src/network/rateTrace.ts';
import { traceFormatOf } from '../../src/network/traceFormatOf.ts';

/** Traces, and the ids of the formats that they were in. */
export interface TraceSet {
  readonly traces: readonly RateTrace[];
  readonly formats: readonly string[];
  /** What of a profile is not in its trace. */
  readonly notes: readonly string[];
}

/**
 * The traces of files and folders, by name within a folder, and of `profile:ID`s after them. Of a folder every file must be a trace, hidden ones apart;
 * folders in it are not looked into. @throws Error in one sentence that names the file
 */
export async function traceFiles(given: readonly string[], format: string | null): Promise<TraceSet> {
  const asked = given.filter((each) => each.startsWith(PROFILE));
  const profiles = asked.map(profileTrace);
  const paths = given.filter((each) => !each.startsWith(PROFILE));
  const files = (await Promise.all(paths.map(filesOf))).flat();
  refuseTwice([...files.map((file) => path.resolve(file)), ...asked]);
  const names = files.map((file) => path.basename(file));
  const allNames = [...names, ...profiles.map(({ trace }) => trace.name)];
  const isUnique = new Set(allNames).size === allNames.length;
  const traces: RateTrace[] = [];
  const formats = new Set<string>();
  for (const [index, file] of files.entries()) {
    const text = await textOf(file);
    const found = valueOf(traceFormatOf(text, { name: file, format }));
    traces.push({ ...valueOf(found.read(text, file)), name: isUnique ? names[index]! : file });
    formats.add(found.id);
  }
  if (profiles.length > 0) formats.add('profile');
  traces.push(...profiles.map(({ trace }) => trace));
  return { traces, formats: [...formats], notes: profiles.map(({ note }) => note) };
}

/** A trace that counts twice would make the interval narrower than it is. */
function refuseTwice(traces: readonly string[]): void {
  const seen = new Set<string>();
  for (const trace of traces) {
    if (seen.has(trace)) throw new Error(`${trace}: This trace is given twice.`);
    seen.add(trace);
  }
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
