import type { Profile, ProfileStep, Queue } from './profile.ts';
import { lengthMs, type RateTrace } from './rateTrace.ts';

interface ProfileOfTraceOptions {
  /** For traces without one; Pensieve's 80 ms if not given (`LINK_RTT` of its fixed_env.py). */
  readonly rttMs?: number;
  /** 100 packets, tail drop, if not given: a recording does not contain it. */
  readonly queue?: Queue;
}

/**
 * A recorded trace as a profile for the link: the downlink is what the trace carried, for ever again; no limit on the uplink, no
 * random loss. A first pass that begins late (`startMs`) is the same as turning the trace round to begin there.
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
