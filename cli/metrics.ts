import { type Command, InvalidArgumentError } from 'commander';
import { option, withOptions } from './declareOptions.ts';
import { EXIT, usageError } from '../node/exitCodes.ts';
import { metricList, listOf } from './options.ts';
import {
  type P1203Flags,
  p1203ProgramOption,
  p1203ScoreOption,
  scoreFiles,
  screenOptions,
} from './p1203Options.ts';
import { p1203Metric } from '../experiment/report/read/p1203Scores.ts';
import { filesNoted, withFolders, readWholeLog } from '../node/logFiles.ts';
import { warn } from '../node/print.ts';
import {
  formatDefinitions,
  metricsCsv,
  metricsCsvHead,
  formatMetrics,
  formatP1203,
  metricsJson,
  windowsCsv,
  windowsCsvHead,
} from './metrics/formats.ts';
import type { Shell } from './shell.ts';
import type { Metric } from '../src/analysis/metrics/metric.ts';
import { metrics } from '../src/analysis/metrics/registry.ts';
import type { Result } from '../src/shared/result.ts';
import type { SessionLog } from '../src/telemetry/schema/sessionLog.ts';
import { metricNumber } from '../experiment/runner/metricCells.ts';
import { pick } from '../src/shared/registry.ts';

export function addMetrics(program: Command, shell: Shell): void {
  const command = program
    .command('metrics')
    .description('print the metrics of sessions')
    .argument(
      '[session...]',
      'session logs of the page, "pitwall compare" or "pitwall sim", or folders of them, or campaign folders',
    );
  withOptions(
    command,
    'output',
    option('--metrics <ids>', 'only these metrics, comma-separated (docs/metrics.md)', {
      parse: metricList,
      preset: metrics,
      presetText: 'all',
    }),
    ...Object.entries(forms).map(([name, { about }]) =>
      option(`--${name}`, about).conflicts(Object.keys(forms).filter((other) => other !== name)),
    ),
    option('--definitions', 'print definition, unit and source of each metric, as Markdown'),
  );
  withOptions(
    command,
    'check',
    option(
      '--fail-if <condition>',
      'repeatable, as in "rebuffer-rate > 1": exit with 6 if a session meets it, or if the metric has no value',
      { parse: conditionList },
    ).conflicts('definitions'),
  );
  withOptions(
    command,
    'score',
    p1203ScoreOption('also compute the score of ITU-T P.1203 (needs the reference implementation)').conflicts(
      ['windows', 'p1203', 'definitions'],
    ),
    p1203ProgramOption(),
    ...screenOptions('--p1203 and --p1203-score'),
  ).action(async (files: string[], options: MetricsOptions) => {
    if (options.definitions) process.stdout.write(formatDefinitions(options.metrics));
    else if (files.length === 0) throw usageError('Name session logs, or use --definitions.');
    else shell.exit(await printAll(filesNoted(withFolders(files)), options));
  });
}

interface MetricsOptions extends P1203Flags {
  readonly metrics: readonly Metric[];
  readonly definitions?: true;
  readonly failIf?: readonly Condition[];
  readonly [form: string]: unknown;
}

interface Form {
  readonly about: string;
  readonly head?: string;
  /** Stands between two sessions. */
  readonly between?: string;
  readonly end?: string;
  format(file: string, log: SessionLog, options: MetricsOptions): string;
}

const plain: Form = {
  about: '',
  between: '\n',
  format: (file, log, options) => `${file}\n${formatMetrics(log, options.metrics)}\n`,
};

const forms: Readonly<Record<string, Form>> = {
  json: {
    about: 'print a JSON array, an object per session',
    head: '[\n',
    between: ',\n',
    end: '\n]\n',
    format: (file, log, options) => metricsJson(file, log, options.metrics),
  },
  csv: {
    about: 'print CSV, a row per session, metric and part',
    head: metricsCsvHead,
    format: (file, log, options) => metricsCsv(file, log, options.metrics),
  },
  windows: {
    about: 'print the windows of 30 s with their running means, as CSV',
    head: windowsCsvHead,
    format: windowsCsv,
  },
  p1203: {
    about: 'print the input for an implementation of ITU-T P.1203, as JSON',
    format: (file, log, { screen, fps = null }) => formatP1203(file, log, { screen, fps }),
  },
};

/** Prints the sessions of these files in the form asked for. Resolves to the exit code. */
async function printAll(files: readonly string[], options: MetricsOptions): Promise<number> {
  const form = formOf(files, options);
  const scores = await scoresAsked(files, options);
  process.stdout.write(form.head ?? '');
  let isFirst = true;
  const codes = new Set<number>();
  for (const file of files) {
    const log = await readWholeLog(file);
    codes.add(log.ok ? checked(file, log.value, options.failIf) : EXIT.failed);
    if (log.ok) {
      process.stdout.write(isFirst ? '' : (form.between ?? ''));
      const metrics = withScore(options.metrics, scores.get(file));
      process.stdout.write(form.format(file, log.value, { ...options, metrics }));
      isFirst = false;
    } else warn(`${file}: ${log.error}`);
  }
  process.stdout.write(form.end ?? '');
  return [EXIT.failed, EXIT.conditionMet].find((code) => codes.has(code)) ?? EXIT.done;
}

/** By file; none where no score was asked for. */
const scoresAsked = async (
  files: readonly string[],
  options: MetricsOptions,
): Promise<ReadonlyMap<string, Result<number>>> =>
  options.p1203Score ? await scoreFiles(files, options) : new Map();

const withScore = (metrics: readonly Metric[], score: Result<number> | undefined): readonly Metric[] =>
  score ? [...metrics, p1203Metric(score)] : metrics;

/** Says which conditions a session meets. Answers its exit code. */
function checked(file: string, log: SessionLog, conditions: readonly Condition[] = []): number {
  const failures = failuresOf(log, conditions);
  for (const failure of failures) warn(`${file}: ${failure}`);
  return failures.length > 0 ? EXIT.conditionMet : EXIT.done;
}

/** @throws Error where the form asked for takes fewer files */
function formOf(files: readonly string[], options: MetricsOptions): Form {
  const name = Object.keys(forms).find((form) => options[form] === true);
  if (name === 'p1203' && files.length > 1) throw usageError('--p1203 takes one session at a time.');
  return name === undefined ? plain : forms[name]!;
}

/** A condition that no session may meet. */
interface Condition {
  readonly metric: Metric;
  readonly comparison: keyof typeof COMPARISONS;
  /** In the unit of the metric. */
  readonly limit: number;
}

const COMPARISONS = {
  '>=': (value: number, limit: number) => value >= limit,
  '<=': (value: number, limit: number) => value <= limit,
  '>': (value: number, limit: number) => value > limit,
  '<': (value: number, limit: number) => value < limit,
} as const;

const TEXT = /^\s*([^\s<>=]+)\s*(>=|<=|>|<)\s*(\S+)\s*$/;

/** A parser for a condition, `rebuffer-rate > 1`, of an option that can be repeated. */
export function conditionList(text: string, before: readonly Condition[] = []): readonly Condition[] {
  const [, id = '', comparison, number = ''] = TEXT.exec(text) ?? [];
  if (!isComparison(comparison) || !Number.isFinite(Number(number)))
    throw new InvalidArgumentError(
      '--fail-if takes a metric, one of > >= < <=, and a number, as in "rebuffer-rate > 1".',
    );
  const [known] = listOf('metric', metrics)(id);
  return [...before, { metric: pick(metrics, known!), comparison, limit: Number(number) }];
}

const isComparison = (text: string | undefined): text is Condition['comparison'] =>
  text !== undefined && Object.hasOwn(COMPARISONS, text);

/**
 * Why a session fails, a sentence for each condition that it meets. A metric without a value fails, too, and so does one whose
 * value is at least so large where a greater one would decide otherwise: a check that could not be made has not been passed.
 */
export const failuresOf = (log: SessionLog, conditions: readonly Condition[]): string[] =>
  conditions.flatMap(({ metric, comparison, limit }) => {
    const { value, lowerBound = false, why } = metric.of(log);
    const asked = `${metric.id} ${comparison} ${limit}`;
    if (value === null) return [`--fail-if "${asked}" cannot be checked. ${why ?? ''}`.trimEnd()];
    const meets = COMPARISONS[comparison](value, limit);
    const shown = `${metric.id} is ${lowerBound ? 'at least ' : ''}${exactly(metric, value)}.`;
    if (lowerBound && meets !== COMPARISONS[comparison](Infinity, limit))
      return [`--fail-if "${asked}" cannot be checked: ${shown}`];
    return meets ? [`--fail-if "${asked}": ${shown}`] : [];
  });

/** With its decimals and unit. The whole number stands beside a rounded one: 1.04 is shown as 1.0, and is above 1. */
function exactly(metric: Metric, value: number): string {
  const shown = metricNumber(metric, value);
  const unit = metric.unit === '' ? '' : ` ${metric.unit}`;
  return Number(shown) === value ? `${shown}${unit}` : `${shown}${unit} (${value})`;
}
