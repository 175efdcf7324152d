import {
  differencesOf,
  logRatiosOf,
  type NamesOfPairs,
  type PairValues,
  type SessionValues,
} from './pairs.ts';
import { armOfAa, isAaSession } from '../factors/arms.ts';
import { hasLoss } from '../design/networks.ts';
import type { CampaignPlan, PlannedSession } from '../design/plan.ts';
import { quantile } from '../../src/analysis/statistics/summaries.ts';
import { decimalsOf, formatNumber, formatUnit } from '../../src/shared/format.ts';

type Planned = Pick<CampaignPlan, 'campaign' | 'networks' | 'sessions'>;

/**
 * How far apart two sessions of the same arm are on the same network, where that loses no packet at random: what the lab
 * itself adds to a difference. With random loss two sessions also differ by the packets that are lost, which is no property
 * of the lab, so such networks are not counted. It is reported beside a verdict and changes none: a difference that is smaller
 * than this can be shown by enough pairs.
 */
export interface Resolution {
  /** 95 % of these differences are at most so large: in the metric's unit, or in % of the smaller value. */
  readonly value: number;
  readonly isPercent: boolean;
  /** How many pairs had two sessions of one arm, with a value each. */
  readonly pairs: number;
}

/** Two sessions of one arm in the same pair, the A/A session or the later label second. */
export type AaCouple = readonly [PlannedSession, PlannedSession];

/** All sessions of a campaign that play the same arm in the same pair, two by two; none without A/A sessions or labels. */
export function aaCouples({ campaign, sessions }: Pick<CampaignPlan, 'campaign' | 'sessions'>): AaCouple[] {
  const { aaLabels = [] } = campaign;
  if (campaign.aaSessions !== true && aaLabels.length === 0) return [];
  const known = new Map(sessions.map((each) => [keyOf(each, each.design.arm), each]));
  return sessions.flatMap((second) => {
    const first = known.get(keyOf(second, firstArmOf(second, aaLabels) ?? ''));
    return first ? [[first, second] as const] : [];
  });
}

const keyOf = ({ design }: PlannedSession, arm: string): string => `${design.pair}\n${arm}`;

/** The arm that a session plays again; null where it is the first of its pair. */
function firstArmOf(session: PlannedSession, aaLabels: readonly string[]): string | null {
  const { arm } = session.design;
  if (isAaSession(session)) return armOfAa(arm);
  const end = arm.lastIndexOf('/') + 1;
  const place = aaLabels.indexOf(arm.slice(end));
  return place < 1 ? null : `${arm.slice(0, end)}${aaLabels[place - 1]!}`;
}

/** Values of couples that have both, without invalidated pairs. */
export const aaValues = (
  couples: readonly AaCouple[],
  values: SessionValues,
  flagged: NamesOfPairs,
): PairValues[] =>
  couples.flatMap(([first, second]) => {
    const [a, b] = [values.get(first.id), values.get(second.id)];
    const isKnown = Number.isFinite(a) && Number.isFinite(b) && !flagged.has(second.design.pair);
    return isKnown ? [[a!, b!] as const] : [];
  });

/** Fewer differences say too little about the largest of them: the maximum of six exceeds the median but for 1 in 64. */
const MIN_PAIRS = 6;
const RESOLUTION_SHARE = 0.95;

/**
 * The resolution of a metric as a campaign measures it by its A/A sessions; null where it has too few of them on networks
 * without random loss, or compares A/A labels: there the same differences would judge themselves.
 *
 * @param isPositive every value of the metric is above 0: differences are measured in %, so that networks of 80 and of 2000
 *   kbit/s count alike
 */
export function resolutionOf(
  plan: Planned,
  values: SessionValues,
  { flagged, isPositive }: { flagged: NamesOfPairs; isPositive: boolean },
): Resolution | null {
  if (plan.campaign.compare === 'aaLabels') return null;
  const lossless = losslessNetworks(plan);
  const couples = aaCouples(plan).filter(([{ link }]) => link !== null && lossless.has(link.network));
  return spreadOf(aaValues(couples, values, flagged), isPositive);
}

/** What 95 % of the differences between two values do not exceed; null for too few of them. */
export function spreadOf(values: readonly PairValues[], isPositive: boolean): Resolution | null {
  if (values.length < MIN_PAIRS) return null;
  const logRatios = isPositive ? logRatiosOf(values) : null;
  const distances = (logRatios ?? differencesOf(values)).map(Math.abs).sort((a, b) => a - b);
  const end = quantile(distances, RESOLUTION_SHARE);
  return {
    value: logRatios ? 100 * Math.expm1(end) : end,
    isPercent: logRatios !== null,
    pairs: values.length,
  };
}

/** By name. */
export const losslessNetworks = ({ networks }: Pick<CampaignPlan, 'networks'>): ReadonlySet<string> =>
  new Set(networks.filter(({ profile }) => !hasLoss(profile)).map(({ name }) => name));

/** `0.42 %`, `0.031 Mbit/s per segment`. */
export const formatResolution = ({ value, isPercent }: Resolution, unit: string): string =>
  `${formatNumber(value, decimalsOf(null, value))}${isPercent ? ' %' : formatUnit(unit)}`;
