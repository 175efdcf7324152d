import { cellTable, sessionTable } from './metricTables.ts';
import { verdictLines } from './verdictLines.ts';
import { verdictTable } from './verdictTables.ts';
import type { ReportSource } from '../reportSource.ts';
import type { ReportTable } from '../reportTable.ts';
import { formatVariant } from '../../design/variants.ts';
import type { Metric } from '../../../src/analysis/metrics/metric.ts';

/** The tables of pairs that were played again under a variant. Their networks have the variant in their names. */
export interface VariantTables {
  readonly variant: string;
  /** The numbers behind the sentences, and the means by arm and network. */
  readonly tables: readonly ReportTable[];
  readonly sessions: ReportTable;
}

/** Makes the tables of a variant as those of a campaign are made. */
export function variantTables(
  { variant, source }: NonNullable<ReportSource['variants']>[number],
  metric: Metric,
): VariantTables {
  const { better } = metric;
  const named = (table: ReportTable): ReportTable => ({
    ...table,
    id: `${table.id}-${variant.variant}`,
    title: `${table.title}, with ${formatVariant(variant)}`,
  });
  const lines = better === null ? [] : verdictLines(source, { ...metric, better });
  return {
    variant: variant.variant,
    tables: [verdictTable(lines, metric), cellTable(source, metric.id)].map(named),
    sessions: named(sessionTable(source)),
  };
}
