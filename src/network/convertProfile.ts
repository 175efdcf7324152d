import { failed, ok, type Result } from '../shared/result.ts';
import type { Profile, ProfileStep, Queue } from './profile.ts';
import { lengthMs, type RateTrace } from './rateTrace.ts';

/** A trace always begins again, so a last step that stays is made longer than any session: a week. */
const FOR_EVER_MS = 7 * 24 * 3600 * 1000;

/**
 * Converts the downlink of a profile to a trace, as the simulator knows a path: rate, RTT and loss over time. `notSimulated`
 * names what is lost. Fails with one sentence where the downlink has no limit, because a trace cannot say that, or never
 * carries anything.
 */
export function traceOfProfile({ id, steps, repeat }: Profile): Result<RateTrace> {
  const rates = steps.map(({ downKbps }) => downKbps);
  if (rates.includes(null)) return failed(`Profile ${id}: Its downlink has no limit; a trace needs a rate.`);
  if (steps.every(({ downKbps, lossDown }) => downKbps === 0 || lossDown >= 1))
    return failed(`Profile ${id}: Nothing would ever arrive.`);
  let atMs = 0;
  const endMs = steps.map(({ durationMs }) => (atMs += durationMs));
  const lossy = steps.some(({ lossDown, lossUp }) => lossDown > 0 || lossUp > 0);
  if (!repeat || steps.length === 1) endMs[endMs.length - 1]! += FOR_EVER_MS;
  return ok({
    name: id,
    endMs: Float64Array.from(endMs),
    rateKbps: Float64Array.from(steps, ({ downKbps }) => downKbps ?? NaN),
    rttMs: Float64Array.from(steps, ({ rttMs }) => rttMs),
    ...(lossy && {
      lossDown: Float64Array.from(steps, ({ lossDown }) => lossDown),
      lossUp: Float64Array.from(steps, ({ lossUp }) => lossUp),
    }),
    ...(steps.some(({ gilbertDown }) => gilbertDown) && {
      againDown: Float64Array.from(steps, ({ lossDown, gilbertDown }) =>
        gilbertDown ? 1 - gilbertDown.r : lossDown,
      ),
    }),
    startMs: 0,
  });
}

/** What a simulator has of a profile beside rate and RTT. Absent: false. */
interface Modelled {
  /** It drops what overflows the queue. */
  readonly hasQueue?: boolean;
  /** It loses packets at random. */
  readonly hasLoss?: boolean;
  /** Its QUIC meets the limits of UDP (`udpPath`). */
  readonly hasUdp?: boolean;
}

/** Lists what a profile asks for and a simulator does not model: a few words each, none if all is there. */
export function notSimulated(
  { steps, queue, udp = [] }: Profile,
  { hasQueue = false, hasLoss = false, hasUdp = false }: Modelled = {},
): readonly string[] {
  const max = Math.max(...steps.map(({ lossDown, lossUp }) => Math.max(lossDown, lossUp)));
  const facts: readonly (readonly [boolean, string])[] = [
    [!hasLoss && max > 0, `loss (up to ${Number((100 * max).toPrecision(3))} %)`],
    [hasLoss && steps.some(({ lossUp }) => lossUp > 0), 'the loss of acknowledgements'],
    [!hasQueue, 'the queue'],
    [hasQueue, 'the delay that its queue adds to other connections'],
    [hasQueue && queue.kind === 'codel', 'what CoDel drops'],
    [steps.some(({ upKbps }) => upKbps !== null), 'the rate of the uplink'],
    [steps.some(({ newAddress }) => newAddress), 'new addresses of the client'],
    [steps.some(({ gapMs = 0 }) => gapMs > 0), 'the gap before a new address'],
    [steps.some(({ newUdpPorts }) => newUdpPorts), 'new ports of UDP'],
    [steps.some(({ mtuBytes }) => mtuBytes !== undefined), 'the MTU of the path'],
  ];
  const asked = facts.filter(([isAsked]) => isAsked).map(([, words]) => words);
  return [...asked, ...(hasUdp ? udpNotSimulated(udp) : udp.slice(0, 1).map(() => 'what befalls UDP alone'))];
}

function udpNotSimulated(udp: NonNullable<Profile['udp']>): string[] {
  const facts: readonly (readonly [boolean, string])[] = [
    [udp.some(({ queueMs }) => queueMs === undefined), 'what a limit of UDP lets pass at once'],
    [udp.some(({ upKbps }) => upKbps !== undefined), 'the limit of UDP towards the server'],
  ];
  return facts.filter(([isAsked]) => isAsked).map(([, words]) => words);
}

interface ProfileOfTraceOptions {
  /** For traces without one; Pensieve's 80 ms if not given (`LINK_RTT` of its fixed_env.py). */
  readonly rttMs?: number;
  /** 100 packets, tail drop, if not given: a recording does not contain it. */
  readonly queue?: Queue;
}

/**
 * Converts a recorded trace to a profile for the link: the downlink is what the trace carried, for ever again; no limit on
 * the uplink, no random loss. A first pass that begins late (`startMs`) is the same as turning the trace round to begin
 * there.
 */
export function profileOfTrace(
  trace: RateTrace,
  { rttMs = 80, queue = { kind: 'droptail', packets: 100 } }: ProfileOfTraceOptions = {},
): Profile {
  return {
    id: idOf(trace.name),
    label: trace.name,
    paper: `Recorded: ${trace.name}`,
    steps: turnedSteps(trace, rttMs),
    repeat: true,
    queue,
  };
}

function turnedSteps(trace: RateTrace, otherwiseMs: number): ProfileStep[] {
  const { endMs, rateKbps, rttMs, startMs } = trace;
  const piece = (index: number, [fromMs, untilMs]: readonly [number, number]): ProfileStep => ({
    durationMs: untilMs - fromMs,
    downKbps: rateKbps[index]!,
    upKbps: null,
    rttMs: rttMs?.[index] ?? otherwiseMs,
    lossDown: 0,
    lossUp: 0,
  });
  const bounds = (index: number) => [endMs[index - 1] ?? 0, endMs[index]!] as const;
  const offset = startMs % lengthMs(trace);
  const pieces = [...endMs.keys()];
  const after = pieces.map((at) => piece(at, [Math.max(bounds(at)[0], offset), bounds(at)[1]]));
  const before = pieces.map((at) => piece(at, [bounds(at)[0], Math.min(bounds(at)[1], offset)]));
  return [...after, ...before].filter(({ durationMs }) => durationMs > 0);
}

/** Kebab-case of a file name; ids of profiles appear in files and URLs. */
const idOf = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '') || 'trace';
