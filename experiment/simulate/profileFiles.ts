import path from 'node:path';
import { readPlainFile, readText, type ReadFile } from '../../node/files.ts';
import { profileFileName, profileOfFile, readProfileFile } from '../design/profileFile.ts';
import type { Profile } from '../../src/network/profile.ts';
import type { RateTrace } from '../../src/network/rateTrace.ts';
import { readTrace } from '../../src/network/traces/readTrace.ts';
import { valueOf } from '../../src/shared/result.ts';

/**
 * The profile that a file describes, with the traces that it names, relative to its folder. @throws Error in one sentence that
 * names the file and the place in it
 */
export async function profileFromFile(file: string, read: ReadFile = readPlainFile): Promise<Profile> {
  const described = valueOf(readProfileFile(await readText(file, read), file));
  const traces = new Map<string, RateTrace>();
  for (const [index, { trace }] of described.steps.entries())
    if (trace !== undefined && !traces.has(trace))
      traces.set(
        trace,
        await traceFrom(path.resolve(path.dirname(file), trace), read).catch((error: Error) => {
          throw new Error(`${file}: /steps/${index}/trace: ${error.message}`);
        }),
      );
  const profile = profileOfFile(described, { id: profileFileName(file), traces });
  if (!profile.ok) throw new Error(`${file}: ${profile.error}`);
  return profile.value;
}

const traceFrom = async (file: string, read: ReadFile): Promise<RateTrace> =>
  valueOf(readTrace(await readText(file, read), { name: file }));
