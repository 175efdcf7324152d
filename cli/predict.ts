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
import { formatPredictions, predictionCsv, predictionJson } from './predict/formatPredictions.ts';
import { P1203_METRIC } from '../experiment/report/read/p1203Scores.ts';
import { readKnownSessions, type ReadKnownSession } from '../experiment/report/read/readKnownSessions.ts';
import { columnsNow } from '../node/fittedTable.ts';
import { mustBeWritable, writeAtomically } from '../node/files.ts';
import { warn } from '../node/print.ts';
import type { Metric } from '../src/analysis/metrics/metric.ts';
import { MIN_NETWORKS, predict, type Prediction } from '../src/analysis/prediction.ts';
import { usageError } from '../node/exitCodes.ts';

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
