import { exp } from '../../../shared/exactMath/exp.ts';

/** How much playback stood still up to `atMs`, in ms that are forgotten with time. */
export interface Stalled {
  readonly atMs: number;
  readonly ms: number;
}

export const NEVER_STALLED: Stalled = { atMs: 0, ms: 0 };

/** Ten minutes: some links are slow for a minute in three, and the second time is what can be learnt from the first. */
const MEMORY_MS = 600_000;
/** Stalls within `MEMORY_MS` before the net counts as wrong about a link. 2 s and 4 s were played, and differ little. */
const BUDGET_MS = 2000;
/** Largest price: beyond it the QoE is unlike training. At ten, nets that are good at a link played it worse than without. */
const MAX_PRICE = 3;

/**
 * What a stall that began at `atMs` and is over adds. What would make the price larger than it can be is left out, or a single
 * long stall would keep it there for as long again.
 */
export function afterStall(
  before: Stalled,
  stall: { readonly atMs: number; readonly durationMs: number },
): Stalled {
  const nowMs = stall.atMs + stall.durationMs;
  return { atMs: nowMs, ms: Math.min(keptMs(before, nowMs) + stall.durationMs, MAX_PRICE * BUDGET_MS) };
}

/**
 * By how much a stall is to count more than in the QoE, 1 to 3. A net is trained on links of many kinds; on one of a kind that
 * it never met it may take risks that do not pay, and the stalls that follow are the measurement of that. Above a budget the
 * price rises in proportion to them, and falls as they are forgotten: the update of a multiplier for a bound on stalls.
 */
export const stallPrice = (stalled: Stalled, nowMs: number): number =>
  Math.min(MAX_PRICE, Math.max(1, keptMs(stalled, nowMs) / BUDGET_MS));

/** Returns the state for a stall that costs `price` times as much: `worth`, in seconds of stall, is divided by it. */
export const atPrice = <State extends { readonly worth: readonly number[] }>(
  state: State,
  price: number,
): State => (price === 1 ? state : { ...state, worth: state.worth.map((each) => each / price) });

const keptMs = ({ atMs, ms }: Stalled, nowMs: number): number =>
  ms * exp(-Math.max(0, nowMs - atMs) / MEMORY_MS);
