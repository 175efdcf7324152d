import { decidableRules, type SimSectionOptions, ladderContent } from './simSection.ts';
import type { Figure } from '../figure.ts';
import { abrRules } from '../../src/abr/registry.ts';
import type { Rule } from '../../src/abr/rule.ts';
import { pick } from '../../src/shared/registry.ts';
import { chunkModel } from '../../src/sim/chunk/chunkModel.ts';
import type { RateTrace } from '../../src/network/rateTrace.ts';
import type { Content } from '../../src/sim/content.ts';

/** Rungs, and how long a decision may take (ms, 99 of 100 below). */
const LADDERS = [
  { rungs: 6, maxMs: 1 },
  { rungs: 10, maxMs: 1 },
  { rungs: 20, maxMs: 5 },
] as const;

const SESSIONS = { full: 60, quick: 6 };
/** Sessions before the clock counts: compiled code, not its compilation, is what a player runs after its first minute. */
const WARM_UP = { full: 30, quick: 3 };

/** A decision is pure: what differs from one time to the next is the machine, so the least of three counts. */
const REPEATS = [1, 2, 3];

/** Each decision of whole sessions by itself, so the values are those that sessions meet. */
export async function decisionFigures({ traces, quick, say }: SimSectionOptions): Promise<Figure[]> {
  const size = quick ? 'quick' : 'full';
  const rules = await decidableRules();
  return LADDERS.flatMap(({ rungs, maxMs }) => {
    say(`${rungs} rungs`);
    const content = ladderContent(rungs);
    return rules.flatMap((rule): Figure[] => {
      decisionTimes(rule, content, taken(traces, WARM_UP[size]));
      const sorted = decisionTimes(rule, content, taken(traces, SESSIONS[size])).toSorted((a, b) => a - b);
      const at = (share: number): number => sorted[Math.floor(share * (sorted.length - 1))]! * 1000;
      const common = { unit: 'µs', interval: null };
      const id = `decision-${rule.id}-${rungs}`;
      return [
        { ...common, id, label: `${rule.id}, ${rungs} rungs`, value: at(0.99), goalMax: maxMs * 1000 },
        { ...common, id: `${id}-median`, label: '  median', value: at(0.5), goalMax: medianGoal(rule) },
      ];
    });
  });
}

/** A net costs most: ms, half of its decisions below. */
const NET_MEDIAN_MS = 0.3;
const medianGoal = ({ id }: Rule): number | null =>
  pick(abrRules, id).withWeights ? NET_MEDIAN_MS * 1000 : null;

/** So many traces, from all over the set; over again where it has fewer. */
const taken = (traces: readonly RateTrace[], count: number): RateTrace[] =>
  Array.from({ length: count }, (_, index) => traces[(index * 7) % traces.length]!);

function decisionTimes(rule: Rule, content: Content, traces: readonly RateTrace[]): number[] {
  const times: number[] = [];
  const timed: Rule = {
    ...rule,
    decide(state, moment) {
      times.push(Math.min(...REPEATS.map(() => timeOf(() => rule.decide(state, moment)))));
      return rule.decide(state, moment);
    },
  };
  for (const trace of traces) chunkModel.simulate({ trace, content, rule: timed, seed: 1 });
  return times;
}

function timeOf(work: () => unknown): number {
  const startMs = performance.now();
  work();
  return performance.now() - startMs;
}
