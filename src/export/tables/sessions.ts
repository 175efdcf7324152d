import { logEndMs } from '../../analysis/timeline/log.ts';
import type { Measured, Metric } from '../../analysis/metrics/metric.ts';
import { metrics } from '../../analysis/metrics/registry.ts';
import type { SessionLog } from '../../telemetry/schema/sessionLog.ts';
import { type Cell, type CellType, tableOf, type SourceColumn } from '../table.ts';

interface SessionRow {
  readonly log: SessionLog;
  readonly file: string | null;
  readonly measured: ReadonlyMap<Metric, Measured>;
}

/** The column that names the metrics with a lower bound instead of a value. */
export const LOWER_BOUND = 'lowerBound';

/** A row per session: what it was, and all metrics, equal to those of `pitwall metrics`. */
export const sessions = tableOf<SessionRow>({
  id: 'sessions',
  label: 'sessions',
  about:
    'a row per session: what was played over which network, its place in the campaign, and a column per metric',
  sources: (log, file) => [
    { log, file, measured: new Map(metrics.map((metric) => [metric, metric.of(log)])) },
  ],
  columns: [
    text('file', 'file name of the log; empty for a simulated session without a log', ({ file }) => file),
    ...design(),
    ...environment(),
    number(
      'startedAtUnixMs',
      'ms since 1970',
      'start of the session; 0 if simulated',
      ({ log }) => log.clock.startedAtUnixMs,
    ),
    number('lengthMs', 'ms', 'from the start of the session to the end of the log', ({ log }) =>
      logEndMs(log),
    ),
    ...metrics.map(metricColumn),
    text(
      LOWER_BOUND,
      'metrics whose true value may be greater, because the log ends before a wait did, JSON: [metric]',
      ({ measured }) => formatLowerBound(measured),
    ),
    text('why', 'why metrics have no value, JSON: {metric: sentence}', ({ measured }) =>
      formatWhyUnmeasured(measured),
    ),
  ],
});

interface MeasureRow {
  readonly metric: Metric;
  readonly part: string | null;
  readonly value: number | null;
  readonly why: string | null;
  readonly lowerBound: boolean | null;
}

/** As `pitwall metrics --csv`: long instead of wide, with the parts of each metric. */
export const measures = tableOf<MeasureRow>({
  id: 'metrics',
  label: 'metrics',
  about: 'a row per session, metric and part of the metric',
  sources: (log) => measuresOf(log, metrics),
  columns: [
    text('metric', 'id (docs/metrics.md)', ({ metric }) => metric.id),
    text(
      'part',
      'part of the metric, for example a protocol; empty for the whole metric',
      ({ part }) => part,
    ),
    number('value', 'that of the row', 'empty if unknown', ({ value }) => value),
    text('unit', 'empty if the metric has none', ({ metric }) => metric.unit),
    column(
      'lowerBound',
      { type: 'boolean', unit: '', meaning: 'true if the true value may be greater; otherwise empty' },
      ({ lowerBound }) => lowerBound,
    ),
    text('why', 'why there is no value', ({ why }) => why),
  ],
});

/** A row for each of these metrics, and one more for each of its parts. */
export const measuresOf = (log: SessionLog, asked: readonly Metric[]): MeasureRow[] =>
  asked.flatMap((metric) => {
    const { value, lowerBound = null, why = null, by = {} } = metric.of(log);
    const parts = Object.entries(by).map(([part, share]): MeasureRow => ({
      metric,
      part,
      value: share,
      why: null,
      lowerBound: null,
    }));
    return [{ metric, part: null, value, why, lowerBound }, ...parts];
  });

/** The column of a metric: its id as SQL and pandas take a name without quotes. */
export function metricColumnName({ id }: Pick<Metric, 'id'>): string {
  return id.replaceAll('-', '_');
}

function metricColumn(metric: Metric): SourceColumn<SessionRow> {
  return number(
    metricColumnName(metric),
    metric.unit,
    `metric ${metric.id} (docs/metrics.md)`,
    ({ measured }) => measured.get(metric)!.value,
  );
}

function formatWhyUnmeasured(measured: SessionRow['measured']): string | null {
  const whys = [...measured].flatMap(([{ id }, { why }]) => (why === undefined ? [] : [[id, why] as const]));
  return whys.length > 0 ? JSON.stringify(Object.fromEntries(whys)) : null;
}

function formatLowerBound(measured: SessionRow['measured']): string | null {
  const ids = [...measured].flatMap(([{ id }, { lowerBound }]) => (lowerBound ? [id] : []));
  return ids.length > 0 ? JSON.stringify(ids) : null;
}

function design(): SourceColumn<SessionRow>[] {
  const of = (name: keyof NonNullable<SessionLog['design']>, type: CellType, meaning: string) =>
    column<SessionRow>(name, { type, unit: '', meaning }, ({ log }) => log.design?.[name] ?? null);
  return [
    of('campaign', 'text', 'name of the campaign'),
    of('cell', 'text', 'arm, network and content'),
    of('pair', 'text', 'the network, content, repeat and seed that all arms of the pair share'),
    of('arm', 'text', 'its values of the campaign’s factors, joined by / (docs/campaigns.md)'),
    of('order', 'integer', 'position in the order of its pair'),
    of('repeat', 'integer', 'number of the repeat'),
    of('seed', 'integer', 'seed of the session’s random numbers'),
  ];
}

function environment(): SourceColumn<SessionRow>[] {
  const of = (name: keyof SessionLog['environment'], meaning: string): SourceColumn<SessionRow> =>
    text(name, meaning, ({ log }) => (log.environment[name] as string | null | undefined) ?? null);
  return [
    of('transport', 'h1, h2, h3-racing, h3-only, h3-no-fallback or h3-migrating'),
    of('rule', 'ABR rule'),
    of('preset', 'preset of the player’s settings'),
    of('mpdUrl', 'address of the manifest'),
    text(
      'network',
      'profile or trace of the emulated link',
      ({
        log: {
          environment: { linkRun, link },
        },
      }) => linkRun?.network ?? link,
    ),
    of('tcpController', 'congestion controller of TCP'),
    of('quicController', 'congestion controller of QUIC'),
    of('browser', 'name and version of the browser'),
    of('dashjsVersion', 'version of dash.js'),
    of('pitwallVersion', 'version of Pitwall that recorded the session'),
    of('simulator', 'model of the simulator; empty for a real player'),
  ];
}

function column<Row>(
  name: string,
  about: { readonly type: CellType; readonly unit: string; readonly meaning: string },
  of: (row: Row) => Cell,
): SourceColumn<Row> {
  return { name, ...about, of };
}

function text<Row>(name: string, meaning: string, of: (row: Row) => Cell): SourceColumn<Row> {
  return column(name, { type: 'text', unit: '', meaning }, of);
}

function number<Row>(name: string, unit: string, meaning: string, of: (row: Row) => Cell): SourceColumn<Row> {
  return column(name, { type: 'number', unit, meaning }, of);
}
