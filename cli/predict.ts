import type { Command, Option } from 'commander';
import { option, withOptions } from './declareOptions.ts';
import { metricList } from './options.ts';
import {
  type P1203Flags,
  p1203ProgramOption,
  p1203ScoreOption,
  scoreFiles,
  screenOptions,
} from './p1203Options.ts';
import { jsonFile } from './sharedOptions.ts';
import { P1203_METRIC } from '../experiment/report/read/p1203Scores.ts';
import { readKnownSessions, type ReadKnownSession } from '../experiment/report/read/readKnownSessions.ts';
import { columnsNow, fittedTable } from '../node/fittedTable.ts';
import { mustBeWritable, writeAtomically } from '../node/files.ts';
import { warn } from '../node/print.ts';
import type { Metric } from '../src/analysis/metrics/metric.ts';
import {
  MIN_NETWORKS,
  predict,
  type Prediction,
  isLogarithmic,
  type KnownSession,
  type ModelError,
  predictionModels,
} from '../src/analysis/prediction.ts';
import { usageError } from '../node/exitCodes.ts';
import { csvLine } from '../src/shared/csv.ts';
import { decimalsOf, formatCount, formatNumber, formatSigned } from '../src/shared/format.ts';

/** What the 2019 study predicts from. */
const INPUTS = 'throughput,response-latency';
/** What viewers notice. */
const TARGETS = 'qoe-linear,mean-bitrate,mean-quality-level,switches,rebuffer-count,rebuffer-rate,join-time';

export function addPredict(program: Command): void {
  const command = program
    .command('predict')
    .description(
      'predict the QoE of sessions from their throughput and latency, and report the error (docs/prediction.md)',
    )
    .argument(
      '<place...>',
      'campaign folders, or tables of sessions that "pitwall report --format csv" writes (.csv)',
    );
  withOptions(
    command,
    'inputs',
    metricsOption('--inputs <ids>', 'metrics to predict from, comma-separated (docs/metrics.md)', INPUTS),
    metricsOption('--targets <ids>', 'metrics to predict, comma-separated', TARGETS),
  );
  withOptions(
    command,
    'score',
    p1203ScoreOption('also predict the score of ITU-T P.1203 (needs the reference implementation)'),
    p1203ProgramOption(),
    ...screenOptions('--p1203-score'),
  );
  withOptions(
    command,
    'output',
    jsonFile('also write the errors to this file'),
    option('--csv <file>', 'also write every prediction to this file, a row per session and metric'),
  ).action(runPredict);
}

const metricsOption = (flags: string, text: string, ids: string): Option =>
  option(flags, text, {
    parse: metricList,
    preset: metricList(ids),
    presetText: ids.replaceAll(',', ', '),
  });

interface PredictOptions extends P1203Flags {
  readonly inputs: readonly Metric[];
  readonly targets: readonly Metric[];
  readonly json?: string;
  readonly csv?: string;
}

async function runPredict(places: string[], options: PredictOptions): Promise<void> {
  const { inputs, targets, json, csv } = options;
  const both = inputs.find(({ id }) => targets.some((target) => target.id === id));
  if (both) throw usageError(`${both.id} is in --inputs and in --targets; a metric cannot predict itself.`);
  await mustBeWritable('--json', json);
  await mustBeWritable('--csv', csv);
  const { sessions, notes } = await readKnownSessions(places);
  notes.forEach(warn);
  const scored = options.p1203Score ? await withScores(sessions, options) : sessions;
  const predictions = predict(scored, {
    inputs,
    targets: options.p1203Score ? [...targets, P1203_METRIC] : targets,
  });
  if (predictions.every(({ models }) => models.length === 0))
    throw new Error(formatTooFew(places, predictions));
  process.stdout.write(`${formatPredictions(predictions, { inputs, columns: columnsNow() })}\n`);
  if (json !== undefined) writeAtomically(json, predictionJson(predictions, inputs));
  if (csv !== undefined) writeAtomically(csv, predictionCsv(predictions, inputs));
}

function formatTooFew(places: readonly string[], predictions: readonly Prediction[]): string {
  const networks = Math.max(...predictions.map((each) => each.networks.length));
  return `${places.join(', ')}: Sessions with all inputs and a target are of ${networks} networks, and a prediction for a network that was left out takes ${MIN_NETWORKS}.`;
}

/** @throws Error in one sentence where there is no log to score, or no program */
async function withScores(
  sessions: readonly ReadKnownSession[],
  flags: P1203Flags,
): Promise<ReadKnownSession[]> {
  const files = sessions.flatMap(({ logFile }) => logFile ?? []);
  if (files.length < sessions.length)
    throw usageError('--p1203-score needs session logs: name campaign folders, not tables.');
  const scores = await scoreFiles(files, flags);
  const faults = [...scores.values()].flatMap((score) => (score.ok ? [] : [score.error]));
  if (faults.length > 0)
    process.stderr.write(
      `pitwall: ${faults.length} of ${scores.size} sessions have no P.1203 score; the first: ${faults[0]}\n`,
    );
  return sessions.map((session) => {
    const score = scores.get(session.logFile!)!;
    return { ...session, values: { ...session.values, [P1203_METRIC.id]: score.ok ? score.value : null } };
  });
}

const HEAD = [
  ...['metric', 'model', 'mean error', 'root mean square'],
  ...['explained, %', 'smaller error than mean', 'smaller by', 'smaller by: 95 %'],
];

/** What was predicted from what, and a line for each metric and model; `columns` of the terminal. */
export function formatPredictions(
  predictions: readonly Prediction[],
  { inputs, columns }: { readonly inputs: readonly Metric[]; readonly columns: number },
): string {
  const known = predictions.filter(({ models }) => models.length > 0);
  const rows = known.flatMap((prediction) =>
    prediction.models.map((model) => rowOf(prediction, model, prediction.models[0]!.meanError)),
  );
  return [
    formatSample(known.flatMap(({ sessions }) => sessions)),
    `Inputs: ${inputs.map(formatInput).join(', ')}.`,
    'Each network is predicted by models that were fitted to the other networks.',
    'Several metrics and models are shown, so an interval is no test.',
    '',
    fittedTable({ head: HEAD, rows, names: 2 }, columns),
    ...notesOf(predictions),
  ].join('\n');
}

/** Counts what had a prediction. */
function formatSample(sessions: readonly KnownSession[]): string {
  const machines = new Set(sessions.map(({ machine }) => machine));
  const count = new Set(sessions.map(({ id }) => id)).size;
  const networks = new Set(sessions.map(({ network }) => network)).size;
  return `${formatCount(count, 'session')} on ${formatCount(networks, 'network')}, ${formatMachines(machines)}.`;
}

const SIMULATOR = 'simulator';

function formatMachines(machines: ReadonlySet<string | null>): string {
  const real = [...machines].filter((id) => id !== null && id !== SIMULATOR).length;
  if (machines.has(null))
    return real === 0 ? 'machines not named' : `at least ${formatCount(real, 'machine')}`;
  if (real === 0) return 'simulated';
  return machines.has(SIMULATOR)
    ? `on ${formatCount(real, 'machine')} and simulated`
    : `on ${formatCount(real, 'machine')}`;
}

const formatInput = (input: Metric): string =>
  isLogarithmic(input) ? `logarithm of ${input.label}` : input.label;

const nameOf = ({ target: { label, unit } }: Prediction): string => (unit ? `${label}, ${unit}` : label);

/** `scale`: the trivial error, whose size says how many decimals all numbers of the metric have. */
function rowOf(prediction: Prediction, { model, gain, ...error }: ModelError, scale: number): string[] {
  const decimals = decimalsOf(null, scale);
  const { label } = predictionModels.find(({ id }) => id === model)!;
  const cells = [
    ...[nameOf(prediction), label],
    ...[formatNumber(error.meanError, decimals), formatNumber(error.rmsError, decimals)],
  ];
  if (!gain) return [...cells, '', '', '', ''];
  const { explainedShare, betterNetworks, meanError, interval } = gain;
  return [
    ...cells,
    explainedShare === null ? '–' : formatNumber(100 * explainedShare, 0),
    `${betterNetworks} of ${prediction.networks.length}`,
    formatSigned(meanError, decimals),
    interval ? interval.map((end) => formatSigned(end, decimals)).join(' to ') : '–',
  ];
}

/** Metrics that were not predicted, and those that rest on fewer sessions than others. */
function notesOf(predictions: readonly Prediction[]): string[] {
  const max = Math.max(...predictions.map(({ sessions }) => sessions.length));
  const notes = predictions
    .filter(({ sessions }) => sessions.length < max)
    .map(
      ({ target, sessions, networks, models }) =>
        `${target.id}: ${formatCount(sessions.length, 'session')} on ${formatCount(networks.length, 'network')} with a value${models.length === 0 ? '; too few networks' : ''}.`,
    );
  return notes.length === 0 ? [] : ['', ...notes];
}

/** A row for each session and metric, with the inputs and the answer of each model. */
export const predictionCsv = (predictions: readonly Prediction[], inputs: readonly Metric[]): string =>
  [
    csvLine([
      ...['session', 'arm', 'network', ...inputs.map(({ id }) => id)],
      ...['metric', 'unit', 'measured', ...predictionModels.map(({ id }) => id)],
    ]),
    ...predictions.flatMap(({ target, sessions, models }) =>
      sessions.map(({ id, arm, network, values }, place) =>
        csvLine([
          ...[id, arm, network, ...inputs.map((input) => values[input.id] ?? null)],
          ...[target.id, target.unit, values[target.id] ?? null],
          ...predictionModels.map(
            ({ id: name }) => models.find(({ model }) => model === name)?.predicted[place] ?? null,
          ),
        ]),
      ),
    ),
  ].join('');

/** The errors of each metric and model, without the predictions themselves. */
function predictionJson(predictions: readonly Prediction[], inputs: readonly Metric[]): string {
  const errors = predictions.map(({ target, sessions, networks, models }) => ({
    target: target.id,
    unit: target.unit,
    sessions: sessions.length,
    networks: networks.length,
    models: models.map(({ predicted: _, ...error }) => error),
  }));
  return `${JSON.stringify({ inputs: inputs.map(({ id }) => id), predictions: errors }, null, 1)}\n`;
}
