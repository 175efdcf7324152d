import { armName, combinations, factorsOf } from '../../factors/arms.ts';
import { ruleLook } from '../../../src/charts/ruleLook.ts';
import type { ReportSource } from '../reportSource.ts';
import type { SessionSummary } from '../sessionSummary.ts';
import type { CampaignFile } from '../../design/campaignFile.ts';
import type { CampaignPlan } from '../../design/plan.ts';

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

/** Tells arms apart without their colours. */
export const MARKERS = ['square', 'circle', 'diamond', 'triangle', 'bar', 'cross'] as const;
export type Marker = (typeof MARKERS)[number];

/** How an arm is written and drawn: no two of a figure by colour alone. */
export interface ArmLook {
  readonly label: string;
  /** Tokens of the page. */
  readonly tone: string;
  /** The second colour of what is two things at once; else null. */
  readonly under: string | null;
  /** `stroke-dasharray`; "" for a solid line. */
  readonly dash: string;
  readonly marker: Marker;
}

type Transport = SessionSummary['transport'];

/** The colour of the protocol that carries it. Racing is both: QUIC's dashes over TCP's line. */
const TRANSPORTS: Readonly<Record<Transport, Omit<ArmLook, 'label'>>> = {
  h1: { tone: 'protocol-h1', under: null, dash: '2 2.5', marker: 'triangle' },
  h2: { tone: 'protocol-h2', under: null, dash: '', marker: 'square' },
  'h3-racing': { tone: 'protocol-h3', under: 'protocol-h2', dash: '7 5', marker: 'diamond' },
  'h3-no-fallback': { tone: 'protocol-h3', under: 'protocol-h2', dash: '2 5', marker: 'cross' },
  'h3-migrating': { tone: 'protocol-h3', under: 'protocol-h2', dash: '9 3 2 3', marker: 'bar' },
  'h3-only': { tone: 'protocol-h3', under: null, dash: '', marker: 'circle' },
};

const DASHES = ['', '6 3', '2 2.5', '9 3 2 3', '4 2', '1.5 1.5'];
const OTHERS = ['session-a', 'session-b', 'session-c', 'session-d', 'session-e', 'session-f'];

/** The look of one of the compared: its name as the plan has it, and its place among them. */
function armLook(compare: CampaignFile['compare'], name: string, index: number): ArmLook {
  if (compare === 'transports' && Object.hasOwn(TRANSPORTS, name)) return transportLook(name as Transport);
  const look = placeLook(name, index);
  if (compare !== 'rules') return look;
  const { code, label, tone } = ruleLook(name);
  return { ...look, label: `${code} ${label}`, tone };
}

/** The look of something that has no colour of its own, by its place among its like. */
export function placeLook(label: string, index: number): ArmLook {
  const nth = <Entry>(entries: readonly Entry[]): Entry => entries[index % entries.length]!;
  return { label, tone: nth(OTHERS), under: null, dash: nth(DASHES), marker: nth(MARKERS) };
}

export const transportLook = (transport: Transport): ArmLook => ({
  label: transport,
  ...TRANSPORTS[transport],
});

/** What the others are set against: the declared control, else the first of what is compared. */
export const baselineOf = ({ campaign }: Pick<CampaignPlan, 'campaign'>): string =>
  campaign.control ?? factorsOf(campaign).find(({ field }) => field === campaign.compare)?.values[0] ?? '';
