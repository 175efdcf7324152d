import type { Entry } from '../../shared/registry.ts';
import type { Result } from '../../shared/result.ts';
import type { RateTrace } from '../rateTrace.ts';
import { TextFault, type Place } from '../text/textFault.ts';

/** Reads traces that are written in one way. `docs/traces.md` describes the formats for people. */
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
  samples: readonly Sample[],
  { name, startMs }: Pick<RateTrace, 'name' | 'startMs'>,
): RateTrace {
  if (samples.length === 0) throw new TextFault('It holds no piece of a trace.');
  samples.forEach(({ timeMs, place }, index) =>
    mustRise(samples[index - 1]?.timeMs ?? startMs, timeMs, place),
  );
  if (samples.every(({ rateKbps }) => rateKbps === 0))
    throw new TextFault('Every rate is 0: nothing would ever arrive.');
  mustCarry(samples, startMs);
  return {
    name,
    endMs: Float64Array.from(samples, ({ timeMs }) => timeMs),
    rateKbps: Float64Array.from(samples, ({ rateKbps }) => rateKbps),
    rttMs: rttOf(samples),
    startMs,
  };
}

/**
 * A trace of samples that state their start. The first is the trace's zero; the last lasts as long as the one before
 * it, since nothing says how long. @throws TextFault
 */
export function traceFromStarts(samples: readonly Sample[], name: string): RateTrace {
  const [first, last, before] = [samples[0], samples.at(-1), samples.at(-2)];
  if (!first || !last || !before)
    throw new TextFault('It needs two lines or more: each lasts until the time of the next.');
  samples.slice(1).forEach(({ timeMs, place }, index) => mustRise(samples[index]!.timeMs, timeMs, place));
  const endMs = 2 * last.timeMs - before.timeMs;
  const ends = samples.map((sample, index) => ({
    ...sample,
    timeMs: (samples[index + 1]?.timeMs ?? endMs) - first.timeMs,
  }));
  return traceFromEnds(ends, { name, startMs: 0 });
}

/** A trace of samples that state how long they lasted. @throws TextFault */
export function traceFromDurations(samples: readonly Sample[], name: string): RateTrace {
  let endMs = 0;
  const ends = samples.map((sample) => {
    if (sample.timeMs === 0) throw new TextFault('A piece lasts 0 ms; it must last longer.', sample.place);
    endMs += sample.timeMs;
    return { ...sample, timeMs: endMs };
  });
  return traceFromEnds(ends, { name, startMs: 0 });
}

/** On a path slower than this a segment takes a good part of an hour: units are wrong, and a simulation hardly ends. */
const MIN_KBPS = 1;

function mustCarry(samples: readonly Sample[], startMs: number): void {
  const endMs = samples.at(-1)!.timeMs;
  const lengths = samples.map(({ timeMs }, index) => timeMs - (samples[index - 1]?.timeMs ?? startMs));
  const bits = samples.reduce((sum, { rateKbps }, index) => sum + rateKbps * lengths[index]!, 0);
  const meanKbps = bits / (endMs - startMs);
  if (meanKbps < MIN_KBPS)
    throw new TextFault(
      `It carries ${Number((meanKbps * 1000).toPrecision(2))} bit/s on average, too little to play anything. Are its units right?`,
    );
}

function mustRise(beforeMs: number, timeMs: number, place: Place): void {
  if (!(timeMs > beforeMs))
    throw new TextFault(
      `Time goes from ${secondsOf(beforeMs)} to ${secondsOf(timeMs)}; it must rise.`,
      place,
    );
}

/** Known for all or for none: a file that states it only here and there says nothing about the rest. */
function rttOf(samples: readonly Sample[]): Float64Array | null {
  const known = samples.map(({ rttMs }) => rttMs).filter((rttMs) => rttMs !== null);
  return known.length === samples.length ? Float64Array.from(known) : null;
}

const secondsOf = (ms: number): string => `${Number((ms / 1000).toFixed(6))} s`;
