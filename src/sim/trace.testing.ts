import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { RateTrace } from '../network/rateTrace.ts';
import { readTrace } from '../network/traces/readTrace.ts';

/** A trace of the HSDPA test set, by name. */
export function testTrace(folder: string, name: string): RateTrace {
  const text = readFileSync(path.join(folder, 'comyco/cooked_test_traces', name), 'utf8');
  const trace = readTrace(text, { name });
  if (!trace.ok) throw new Error(trace.error);
  return trace.value;
}
