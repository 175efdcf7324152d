import type { Entry } from '../../src/shared/registry.ts';

/** The rate at which a server sends the bytes of its bodies to one viewer, over time. Its steps are repeated. */
export interface Pace extends Entry {
  /** What there is to see, in a few words. */
  readonly about: string;
  readonly steps: readonly PaceStep[];
}

export interface PaceStep {
  readonly durationMs: number;
  /** 0: nothing is sent. */
  readonly kbps: number;
}

/** For the demo, whose levels have 0.2 to 4 Mbit/s: within half a minute its rule has to react. */
export const paces: readonly Pace[] = [
  {
    id: 'changing',
    label: 'A rate that changes',
    about: '4, 0.8, 2.5 and 0.4 Mbit/s in turn: the rule goes down and up again',
    steps: [
      { durationMs: 12_000, kbps: 4000 },
      { durationMs: 15_000, kbps: 800 },
      { durationMs: 12_000, kbps: 2500 },
      { durationMs: 15_000, kbps: 400 },
    ],
  },
  {
    id: 'outage',
    label: 'An outage',
    about: 'nothing comes for 25 s: the buffer runs out',
    steps: [
      { durationMs: 8000, kbps: 3000 },
      { durationMs: 25_000, kbps: 0 },
      { durationMs: 60_000, kbps: 3000 },
    ],
  },
  {
    id: 'slow',
    label: 'A slow network',
    about: '0.7 Mbit/s: what the rule settles for',
    steps: [{ durationMs: 60_000, kbps: 700 }],
  },
];

/**
 * When bytes that may be sent from `fromMs` on are sent, in ms since the pace began: the time that the steps need for them,
 * with waiting where a step sends nothing.
 */
export function sentAtMs({ steps }: Pick<Pace, 'steps'>, fromMs: number, bytes: number): number {
  const roundMs = steps.reduce((sum, { durationMs }) => sum + durationMs, 0);
  let atMs = fromMs;
  let left = 8 * bytes;
  if (left <= 0) return fromMs;
  for (;;) {
    const { kbps, untilMs } = stepAt(steps, roundMs, atMs);
    const bits = kbps * (untilMs - atMs);
    if (bits >= left) return atMs + left / kbps;
    left -= bits;
    atMs = untilMs;
  }
}

function stepAt(
  steps: readonly PaceStep[],
  roundMs: number,
  atMs: number,
): { readonly kbps: number; readonly untilMs: number } {
  let untilMs = Math.floor(atMs / roundMs) * roundMs;
  for (const { durationMs, kbps } of steps) {
    untilMs += durationMs;
    if (atMs < untilMs) return { kbps, untilMs };
  }
  // Rounding may leave the end of the last step.
  return { kbps: steps[0]!.kbps, untilMs: untilMs + steps[0]!.durationMs };
}
