import { readFileSync } from 'node:fs';
import path from 'node:path';
import { filesOfTrace, keptNames } from '../../experiment/simulate/traceStore.ts';
import { seededRandom } from '../../src/analysis/statistics/random.ts';
import type { RateTrace } from '../../src/network/rateTrace.ts';
import { traceSets } from '../../src/network/traceSets/traceSets.ts';
import { readTrace } from '../../src/network/traces/readTrace.ts';
import { pick } from '../../src/shared/registry.ts';

/** What the sessions of the bench are played over, and its name for the reader of the figures. */
interface TraceSet {
  readonly label: string;
  readonly traces: readonly RateTrace[];
}

/** The HSDPA test set, where this machine has it (`pitwall traces add`); else made-up traces. */
export function traceSet(): TraceSet {
  const hsdpa = pick(traceSets, 'hsdpa');
  if (keptNames(hsdpa).length < Object.keys(hsdpa.files).length)
    return { label: `${MADE_UP} made-up ones (seeded), no HSDPA found`, traces: madeUp() };
  const traces = filesOfTrace('trace:hsdpa', '.').map(traceOf);
  return { label: `${traces.length} of HSDPA (Riiser et al., 2013)`, traces };
}

function traceOf(file: string): RateTrace {
  const trace = readTrace(readFileSync(file, 'utf8'), { name: path.basename(file) });
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
