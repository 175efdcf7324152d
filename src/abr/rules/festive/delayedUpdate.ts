import { highestRungWithin, type Ladder } from '../../ladder.ts';
import type { Answer, Moment } from '../../rule.ts';
import { mbps, formatRung, seconds } from '../../format.ts';
import { switchesSince, type SwitchHistory } from './switchHistory.ts';

interface Played {
  readonly ladder: Ladder;
  readonly history: SwitchHistory;
}

interface Basis {
  readonly moment: Moment;
  readonly settings: {
    readonly safetyFactor: number;
    readonly alpha: number;
    readonly switchWindowMs: number;
  };
  readonly estimateKbps: number;
}

/**
 * FESTIVE's stateful selection of a reference rung, one step from the present one, and its delayed update: the step is
 * taken when what it gains in efficiency is worth the switch. The formulas are in `../festive.ts`.
 */
export function delayedUpdate(
  { ladder, history }: Played,
  { moment, settings, estimateKbps }: Basis,
): Answer {
  const now = Math.min(moment.lastRung ?? history.rung ?? 0, ladder.length - 1);
  const run = history.rung === now ? history.run : 0;
  const target = highestRungWithin(ladder, settings.safetyFactor * estimateKbps);
  const reference = target > now ? now + (run > now ? 1 : 0) : target < now ? now - 1 : now;
  const switches = switchesSince(history, moment.nowMs - settings.switchWindowMs);
  const best = Math.min(estimateKbps, ladder[reference]!.bitrateKbps);
  const wasteOf = (rung: number): number => settings.alpha * Math.abs(ladder[rung]!.bitrateKbps / best - 1);
  const scoreNow = 2 ** switches + wasteOf(now);
  const scoreReference = 2 ** (switches + 1) + wasteOf(reference);
  const rung = scoreReference < scoreNow ? reference : now;
  return {
    rung,
    because: () =>
      `The harmonic mean of ${mbps(estimateKbps)} aims at ${formatRung(ladder, target)}; ${formatStep(now, reference, rung)} after ${switches} switch${switches === 1 ? '' : 'es'} in ${seconds(settings.switchWindowMs)}: ${formatRung(ladder, rung)}.`,
    values: { estimateKbps, targetRung: target, switches, scoreNow, scoreReference, run },
  };
}

function formatStep(now: number, reference: number, rung: number): string {
  if (reference === now) return 'no step yet';
  const way = reference > now ? 'up' : 'down';
  return rung === reference ? `one step ${way}` : `a step ${way} is not worth a switch`;
}
