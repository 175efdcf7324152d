import type { Entry } from '../../shared/registry.ts';
import type { Result } from '../../shared/result.ts';
import { meanKbps, type RateTrace } from '../rateTrace.ts';
import { TextFault, type Place } from '../text/textFault.ts';

/** Reads traces that are written in one way. `docs/networks.md` describes the formats for people. */
export interface TraceFormat extends Entry {
  /** What a file of it holds, in a line for `--help`. */
  readonly meaning: string;
  /** Whether a text may be of this format, from its beginning. Faults further down do not matter: `read` names them. */
  looksLike(text: string): boolean;
  /** `name` is the file's, for the trace and for the one sentence of the error. */
  read(text: string, name: string): Result<RateTrace>;
}

/** What a path carried for a while, as a file states it. */
export interface Sample {
  /** When it ended, when it began, or how long it lasted: the three functions below differ in that. */
  readonly timeMs: number;
  readonly rateKbps: number;
  readonly rttMs: number | null;
  /** Where the file states the time. */
  readonly place: Place;
}

/** A trace of samples that state when they ended; the first one began at `startMs`. @throws TextFault */
export function traceFromEnds(
  samples: Iterable<Sample>,
  { name, startMs }: Pick<RateTrace, 'name' | 'startMs'>,
): RateTrace {
  const { timesMs, ratesKbps, rttMs } = columnsOf(samples, startMs);
  if (timesMs.length === 0) throw new TextFault('It holds no piece of a trace.');
  const trace = { name, endMs: timesMs, rateKbps: ratesKbps, rttMs, startMs };
  mustCarry(trace);
  return trace;
}

/**
 * A trace of samples that state their start. The first is the trace's zero; the last lasts as long as the one before
 * it, since nothing says how long. @throws TextFault
 */
export function traceFromStarts(samples: Iterable<Sample>, name: string): RateTrace {
  const { timesMs, ratesKbps, rttMs } = columnsOf(samples, -Infinity);
  const [first, last, before] = [timesMs[0], timesMs.at(-1), timesMs.at(-2)];
  if (first === undefined || last === undefined || before === undefined)
    throw new TextFault('It needs two lines or more: each lasts until the time of the next.');
  const endMs = timesMs.map((_, index) => (timesMs[index + 1] ?? 2 * last - before) - first);
  const trace = { name, endMs, rateKbps: ratesKbps, rttMs, startMs: 0 };
  mustCarry(trace);
  return trace;
}

/** A trace of samples that state how long they lasted. @throws TextFault */
export function traceFromDurations(samples: Iterable<Sample>, name: string): RateTrace {
  return traceFromEnds(ends(), { name, startMs: 0 });

  function* ends(): Iterable<Sample> {
    let endMs = 0;
    for (const sample of samples) {
      if (sample.timeMs === 0) throw new TextFault('A piece lasts 0 ms; it must last longer.', sample.place);
      endMs += sample.timeMs;
      yield { ...sample, timeMs: endMs };
    }
  }
}

/**
 * Samples as columns of numbers, so that none of their objects is kept. Times rise, from above `fromMs`. The RTT is known for
 * all or for none: a file that states it only here and there says nothing about the rest.
 */
function columnsOf(samples: Iterable<Sample>, fromMs: number) {
  const [times, rates, rtts]: [number[], number[], number[]] = [[], [], []];
  let beforeMs = fromMs;
  for (const { timeMs, rateKbps, rttMs, place } of samples) {
    mustRise(beforeMs, timeMs, place);
    beforeMs = timeMs;
    times.push(timeMs);
    rates.push(rateKbps);
    if (rttMs !== null) rtts.push(rttMs);
  }
  return {
    timesMs: Float64Array.from(times),
    ratesKbps: Float64Array.from(rates),
    rttMs: rtts.length === times.length ? Float64Array.from(rtts) : null,
  };
}

/** The longest piece of those that end at these times; the first begins at `startMs`. */
export function longestPieceMs(endMs: Float64Array, startMs: number): number {
  let [longestMs, beforeMs] = [0, startMs];
  for (const end of endMs) {
    longestMs = Math.max(longestMs, end - beforeMs);
    beforeMs = end;
  }
  return longestMs;
}

/** On a path slower than this a segment takes a good part of an hour: units are wrong, and a simulation hardly ends. */
const MIN_KBPS = 1;

function mustCarry(trace: RateTrace): void {
  if (trace.rateKbps.every((rate) => rate === 0))
    throw new TextFault('Every rate is 0: nothing would ever arrive.');
  const kbps = meanKbps(trace);
  if (kbps < MIN_KBPS)
    throw new TextFault(
      `It carries ${Number((kbps * 1000).toPrecision(2))} bit/s on average, too little to play anything. Are its units right?`,
    );
}

function mustRise(beforeMs: number, timeMs: number, place: Place): void {
  if (!(timeMs > beforeMs))
    throw new TextFault(
      `Time goes from ${secondsOf(beforeMs)} to ${secondsOf(timeMs)}; it must rise.`,
      place,
    );
}

const secondsOf = (ms: number): string => `${Number((ms / 1000).toFixed(6))} s`;
