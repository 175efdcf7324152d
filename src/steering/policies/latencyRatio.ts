/**
 * Policies that compare the times to the first byte of two pathways. They probe with small bodies, because that is what
 * their sources do. A policer lets small answers pass, so they do not see it (docs/steering.md).
 */
import { median } from '../../shared/median.ts';
import { mustBeCount, mustBePositive } from '../../shared/parameters.ts';
import type {
  RequestEnded,
  SteeringAnswer,
  SteeringContext,
  SteeringEvent,
  SteeringMoment,
} from '../policy.ts';
import { tunablePolicy } from '../tunablePolicy.ts';

/** The pathway with HTTP/3 and the one without, where there are two. */
interface Pair {
  readonly any: string;
  readonly tcp: string | null;
}

/** Enough for headers and one packet: what is measured is a round trip. */
const PROBE_BYTES = 1000;

const pairOf = ({ pathways }: SteeringContext): Pair => ({
  any: pathways[0]?.id ?? 'main',
  tcp: pathways.find(({ carries }, at) => at > 0 && carries === 'tcp')?.id ?? null,
});

/**
 * Time from request to first byte in ms; null where that is no round trip: an answer that did not come, or one that
 * waited for handshakes first.
 */
const latencyOf = ({ outcome, firstByteMs, startMs, connectionReused }: RequestEnded): number | null =>
  outcome === 'ok' && firstByteMs !== null && connectionReused === true ? firstByteMs - startMs : null;

/** The answer where there is nothing to choose from. */
const answerWithoutTcp = ({ any }: Pair): SteeringAnswer => ({
  pathway: any,
  because: 'There is no pathway without HTTP/3.',
});

interface RttState extends Pair {
  /** By pathway: the latest round trips, oldest first, in ms. */
  readonly rttsMs: Readonly<Record<string, readonly number[]>>;
  readonly probedAtMs: Readonly<Record<string, number>>;
  /** The last media request over the pathway with HTTP/3 failed. */
  readonly hasFailed: boolean;
}

/**
 * Decides as the browser of the 2024 racing paper does (§X-A): a probe every 15 s over each protocol, medians of the last
 * ten, and where a request fails while the median over QUIC is at least three times that over TCP, QUIC is being limited.
 * Where nothing failed, or with fewer than `minSamples` on a side, the browser is left alone; the paper does not give that
 * number. There the decision is made in the browser's source; here it moves the next request to the TCP pathway.
 * `onlyOnFailure=false` compares the medians before every request instead.
 */
export const rttRatio = tunablePolicy(
  { probeEveryMs: 15_000, window: 10, factor: 3, minSamples: 3, onlyOnFailure: true },
  (parameters) => {
    mustBePositive('rtt-ratio', parameters, ['probeEveryMs', 'factor']);
    mustBeCount('rtt-ratio', parameters, 'window');
    mustBeCount('rtt-ratio', parameters, 'minSamples');
    return {
      id: 'rtt-ratio',
      label: 'ratio of round trips',
      paper: 'S. Chaudhary et al.: Managing Connections by QUIC-TCP Racing, 2024, §X-A',
      start: (context: SteeringContext): RttState => ({
        ...pairOf(context),
        rttsMs: {},
        probedAtMs: {},
        hasFailed: false,
      }),
      observe: (state: RttState, event: SteeringEvent): RttState =>
        observeRtt(state, event, parameters.window),
      choose: (state: RttState, moment: SteeringMoment): SteeringAnswer =>
        chooseByRtt(state, moment, parameters),
    };
  },
);

interface RttSettings {
  readonly probeEveryMs: number;
  readonly factor: number;
  readonly minSamples: number;
  readonly onlyOnFailure: boolean;
}

function observeRtt(state: RttState, event: SteeringEvent, window: number): RttState {
  switch (event.kind) {
    case 'network-change':
      return { ...state, rttsMs: {}, hasFailed: false };
    case 'began':
      return event.purpose === 'probe'
        ? { ...state, probedAtMs: { ...state.probedAtMs, [event.pathway]: event.atMs } }
        : state;
    case 'ended':
      if (event.purpose === 'probe') return addRtt(state, event, window);
      return event.pathway === state.any ? { ...state, hasFailed: event.outcome === 'failed' } : state;
    case 'progress':
      return state;
  }
}

function addRtt(state: RttState, event: RequestEnded, window: number): RttState {
  const rttMs = latencyOf(event);
  if (rttMs === null) return state;
  const before = state.rttsMs[event.pathway] ?? [];
  return { ...state, rttsMs: { ...state.rttsMs, [event.pathway]: [...before, rttMs].slice(-window) } };
}

function chooseByRtt(
  state: RttState,
  { pathway: present, nowMs }: SteeringMoment,
  settings: RttSettings,
): SteeringAnswer {
  const { any, tcp, probedAtMs } = state;
  if (tcp === null) return answerWithoutTcp(state);
  const { factor, probeEveryMs, onlyOnFailure } = settings;
  const { quicRttMs, tcpRttMs, ratio } = compareRtts(state, tcp, settings);
  const isLimited = ratio !== null && ratio >= factor;
  const mayLeave = present === tcp || state.hasFailed || !onlyOnFailure;
  const due = [any, tcp].find((id) => nowMs - (probedAtMs[id] ?? -Infinity) >= probeEveryMs);
  return {
    pathway: isLimited && mayLeave ? tcp : any,
    because: formatRatio({ ratio, factor, isLimited, mayLeave }),
    values: { quicRttMs, tcpRttMs },
    ...(due !== undefined && { probe: { pathway: due, bytes: PROBE_BYTES } }),
  };
}

interface RttComparison {
  readonly quicRttMs: number | null;
  readonly tcpRttMs: number | null;
  /** Ratio of the medians, QUIC to TCP; null where too few round trips were measured. */
  readonly ratio: number | null;
}

function compareRtts({ any, rttsMs }: RttState, tcp: string, { minSamples }: RttSettings): RttComparison {
  const [overQuic, overTcp] = [rttsMs[any] ?? [], rttsMs[tcp] ?? []];
  const [quicRttMs, tcpRttMs] = [median(overQuic), median(overTcp)];
  const areEnough = Math.min(overQuic.length, overTcp.length) >= minSamples;
  const isKnown = areEnough && quicRttMs !== null && tcpRttMs !== null && tcpRttMs > 0;
  return { quicRttMs, tcpRttMs, ratio: isKnown ? quicRttMs / tcpRttMs : null };
}

function formatRatio({
  ratio,
  factor,
  isLimited,
  mayLeave,
}: {
  readonly ratio: number | null;
  readonly factor: number;
  readonly isLimited: boolean;
  readonly mayLeave: boolean;
}): string {
  if (ratio === null) return 'Too few round trips were measured, so the browser is left alone.';
  const measured = `The median round trip with HTTP/3 is ${ratio.toFixed(1)} times that over TCP`;
  if (!isLimited) return `${measured}, less than ${factor} times.`;
  return mayLeave
    ? `${measured}, at least ${factor} times: HTTP/3 is limited.`
    : `${measured}, but no request failed, so the browser is left alone.`;
}

interface Average {
  readonly ms: number;
  readonly samples: number;
}

interface EwmaState extends Pair {
  readonly averages: Readonly<Record<string, Average>>;
  readonly probedAtMs: number;
  /** When the pathway with HTTP/3 was left; null while it is used. */
  readonly leftAtMs: number | null;
}

/**
 * Compares moving averages of the time to the response headers, as the Rust crate web-faith-alt-svc does (`PathTime` in
 * its cache.rs: weight 0.2 for the newest sample, eight samples on each side, QUIC slower by a factor of 2.5 and by
 * 10 ms, then TCP for ten minutes). A request of the player stands for a request there. The crate meets TCP before the
 * upgrade; a player that starts with HTTP/3 does not, so a probe over TCP every 5 s makes the first eight samples.
 */
export const ewmaRatio = tunablePolicy(
  { weight: 0.2, minSamples: 8, factor: 2.5, floorMs: 10, holdMs: 600_000, probeEveryMs: 5000 },
  (parameters) => {
    mustBePositive('ewma-ratio', parameters, ['weight', 'factor', 'holdMs', 'probeEveryMs']);
    mustBeCount('ewma-ratio', parameters, 'minSamples');
    return {
      id: 'ewma-ratio',
      label: 'ratio of moving averages',
      paper: 'Félix Saparelli, web-faith-alt-svc 0.7 (Rust crate), 2026',
      start: (context: SteeringContext): EwmaState => ({
        ...pairOf(context),
        averages: {},
        probedAtMs: -parameters.probeEveryMs,
        leftAtMs: null,
      }),
      observe: (state: EwmaState, event: SteeringEvent): EwmaState => observeEwma(state, event, parameters),
      choose: (state: EwmaState, moment: SteeringMoment): SteeringAnswer =>
        chooseByEwma(state, moment, parameters),
    };
  },
);

interface EwmaSettings {
  readonly weight: number;
  readonly minSamples: number;
  readonly factor: number;
  readonly floorMs: number;
  readonly holdMs: number;
  readonly probeEveryMs: number;
}

function observeEwma(state: EwmaState, event: SteeringEvent, settings: EwmaSettings): EwmaState {
  switch (event.kind) {
    case 'network-change':
      return { ...state, averages: {}, leftAtMs: null };
    case 'began':
      return event.purpose === 'probe' ? { ...state, probedAtMs: event.atMs } : state;
    case 'ended':
      return addLatency(state, event, settings);
    case 'progress':
      return state;
  }
}

/** Adds a sample to the average of its pathway, and leaves the one with HTTP/3 where that shows that it is slow. */
function addLatency(state: EwmaState, event: RequestEnded, settings: EwmaSettings): EwmaState {
  const latencyMs = latencyOf(event);
  if (latencyMs === null) return state;
  const average = averageAfter(state.averages[event.pathway], latencyMs, settings);
  const averages = { ...state.averages, [event.pathway]: average };
  const next = { ...state, averages };
  if (event.pathway !== state.any || !isSlow(next, settings)) return next;
  // What was measured before is forgotten: after the pause HTTP/3 is judged by new requests.
  const others = Object.fromEntries(Object.entries(averages).filter(([id]) => id !== state.any));
  return { ...next, averages: others, leftAtMs: event.atMs };
}

function averageAfter(before: Average | undefined, sampleMs: number, { weight }: EwmaSettings): Average {
  if (!before) return { ms: sampleMs, samples: 1 };
  return { ms: weight * sampleMs + (1 - weight) * before.ms, samples: before.samples + 1 };
}

/** Whether the first byte comes much later with HTTP/3 than over TCP; not before there are enough samples of both. */
function isSlow(state: EwmaState, settings: EwmaSettings): boolean {
  const [quic, tcp] = [state.any, state.tcp ?? ''].map((id) => settledAverage(state, id, settings));
  if (!quic || !tcp) return false;
  return quic.ms > tcp.ms * settings.factor && quic.ms > tcp.ms + settings.floorMs;
}

/** The average of a pathway; null while it has too few samples. */
function settledAverage({ averages }: EwmaState, id: string, { minSamples }: EwmaSettings): Average | null {
  const average = averages[id];
  return average && average.samples >= minSamples ? average : null;
}

/** Whether the pathway with HTTP/3 was left so recently that it is not used yet. */
const holdsTcp = ({ leftAtMs }: EwmaState, nowMs: number, { holdMs }: EwmaSettings): boolean =>
  leftAtMs !== null && nowMs - leftAtMs < holdMs;

function chooseByEwma(state: EwmaState, { nowMs }: SteeringMoment, settings: EwmaSettings): SteeringAnswer {
  const { any, tcp, averages } = state;
  if (tcp === null) return answerWithoutTcp(state);
  const holds = holdsTcp(state, nowMs, settings);
  const isProbeDue =
    settledAverage(state, tcp, settings) === null && nowMs - state.probedAtMs >= settings.probeEveryMs;
  return {
    pathway: holds ? tcp : any,
    because: holds
      ? `The first byte came later with HTTP/3 than over TCP, by more than ${settings.factor} times.`
      : 'The first byte does not come much later with HTTP/3 than over TCP, as far as is known.',
    values: {
      quicFirstByteMs: averages[any]?.ms ?? null,
      tcpFirstByteMs: averages[tcp]?.ms ?? null,
    },
    ...(isProbeDue && { probe: { pathway: tcp, bytes: PROBE_BYTES } }),
  };
}
