import type { CampaignFile } from '../design/campaignFile.ts';
import { formatUnit } from '../../src/shared/format.ts';

/** The smallest difference that matters: in the unit of the primary metric, or in % of the second arm. */
interface Margin {
  readonly value: number;
  readonly isPercent: boolean;
}

/** A campaign declares one of the two; `readCampaign` refuses none and both. */
export const marginOf = ({
  margin,
  marginPercent,
}: Pick<CampaignFile, 'margin' | 'marginPercent'>): Margin =>
  margin === undefined && marginPercent !== undefined
    ? { value: marginPercent, isPercent: true }
    : { value: margin ?? 0, isPercent: false };

/** `10 kbit/s`, `5 %`, `2 percentage points`. */
export const formatMargin = ({ value, isPercent }: Margin, unit: string): string =>
  isPercent ? `${value} %` : `${value}${formatUnit(unit)}`;

/**
 * Bound of the logarithm of a ratio for a margin in %: `log(1 + percent/100)`. So 5 % more and 5 % less, turned around, are
 * equally far away: the margin goes from 1/1.05 to 1.05.
 */
export const logBound = (percent: number): number => Math.log1p(percent / 100);

/** As far as drawings and tables need it in the metric's unit: a percentage is taken of the second arm's mean. */
export const marginInUnit = ({ value, isPercent }: Margin, secondMean: number | null): number =>
  isPercent ? (value / 100) * Math.abs(secondMean ?? 0) : value;
