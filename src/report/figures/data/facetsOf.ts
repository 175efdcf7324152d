import { armName, combinations, factorsOf } from '../../../../experiment/plan/factorsOf.ts';
import { ruleLook } from '../../../charts/ruleLook.ts';
import type { ReportSource } from '../../reportSource.ts';
import type { SessionSummary } from '../../sessionSummary.ts';
import { armLook, type ArmLook } from './armLook.ts';

/** What is compared side by side, all else the same: the transports under one rule, the rules over one transport. */
export interface Facet {
  /** What its arms have in common, as `Comparison.within` has it; "" where there is nothing else. */
  readonly name: string;
  /** For titles; "" where there is only one facet. */
  readonly label: string;
  readonly arms: readonly Arm[];
}

export interface Arm {
  /** The rule, transport or controller, as the plan has it. */
  readonly name: string;
  readonly look: ArmLook;
  readonly sessions: readonly SessionSummary[];
}

/** The facets of a campaign in the file's order, without arms that have no session. */
export function facetsOf({ plan, sessions }: Pick<ReportSource, 'plan' | 'sessions'>): Facet[] {
  const { compare } = plan.campaign;
  const factors = factorsOf(plan.campaign);
  const place = factors.findIndex(({ field }) => field === compare);
  const others = factors.toSpliced(place, 1);
  const byArm = sessionsByArm(sessions);
  const withins = combinations(others.map(({ values }) => values));
  return withins
    .map((within) => ({
      name: armName(within),
      label:
        withins.length === 1
          ? ''
          : labelOf(
              within,
              others.findIndex(({ field }) => field === 'rules'),
            ),
      arms: (factors[place]?.values ?? [])
        .map((name, index) => ({
          name,
          look: armLook(compare, name, index),
          sessions: byArm.get(armName(within.toSpliced(place, 0, name))) ?? [],
        }))
        .filter((arm) => arm.sessions.length > 0),
    }))
    .filter(({ arms }) => arms.length > 0);
}

function sessionsByArm(sessions: readonly SessionSummary[]): ReadonlyMap<string, readonly SessionSummary[]> {
  const byArm = new Map<string, SessionSummary[]>();
  for (const session of sessions) {
    const { arm } = session.design;
    const there = byArm.get(arm);
    if (there) there.push(session);
    else byArm.set(arm, [session]);
  }
  return byArm;
}

const labelOf = (within: readonly string[], rulePlace: number): string =>
  within.map((value, index) => (index === rulePlace ? ruleLook(value).label : value)).join(', ');
