import { AGGREGATE_SCHEMA, type Aggregate, type ArmMeans } from './aggregate.ts';
import { meanOf } from '../../src/analysis/statistics/summaries.ts';
import { metrics } from '../../src/analysis/metrics/registry.ts';
import type { ReportModel } from '../../src/report/model/reportModel.ts';
import type { ReportSource } from '../../src/report/reportSource.ts';
import type { SessionSummary } from '../../src/report/sessionSummary.ts';

/** What is kept of a report. Of figures only those of few numbers: all of them can be made again from logs. */
export function aggregateOf(source: ReportSource, model: ReportModel): Aggregate {
  const { campaign, primary, question, counts, warnings, ran, fairness, notes } = model;
  const { verdicts, exploratory, thesis, figures } = model;
  return {
    schema: AGGREGATE_SCHEMA,
    ...{ campaign, primary, question, counts, warnings, ran, fairness, notes },
    ...{ verdicts, exploratory, thesis },
    arms: armMeans(source),
    figures: figures
      .filter(({ rows }) => rows.length <= MAX_ROWS)
      .map(({ id, title, caption, columns, rows }) => ({ id, title, caption, columns, rows })),
  };
}

const MAX_ROWS = 120;

function armMeans({ plan, sessions }: ReportSource): ArmMeans[] {
  const isSplit = plan.campaign.per === 'network';
  const groups = new Map<string, SessionSummary[]>();
  for (const session of sessions) {
    const place = JSON.stringify([session.design.arm, isSplit ? session.network : null]);
    if (!groups.get(place)?.push(session)) groups.set(place, [session]);
  }
  return [...groups.keys()].sort().map((place) => {
    const [arm, network] = JSON.parse(place) as [string, string | null];
    const of = groups.get(place)!;
    const means = metrics.map(({ id }) => [id, meanOf(of.flatMap(({ values }) => values[id] ?? []))]);
    return { arm, network, sessions: of.length, means: Object.fromEntries(means) as ArmMeans['means'] };
  });
}
