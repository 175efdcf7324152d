import type { GateState } from './gateState.ts';
import { LOOK_MS, type GateDesign } from '../plan/gateDesign.ts';
import type { Gate } from '../plan/gateFile.ts';
import type { GateLook } from '../verdict/gateVerdict.ts';

interface Planned {
  readonly gate: Pick<Gate, 'minutes'>;
  readonly design: GateDesign;
  readonly workers: number;
}

/**
 * The next look of a gate, at `nowMs` of its time. As designed while there is time; else the last look, with as many pairs as
 * still fit, perhaps none more. What a pair takes is the longer of what was planned and what it took so far. The end depends
 * on the clock and not on what was measured, so that the last look may spend what is left of alpha.
 */
export function planNextLook(
  { gate, design, workers }: Planned,
  { looks }: Pick<GateState, 'looks'>,
  nowMs: number,
): GateLook {
  const done = looks.at(-1)?.pairs ?? 0;
  const designed = design.looks.find((pairs) => pairs > done) ?? done;
  const leftMs = gate.minutes * 60_000 - nowMs - LOOK_MS;
  const slots = done === 0 ? 0 : nowMs / Math.ceil(done / workers);
  const fitting = done + Math.floor(leftMs / Math.max(design.pairMs, slots)) * workers;
  // The first look is what the budget was checked for.
  if (done === 0 || designed <= fitting) return { pairs: designed, share: shareOf(designed, design) };
  return { pairs: Math.max(done, fitting), share: 1 };
}

const shareOf = (pairs: number, design: GateDesign): number => Math.min(1, pairs / design.pairs);
