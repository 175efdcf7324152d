import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { lengthMs, type RateTrace } from '../rateTrace.ts';
import { readTrace } from './readTrace.ts';
import { describeWithTraces } from '../../shared/sharedTraces.testing.ts';

const meanOf = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** Mean over the time of a trace, Mbit/s. */
function meanMbps({ endMs, rateKbps, startMs }: RateTrace): number {
  let bits = 0;
  endMs.forEach((end, piece) => (bits += (end - (endMs[piece - 1] ?? startMs)) * rateKbps[piece]!));
  return bits / (endMs.at(-1)! - startMs) / 1000;
}

/** What the sources of the sets say: files, mean length in s, mean of the files' means in Mbit/s. */
const SETS = [
  { set: 'comyco/cooked_test_traces', files: 142, seconds: 261, mbps: 1.28 },
  { set: 'netllm/traces/test/fcc-test', files: 100, seconds: 319, mbps: 1.37 },
  { set: 'sabre/3Glogs', files: 86, seconds: 1307, mbps: 1.15 },
  { set: 'sabre/4Glogs', files: 40, seconds: 451, mbps: 31.4 },
  { set: 'sabre/sd_fs', files: 200, seconds: 180, mbps: 6.0 },
  { set: 'sabre/hd_fs', files: 200, seconds: 180, mbps: 17.4 },
];

describeWithTraces('published traces', (folder) => {
  test.each(SETS)('$set is read whole', ({ set, files, seconds, mbps }) => {
    const traces = readdirSync(path.join(folder, set)).map((name) => {
      const trace = readTrace(readFileSync(path.join(folder, set, name), 'utf8'), { name });
      if (!trace.ok) throw new Error(trace.error);
      return trace.value;
    });
    expect(traces).toHaveLength(files);
    expect(Math.round(meanOf(traces.map((trace) => lengthMs(trace) - trace.startMs)) / 1000)).toBe(seconds);
    expect(Math.abs(meanOf(traces.map(meanMbps)) / mbps - 1)).toBeLessThan(0.01);
  });
});
