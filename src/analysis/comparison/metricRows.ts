import type { MeasuredMetric } from './measuredMetrics.ts';

/** A metric of all compared sessions. */
export interface MetricRow extends Pick<
  MeasuredMetric,
  'id' | 'label' | 'meaning' | 'unit' | 'better' | 'decimals' | 'isHeadline'
> {
  /** One for each session, in their order. */
  readonly cells: readonly MetricCell[];
}

export interface MetricCell {
  readonly value: number | null;
  /** The true value may be greater. */
  readonly lowerBound: boolean;
  readonly why: string | null;
  /**
   * Value minus the reference's; null for the reference itself, where either is unknown, and where a greater true value of the
   * smaller one could turn the direction.
   */
  readonly difference: number | null;
  /** What the difference is to the viewer; null where there is none to judge, or the metric only describes. */
  readonly judged: 'better' | 'worse' | 'same' | null;
}

/**
 * The metrics of several sessions, each against that of its reference. `references` has a place for each session; a
 * reference has its own. Metrics that no session knows come last.
 */
export function metricRows(
  sessions: readonly (readonly MeasuredMetric[])[],
  references: readonly number[],
): MetricRow[] {
  const rows = (sessions[0] ?? []).map((metric, place): MetricRow => {
    const { id, label, meaning, unit, better, decimals, isHeadline } = metric;
    const cells = sessions.map((session, index) => {
      const reference = references[index]!;
      return cellOf(session[place]!, reference === index ? null : sessions[reference]![place]!);
    });
    return { id, label, meaning, unit, better, decimals, isHeadline, cells };
  });
  return [...rows.filter(isKnown), ...rows.filter((row) => !isKnown(row))];
}

const isKnown = ({ cells }: MetricRow): boolean => cells.some(({ value }) => value !== null);

function cellOf(
  { value, lowerBound, why, decimals, better }: MeasuredMetric,
  reference: MeasuredMetric | null,
): MetricCell {
  const difference = reference === null ? null : differenceOf({ value, lowerBound }, reference);
  return {
    value,
    lowerBound,
    why,
    difference,
    judged: difference === null ? null : judgedOf(difference, { decimals, better }),
  };
}

type Bounded = Pick<MeasuredMetric, 'value' | 'lowerBound'>;

function differenceOf(one: Bounded, reference: Bounded): number | null {
  if (one.value === null || reference.value === null) return null;
  const difference = one.value - reference.value;
  const isOpen =
    difference < 0 ? one.lowerBound : reference.lowerBound || (difference === 0 && one.lowerBound);
  return isOpen ? null : difference;
}

/** What rounds to nothing in the metric's own digits is the same: the table would show no difference. */
function judgedOf(
  difference: number,
  { decimals, better }: Pick<MeasuredMetric, 'decimals' | 'better'>,
): MetricCell['judged'] {
  if (better === null) return null;
  if (Number(Math.abs(difference).toFixed(decimals)) === 0) return 'same';
  return difference > 0 === (better === 'higher') ? 'better' : 'worse';
}
