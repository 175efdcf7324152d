import type { Metric } from '../../analysis/metrics/metric.ts';
import { metrics } from '../../analysis/metrics/registry.ts';
import type { Cell } from '../table.ts';
import { tableOf } from '../tableOf.ts';

interface MeasureRow {
  readonly metric: Metric;
  readonly part: string | null;
  readonly value: number | null;
  readonly why: string | null;
}

const text = (name: string, meaning: string, of: (row: MeasureRow) => Cell) =>
  ({ name, type: 'text', unit: '', meaning, of }) as const;

/** As `pitwall metrics --csv`: long instead of wide, with the parts of each metric. */
export const measures = tableOf<MeasureRow>({
  id: 'metrics',
  label: 'metrics',
  about: 'a row per session, metric and part of the metric',
  sources: (log) =>
    metrics.flatMap((metric) => {
      const { value, why = null, by = {} } = metric.of(log);
      const parts = Object.entries(by).map(([part, share]) => ({ metric, part, value: share, why: null }));
      return [{ metric, part: null, value, why }, ...parts];
    }),
  columns: [
    text('metric', 'id (docs/metrics.md)', ({ metric }) => metric.id),
    text(
      'part',
      'part of the metric, for example a protocol; empty for the whole metric',
      ({ part }) => part,
    ),
    {
      name: 'value',
      type: 'number',
      unit: 'that of the row',
      meaning: 'empty if unknown',
      of: ({ value }) => value,
    },
    text('unit', 'empty if the metric has none', ({ metric }) => metric.unit),
    text('why', 'why there is no value', ({ why }) => why),
  ],
});
