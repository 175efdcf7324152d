import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { RateTrace } from '../network/rateTrace.ts';

/** A trace of the HSDPA test set, by name. */
export function testTrace(folder: string, name: string): RateTrace {
  const text = readFileSync(path.join(folder, 'comyco/cooked_test_traces', name), 'utf8');
  const rows = text
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number));
  return {
    name,
    endMs: Float64Array.from(rows.slice(1), ([seconds]) => seconds! * 1000),
    rateKbps: Float64Array.from(rows.slice(1), ([, mbps]) => mbps! * 1000),
    rttMs: null,
    startMs: rows[0]![0]! * 1000,
  };
}
