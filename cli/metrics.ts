import type { Command } from 'commander';
import { option, withOptions } from './declareOptions.ts';
import { EXIT, usageError } from '../node/exitCodes.ts';
import { metricList } from './options.ts';
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
import { conditionList, failuresOf, type Condition } from './metrics/failIf.ts';
import { formatDefinitions } from './metrics/formatDefinitions.ts';
import {
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
