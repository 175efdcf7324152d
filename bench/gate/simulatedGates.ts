import type { AaPair } from './aaPairs.ts';
import type { Gate, GateMetric } from '../../experiment/design/gateFile.ts';
import type { GateDesign } from '../../experiment/design/gateDesign.ts';
import {
  gateVerdict,
  type GateLook,
  type GatePair,
  type GateSession,
  type GateVerdict,
} from '../../experiment/verdict/gateVerdict.ts';
import { metrics } from '../../src/analysis/metrics/registry.ts';
import { seededRandom } from '../../src/analysis/statistics/random.ts';
import { pick, type Entry } from '../../src/shared/registry.ts';

/** Change that is made to sessions of NEW. */
export interface Effect extends Entry {
  /** Whether the effect is at a margin or beyond it: then NEW must not pass. */
  readonly isWorse: boolean;
  /** Share of the sessions of NEW that have the effect; 1: all. */
  readonly share: number;
  readonly apply: (session: GateSession) => GateSession;
}

/**
 * Lists the effects: none; for each metric of a gate a worsening of one and of two margins; and rare faults. With a rare fault
 * some sessions do not play, or some are much worse in a metric that is 0 in most sessions.
 */
export const effectsOf = ({ metrics: judged }: Pick<Gate, 'metrics'>): readonly Effect[] => [
  { id: 'equal', label: 'equal arms', isWorse: false, share: 1, apply: (session) => session },
  ...judged.flatMap((metric) => [1, 2].map((margins) => worsening(metric, margins))),
  ...judged
    .filter(({ metric }) => pick(metrics, metric).rareEvent !== undefined)
    .flatMap((metric) => RARE_FAULTS.map(([margins, oneOf]) => rareFault(metric, margins, oneOf))),
  ...[20, 10].map(deadSessions),
];

/** Rare faults: size in margins, and one of how many sessions has it. Two have a mean at the margin, the others beyond it. */
const RARE_FAULTS = [
  [10, 10],
  [15, 15],
  [60, 20],
  [60, 10],
  [60, 5],
] as const;

function rareFault(judged: GateMetric, margins: number, oneOf: number): Effect {
  const every = worsening(judged, margins);
  return {
    ...every,
    id: `${every.id}-in-${oneOf}`,
    label: `${every.label} in 1 of ${oneOf} sessions`,
    share: 1 / oneOf,
  };
}

const deadSessions = (oneOf: number): Effect => ({
  id: `dead-in-${oneOf}`,
  label: `1 of ${oneOf} sessions does not play`,
  isWorse: true,
  share: 1 / oneOf,
  apply: ({ values }) => ({
    played: false,
    values: new Map([...values.keys()].map((metric) => [metric, null])),
  }),
});

function worsening(judged: GateMetric, margins: number): Effect {
  const { label, better } = pick(metrics, judged.metric);
  return {
    id: `${judged.metric}-${margins}`,
    label: `${label}: ${margins === 1 ? '1 margin' : `${margins} margins`} worse`,
    isWorse: true,
    share: 1,
    apply: ({ played, values }) => {
      const value = values.get(judged.metric) ?? null;
      if (value === null) return { played, values };
      const worse = worsened(value, judged, { margins, isUp: better === 'lower' });
      return { played, values: new Map(values).set(judged.metric, worse) };
    },
  };
}

/** Worsens a value by so many margins. A margin in % is a ratio, as in the gate. */
function worsened(
  value: number,
  { margin = 0, marginPercent }: GateMetric,
  { margins, isUp }: { readonly margins: number; readonly isUp: boolean },
): number {
  const steps = isUp ? margins : -margins;
  return marginPercent === undefined ? value + steps * margin : value * (1 + marginPercent / 100) ** steps;
}

interface SimulatedGate {
  readonly verdict: GateVerdict;
  /** Share of the planned pairs that were played until the verdict. */
  readonly share: number;
}

/** Count of resamples in the bootstrap of intervals, which no verdict uses. */
const RESAMPLES = 20;

/** Count of drawn signs, a fifth of a gate's: tests keep their level with any count, and a look takes a fifth of the time. */
const DRAWS = 2000;

/**
 * Simulates one gate whose pairs are drawn from recorded A/A pairs, with replacement; which session is of BASE is drawn, too.
 * The effect is then added to NEW. The gate is that of `pitwall gate`, and ends at the look at which that would end.
 */
export function simulateGate(
  gate: Gate,
  { pairs: planned, looks }: Pick<GateDesign, 'pairs' | 'looks'>,
  { recorded, effect, seed }: { recorded: readonly AaPair[]; effect: Effect; seed: number },
): SimulatedGate {
  const random = seededRandom(seed);
  const pairs = Array.from({ length: planned }, (): GatePair => {
    const [one, other] = recorded[Math.floor(random() * recorded.length)]!;
    const [base, next] = random() < 0.5 ? [one, other] : [other, one];
    const isHit = effect.share === 1 || random() < effect.share;
    return [[base, isHit ? effect.apply(next) : next]];
  });
  const judging = { ...gate, draws: DRAWS };
  const known: GateLook[] = [];
  let verdict: GateVerdict = 'open';
  for (const count of looks) {
    known.push({ pairs: count, share: count / planned });
    const isOver = count === planned;
    verdict = gateVerdict(judging, pairs, { looks: known, isOver, resamples: RESAMPLES }).verdict;
    if (verdict !== 'open') break;
  }
  return { verdict, share: known.at(-1)!.share };
}
