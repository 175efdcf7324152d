import type { CampaignPlan } from '../design/plan.ts';
import { armName, armsOf, combinations, factorsOf } from '../factors/arms.ts';

/** Two arms that a campaign declares to compare. */
export interface Comparison {
  /** The rule, transport or controller that the sentence is about, and the one it is compared with. */
  readonly first: string;
  readonly second: string;
  /** What both have in common: the rest of the arms' names. */
  readonly within: string;
  /** As `design.arm` has them. */
  readonly firstArm: string;
  readonly secondArm: string;
  /** null: over all networks together. */
  readonly network: string | null;
}

/** The family of comparisons that share alpha: in the file's order, the later against the earlier or all against the control. */
export function declaredComparisons({
  campaign,
  networks,
}: Pick<CampaignPlan, 'campaign' | 'networks'>): Comparison[] {
  const { compare, control, per } = campaign;
  const factors = factorsOf(campaign);
  const place = factors.findIndex(({ field }) => field === compare);
  const withins = combinations(factors.toSpliced(place, 1).map(({ values }) => values));
  const armOf = (what: string, within: readonly string[]): string =>
    armName(within.toSpliced(place, 0, what));
  const places = per === 'network' && networks.length > 0 ? networks.map(({ name }) => name) : [null];
  const played = new Set(armsOf(campaign).map(armName));
  return places.flatMap((network) =>
    withins.flatMap((within) =>
      couplesOf(factors[place]?.values ?? [], control)
        .map(([first, second]) => ({
          first,
          second,
          within: armName(within),
          firstArm: armOf(first, within),
          secondArm: armOf(second, within),
          network,
        }))
        .filter(({ firstArm, secondArm }) => played.has(firstArm) && played.has(secondArm)),
    ),
  );
}

const couplesOf = (all: readonly string[], control: string | undefined): (readonly [string, string])[] =>
  control === undefined
    ? all.flatMap((first, index) => all.slice(0, index).map((second) => [first, second] as const))
    : all.filter((each) => each !== control).map((first) => [first, control] as const);
