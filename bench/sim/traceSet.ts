import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { seededRandom } from '../../src/analysis/statistics/random.ts';
import type { RateTrace } from '../../src/network/rateTrace.ts';
import { readTrace } from '../../src/network/traces/readTrace.ts';

/** What the sessions of the bench are played over, and its name for the reader of the figures. */
export interface TraceSet {
  readonly label: string;
  readonly traces: readonly RateTrace[];
}

/** The HSDPA test set, where it lies beside the checkout (or PITWALL_TRACES names its folder); else made-up traces. */
export function traceSet(root: string): TraceSet {
  const shared = process.env['PITWALL_TRACES'] ?? path.join(path.dirname(root), 'shared', 'traces');
  const folder = path.join(shared, 'comyco', 'cooked_test_traces');
  if (!existsSync(folder))
    return { label: `${MADE_UP} made-up ones (seeded), no HSDPA found`, traces: madeUp() };
  const traces = readdirSync(folder)
    .sort()
    .map((name) => traceOf(folder, name));
  return { label: `${traces.length} of HSDPA (Riiser et al., 2013)`, traces };
}

function traceOf(folder: string, name: string): RateTrace {
  const trace = readTrace(readFileSync(path.join(folder, name), 'utf8'), { name });
  if (!trace.ok) throw new Error(trace.error);
  return trace.value;
}

const MADE_UP = 40;
const SECONDS = 400;

/** Like mobile links: each second's rate is the last one's, up or down by a quarter, with an outage now and then. */
const madeUp = (): RateTrace[] =>
  Array.from({ length: MADE_UP }, (_, index) => {
    const random = seededRandom(index + 1);
    let kbps = 500 + 2500 * random();
    const rateKbps = Float64Array.from({ length: SECONDS }, () => {
      kbps = Math.min(8000, Math.max(150, kbps * (0.75 + 0.52 * random())));
      return random() < 0.02 ? 0 : kbps;
    });
    rateKbps[0] = kbps;
    return {
      name: `made-up-${index + 1}`,
      endMs: Float64Array.from({ length: SECONDS }, (_, second) => 1000 * (second + 1)),
      rateKbps,
      rttMs: null,
      startMs: 0,
    };
  });
