import type { Command } from 'commander';
import { print } from '../node/print.ts';
import { option, withOptions } from './declareOptions.ts';
import { jobs, jsonFile, withScene } from './sharedOptions.ts';
import type { Shell } from './shell.ts';
import { playAll } from '../experiment/simulate/playAll.ts';
import { traceFiles } from '../experiment/simulate/traceFiles.ts';
import { formatRates } from '../experiment/simulate/simTable.ts';
import { traceTable } from '../experiment/simulate/pairedTable.ts';
import { videoFrom } from '../experiment/simulate/videoFrom.ts';
import { mustBeWritable, readText, writeAtomically } from '../node/files.ts';
import { trustedBy } from '../node/trust.ts';
import { qoeModels } from '../src/shared/qoe.ts';
import { pick } from '../src/shared/registry.ts';
import type { OptimumScore } from '../experiment/simulate/simTask.ts';
import type { SimOptions } from '../experiment/simulate/simInputs.ts';
import { plainTable } from '../node/textTable.ts';
import { mean } from '../src/analysis/statistics/summaries.ts';
import { median } from '../bench/statistics.ts';
import { formatSigned } from '../src/shared/format.ts';

export function addOptimum(program: Command, shell: Shell): void {
  const command = program
    .command('optimum')
    .description(
      'compute the best possible QoE on each trace, with all future rates known, in the chunk model',
    );
  withOptions(
    withScene(command),
    'inputs',
    option(
      '--anchors <file>',
      'CSV of known optima to compare with: trace,opt_feasible_lower,opt_optimistic_upper',
    ),
  );
  withOptions(command, 'run', jobs());
  withOptions(
    command,
    'output',
    jsonFile('also write the results to this file, one object per trace, with the levels'),
  )
    .addHelpText(
      'after',
      `
QoE is summed over all segments except the first, whose level is fixed. The policy can be played: the chunk model gives
exactly this QoE for its levels. No policy exceeds the bound.

With --anchors the exit code is 1 when a policy is more than 0.05 below a known one, or a bound more than 0.05 above.

Examples:
  pitwall optimum --traces my-traces
  pitwall optimum --traces my-traces --qoe log --json optima.json`,
    )
    .action(async (options: OptimumOptions) => shell.exit(await runOptimum(options)));
}

/** What `pitwall optimum` was asked for. */
interface OptimumOptions extends Pick<
  SimOptions,
  'traces' | 'format' | 'video' | 'trust' | 'ladder' | 'segmentMs' | 'qoe' | 'json'
> {
  readonly anchors?: string;
  readonly jobs: number;
}

/** Resolves to the exit code: 1 when a known figure is missed. @throws Error in one sentence */
async function runOptimum(options: OptimumOptions): Promise<number> {
  const content = await videoFrom(options.video, { ...options, trusted: await trustedBy(options) });
  const { segments, ladder } = content.video;
  if (segments < 2)
    throw new Error(`${options.video}: A score needs at least two segments: the first one does not count.`);
  const { traces, formats, notes } = await traceFiles(options.traces, options.format ?? null);
  const anchors = options.anchors
    ? anchorsFrom(await readText(options.anchors), options.anchors)
    : new Map<string, Anchor>();
  await mustBeWritable('--json', options.json);
  const model = pick(qoeModels, options.qoe);
  print(`video   ${content.name}: ${segments} segments, ${ladder.length} levels`);
  print(`traces  ${traces.length} (${formats.join(', ')})`);
  for (const note of [formatRates(traces), ...notes]) print(`        ${note}`);
  print(`QoE     ${model.id}: ${model.meaning(ladder.map(({ bitrateKbps }) => bitrateKbps))}\n`);
  const task = {
    rules: [],
    traces,
    content,
    modelId: 'chunk',
    player: {},
    qoeId: model.id,
    seed: 1,
    logFiles: null,
  };
  const { optima } = await playAll(task, { workers: options.jobs, withOptimum: true });
  const reports = traces.map(({ name: trace }, index) =>
    optimumReport(optima![index]!, { trace, segments, anchor: anchors.get(trace) }),
  );
  if (options.anchors && reports.every(({ aboveKnownPolicy }) => aboveKnownPolicy === null))
    throw new Error(`${options.anchors}: It has a line for none of these traces.`);
  print(formatOptimum(reports));
  if (options.json) writeAtomically(options.json, `${JSON.stringify(reports, null, 1)}\n`);
  return reports.every(isWithinAnchors) ? 0 : 1;
}

/** What `--json` writes of one trace. QoE is summed without the first segment. */
export interface OptimumReport {
  readonly trace: string;
  readonly qoe: number;
  readonly upperBound: number;
  readonly qoePerChunk: number;
  readonly rungs: readonly number[];
  readonly searchMs: number;
  /** How far the policy is above the known one, and the bound below the known one; null without a known figure. */
  readonly aboveKnownPolicy: number | null;
  readonly belowKnownBound: number | null;
}

interface Known {
  readonly trace: string;
  readonly segments: number;
  readonly anchor: Anchor | undefined;
}

export function optimumReport(score: OptimumScore, { trace, segments, anchor }: Known): OptimumReport {
  const chunks = segments - 1;
  const qoe = score.qoePerChunk * chunks;
  const upperBound = score.upperBoundPerChunk * chunks;
  return {
    trace,
    qoe,
    upperBound,
    qoePerChunk: score.qoePerChunk,
    rungs: score.rungs,
    searchMs: score.searchMs,
    aboveKnownPolicy: anchor ? qoe - anchor.lower : null,
    belowKnownBound: anchor ? anchor.upper - upperBound : null,
  };
}

/** A bound this near is no more than rounding. */
const ROUNDING_QOE = 1e-5;

/** The traces of a run, a line each, and what they come to. */
export function formatOptimum(reports: readonly OptimumReport[]): string {
  const rows = reports.map(({ trace, qoe, upperBound, qoePerChunk, searchMs }) => [
    trace,
    qoe.toFixed(3),
    upperBound.toFixed(3),
    qoePerChunk.toFixed(3),
    String(Math.round(searchMs)),
  ]);
  const lines = [plainTable(['trace', 'QoE', 'bound', 'QoE/chunk', 'ms'], rows), '', ...sums(reports)];
  return [...lines, ...margins(reports)].join('\n');
}

function sums(reports: readonly OptimumReport[]): string[] {
  const gaps = reports.map(({ qoe, upperBound }) => upperBound - qoe);
  const proven = gaps.filter((gap) => gap < ROUNDING_QOE).length;
  const times = reports.map(({ searchMs }) => searchMs);
  return [
    `mean QoE ${mean(reports.map(({ qoe }) => qoe)).toFixed(3)}, per chunk ${mean(reports.map(({ qoePerChunk }) => qoePerChunk)).toFixed(3)}, bound ${mean(reports.map(({ upperBound }) => upperBound)).toFixed(3)}`,
    `proven to be the optimum: ${proven} of ${reports.length}; greatest gap to the bound ${Math.max(...gaps).toFixed(3)}`,
    `time per trace: median ${Math.round(median(times))} ms, longest ${Math.round(Math.max(...times))} ms`,
  ];
}

function margins(reports: readonly OptimumReport[]): string[] {
  const known = reports.filter(({ aboveKnownPolicy }) => aboveKnownPolicy !== null);
  if (known.length === 0) return [];
  const above = Math.min(...known.map(({ aboveKnownPolicy }) => aboveKnownPolicy!));
  const below = Math.min(...known.map(({ belowKnownBound }) => belowKnownBound!));
  const outside = known.filter((report) => !isWithinAnchors(report)).map(({ trace }) => trace);
  return [
    `smallest margin over ${known.length} known values: policy ${formatSigned(above, 5)} above the known policy, bound ${formatSigned(below, 5)} below the known bound`,
    outside.length === 0 ? 'all within 0.05' : `outside by more than 0.05: ${outside.join(', ')}`,
  ];
}

/** What is known of a trace's optimum, QoE summed without the first segment. */
interface Anchor {
  /** A policy of this QoE is known. */
  readonly lower: number;
  /** A bound of this height is known. */
  readonly upper: number;
}

const COLUMNS = ['opt_feasible_lower', 'opt_optimistic_upper'];

/** Anchors by trace name. @throws Error in one sentence that names file, line and column */
export function anchorsFrom(text: string, name: string): ReadonlyMap<string, Anchor> {
  const { columns, rows } = traceTable(text, name, COLUMNS);
  const anchors = new Map<string, Anchor>();
  for (const [trace, { line, cells }] of rows) {
    const [lower, upper] = COLUMNS.map((column) => {
      const cell = cells[columns.indexOf(column)] ?? '';
      if (cell === '' || !Number.isFinite(Number(cell)))
        throw new Error(`${name}, line ${line}, column ${column}: "${cell}" is not a number.`);
      return Number(cell);
    });
    anchors.set(trace, { lower: lower!, upper: upper! });
  }
  return anchors;
}

/** Known figures were rounded to cells of time. */
const TOLERANCE_QOE = 0.05;

/** Whether a policy is no worse than the known one and the bound no higher; true where nothing is known. */
export const isWithinAnchors = ({ aboveKnownPolicy, belowKnownBound }: OptimumReport): boolean =>
  (aboveKnownPolicy ?? 0) >= -TOLERANCE_QOE && (belowKnownBound ?? 0) >= -TOLERANCE_QOE;
