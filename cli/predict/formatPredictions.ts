import { fittedTable } from '../../node/fittedTable.ts';
import type { Metric } from '../../src/analysis/metrics/metric.ts';
import {
  isLogarithmic,
  type KnownSession,
  type ModelError,
  type Prediction,
  predictionModels,
} from '../../src/analysis/prediction.ts';
import { csvLine } from '../../src/shared/csv.ts';
import { decimalsOf, formatCount, formatNumber, formatSigned } from '../../src/shared/format.ts';

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
export function predictionJson(predictions: readonly Prediction[], inputs: readonly Metric[]): string {
  const errors = predictions.map(({ target, sessions, networks, models }) => ({
    target: target.id,
    unit: target.unit,
    sessions: sessions.length,
    networks: networks.length,
    models: models.map(({ predicted: _, ...error }) => error),
  }));
  return `${JSON.stringify({ inputs: inputs.map(({ id }) => id), predictions: errors }, null, 1)}\n`;
}
