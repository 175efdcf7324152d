/**
 * Policies that compare the times to the first byte of two pathways. They probe with small bodies, because that is what
 * their sources do. A policer lets small answers pass, so they do not see it (docs/steering.md).
 */
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
    const { probeEveryMs, window, factor, minSamples, onlyOnFailure } = parameters;
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
      observe(state: RttState, event: SteeringEvent): RttState {
        if (event.kind === 'network-change') return { ...state, rttsMs: {}, hasFailed: false };
        if (event.kind === 'began' && event.purpose === 'probe')
          return { ...state, probedAtMs: { ...state.probedAtMs, [event.pathway]: event.atMs } };
        if (event.kind !== 'ended') return state;
        if (event.purpose === 'media')
          return event.pathway === state.any ? { ...state, hasFailed: event.outcome === 'failed' } : state;
        const rttMs = latencyOf(event);
        if (rttMs === null) return state;
        const before = state.rttsMs[event.pathway] ?? [];
        return {
          ...state,
          rttsMs: { ...state.rttsMs, [event.pathway]: [...before, rttMs].slice(-window) },
        };
      },
      choose(state: RttState, moment: SteeringMoment): SteeringAnswer {
        const { any, tcp } = state;
        if (tcp === null) return { pathway: any, because: 'There is no pathway without HTTP/3.' };
        const sides = [any, tcp].map((id) => state.rttsMs[id] ?? []);
        const [quicMs, tcpMs] = sides.map(median);
        const ratio = quicMs != null && tcpMs != null && tcpMs > 0 ? quicMs / tcpMs : null;
        const few = sides.some(({ length }) => length < minSamples);
        const isLimited = !few && ratio !== null && ratio >= factor;
        const mayLeave = moment.pathway === tcp || state.hasFailed || !onlyOnFailure;
        const due = [any, tcp].find(
          (id) => moment.nowMs - (state.probedAtMs[id] ?? -Infinity) >= probeEveryMs,
        );
        return {
          pathway: isLimited && mayLeave ? tcp : any,
          because: sentenceOf({ few, ratio, factor, isLimited, mayLeave }),
          values: { quicRttMs: quicMs ?? null, tcpRttMs: tcpMs ?? null },
          ...(due !== undefined && { probe: { pathway: due, bytes: PROBE_BYTES } }),
        };
      },
    };
  },
);

function sentenceOf({
  few,
  ratio,
  factor,
  isLimited,
  mayLeave,
}: {
  few: boolean;
  ratio: number | null;
  factor: number;
  isLimited: boolean;
  mayLeave: boolean;
}): string {
  if (few || ratio === null) return 'Too few round trips were measured, so the browser is left alone.';
  const measured = `The median round trip with HTTP/3 is ${ratio.toFixed(1)} times that over TCP`;
  if (!isLimited) return `${measured}, less than ${factor} times.`;
  return mayLeave
    ? `${measured}, at least ${factor} times: HTTP/3 is limited.`
    : `${measured}, but no request failed, so the browser is left alone.`;
}

function median(values: readonly number[]): number | null {
  const sorted = values.toSorted((one, other) => one - other);
  const [low, high] = [sorted[Math.ceil(sorted.length / 2) - 1], sorted[Math.floor(sorted.length / 2)]];
  return low === undefined || high === undefined ? null : (low + high) / 2;
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
    const { weight, minSamples, factor, floorMs, holdMs, probeEveryMs } = parameters;
    mustBePositive('ewma-ratio', parameters, ['weight', 'factor', 'holdMs', 'probeEveryMs']);
    mustBeCount('ewma-ratio', parameters, 'minSamples');
    const settled = (state: EwmaState, id: string): Average | null => {
      const average = state.averages[id];
      return average && average.samples >= minSamples ? average : null;
    };
    return {
      id: 'ewma-ratio',
      label: 'ratio of moving averages',
      paper: 'Félix Saparelli, web-faith-alt-svc 0.7 (Rust crate), 2026',
      start: (context: SteeringContext): EwmaState => ({
        ...pairOf(context),
        averages: {},
        probedAtMs: -probeEveryMs,
        leftAtMs: null,
      }),
      observe(state: EwmaState, event: SteeringEvent): EwmaState {
        if (event.kind === 'network-change') return { ...state, averages: {}, leftAtMs: null };
        if (event.kind === 'began' && event.purpose === 'probe') return { ...state, probedAtMs: event.atMs };
        const ms = event.kind === 'ended' ? latencyOf(event) : null;
        if (event.kind !== 'ended' || ms === null) return state;
        const before = state.averages[event.pathway];
        const next = before
          ? { ms: weight * ms + (1 - weight) * before.ms, samples: before.samples + 1 }
          : { ms, samples: 1 };
        const averages = { ...state.averages, [event.pathway]: next };
        const [quic, tcp] = [state.any, state.tcp ?? ''].map((id) => settled({ ...state, averages }, id));
        const isSlow = quic && tcp && quic.ms > tcp.ms * factor && quic.ms > tcp.ms + floorMs;
        if (!isSlow || event.pathway !== state.any) return { ...state, averages };
        // What was measured before is forgotten: after the pause HTTP/3 is judged by new requests.
        const { [state.any]: _slow, ...others } = averages;
        return { ...state, averages: others, leftAtMs: event.atMs };
      },
      choose(state: EwmaState, { nowMs }: SteeringMoment): SteeringAnswer {
        const { any, tcp, leftAtMs } = state;
        if (tcp === null) return { pathway: any, because: 'There is no pathway without HTTP/3.' };
        const holds = leftAtMs !== null && nowMs - leftAtMs < holdMs;
        const isProbeDue = settled(state, tcp) === null && nowMs - state.probedAtMs >= probeEveryMs;
        return {
          pathway: holds ? tcp : any,
          because: holds
            ? `The first byte came later with HTTP/3 than over TCP, by more than ${factor} times.`
            : 'The first byte does not come much later with HTTP/3 than over TCP, as far as is known.',
          values: {
            quicFirstByteMs: state.averages[any]?.ms ?? null,
            tcpFirstByteMs: state.averages[tcp]?.ms ?? null,
          },
          ...(isProbeDue && { probe: { pathway: tcp, bytes: PROBE_BYTES } }),
        };
      },
    };
  },
);
