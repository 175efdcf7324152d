import { mkdir } from 'node:fs/promises';
import { audioKbpsOf, simInputs, type SimInputs } from './simInputs.ts';
import { columnsFrom, type Column } from './videoFrom.ts';
import { pairedTable, footNotes, headNotes, simTable } from './simTable.ts';
import { playAll } from './playAll.ts';
import type { SimOptions } from './simOptions.ts';
import { mustBeWritable } from '../../node/mustBeWritable.ts';
import { formatFileError } from '../../node/formatFileError.ts';
import { writeAtomically } from '../../node/writeAtomically.ts';
import path from 'node:path';
import type { OptimumScore, SessionScore } from './simTask.ts';
import { bootstrap } from '../../src/analysis/statistics/intervals.ts';

/** Plays every rule over every trace and prints the table. @throws Error in one sentence, before anything is written */
export async function runSim(options: SimOptions): Promise<void> {
  const inputs = await simInputs(options);
  const { task } = inputs;
  await prepareOutputs(options);
  const why = whyNoOptimum(options);
  const columns = await publishedColumns(options, inputs);
  print(headNotes(inputs));
  const { scores, optima } = await playAll(task, { workers: options.jobs, withOptimum: why === null });
  const traceNames = task.traces.map(({ name }) => name);
  const reports = task.rules.map(({ name: rule }, index) =>
    ruleReport({ rule, traceNames, scores: scores[index]!, optima, why, seed: options.seed }),
  );
  print(`\n${simTable(reports)}\n`);
  if (options.paired) print(`${pairedTable({ reports, columns, seed: options.seed })}\n`);
  print(footNotes(task, why));
  if (options.json) writeAtomically(options.json, jsonOf(reports, inputs));
}

/** Says at once what could not be written later. */
async function prepareOutputs({ json, log }: SimOptions): Promise<void> {
  await mustBeWritable('--json', json);
  if (log === '') throw new Error('--log takes the name of a folder.');
  if (log)
    await mkdir(log, { recursive: true }).catch((error: unknown) => {
      throw new Error(formatFileError(log, error));
    });
}

async function publishedColumns({ paired }: SimOptions, { task }: SimInputs): Promise<readonly Column[]> {
  const traces = task.traces.map(({ name }) => name);
  return typeof paired === 'string'
    ? columnsFrom(paired, { traces, chunks: task.content.video.segments - 1 })
    : [];
}

function whyNoOptimum({ optimum, model }: SimOptions): string | null {
  if (!optimum) return 'not computed (--no-optimum)';
  return model === 'chunk' ? null : 'only the chunk model has an optimum';
}

/** One object per rule, with what was run beside what came out. */
function jsonOf(reports: readonly RuleReport[], { task, rules }: SimInputs): string {
  const { modelId: model, player: modelSettings, qoeId: qoe, content, seed } = task;
  const run = { model, modelSettings, qoe, video: content.name, audioKbps: audioKbpsOf(task), seed };
  const rows = reports.map((report, index) => {
    const { perTrace, ...figures } = report;
    return { ...figures, parameters: rules[index]!.rule.parameters, ...run, perTrace };
  });
  return `${JSON.stringify(rows, null, 1)}\n`;
}

const print = (text: string): void => void process.stdout.write(`${text}\n`);

interface Names {
  readonly ruleNames: readonly string[];
  readonly traceNames: readonly string[];
}

/** Signs of a rule's and of a trace's name that are kept, the last ones: paths differ there. File systems take 255 bytes. */
const MAX_SIGNS = 100;

/**
 * Files of session logs in a folder, `[rule][trace]`. Signs that a file system may not like become "_". No two are the
 * same, also where large letters are as good as small ones: a later one gets a number.
 */
export function logFiles(folder: string, { ruleNames, traceNames }: Names): string[][] {
  const taken = new Set<string>();
  const unique = (name: string, count = 1): string => {
    const numbered = count === 1 ? name : `${name}~${count}`;
    if (taken.has(numbered.toLowerCase())) return unique(name, count + 1);
    taken.add(numbered.toLowerCase());
    return numbered;
  };
  return ruleNames.map((rule) =>
    traceNames.map((trace) => path.join(folder, `${unique(plainName(rule, trace))}.json`)),
  );
}

function plainName(ruleName: string, traceName: string): string {
  const [rule, trace] = [ruleName, traceName.replace(/\.json$/, '')].map((name) =>
    name.slice(-MAX_SIGNS).replace(/[^\p{L}\p{N}_.,=~+-]/gu, '_'),
  );
  return `${rule!}~${trace!}`;
}

/** What `--json` writes of one rule. Means are over traces; per-chunk figures leave out the first chunk. */
export interface RuleReport {
  readonly rule: string;
  readonly sessions: number;
  readonly qoePerChunkMean: number;
  /** 95 % percentile bootstrap over traces. */
  readonly qoePerChunkInterval: readonly [number, number];
  /** Mean QoE over the mean of the optimum; null with the reason beside it. */
  readonly shareOfOptimum: number | null;
  readonly shareOfOptimumWhy: string | null;
  readonly stallSecondsMean: number;
  readonly stallsMean: number;
  readonly switchesMean: number;
  readonly meanBitrateKbps: number;
  readonly joinSecondsMean: number;
  readonly perTrace: readonly TraceReport[];
}

interface TraceReport extends SessionScore {
  readonly trace: string;
  /** The best that can be played, and what nothing can exceed; null without an optimum. */
  readonly optimumPerChunk: number | null;
  readonly upperBoundPerChunk: number | null;
}

interface ReportInput {
  readonly rule: string;
  readonly traceNames: readonly string[];
  /** In the order of the traces, as the optima. */
  readonly scores: readonly SessionScore[];
  readonly optima: readonly OptimumScore[] | null;
  /** Why there are no optima. */
  readonly why: string | null;
  readonly seed: number;
}

function ruleReport({ rule, traceNames, scores, optima, why, seed }: ReportInput): RuleReport {
  const qoe = bootstrap(
    scores.map(({ qoePerChunk }) => qoePerChunk),
    mean,
    seed,
  );
  return {
    rule,
    sessions: scores.length,
    qoePerChunkMean: qoe.value,
    qoePerChunkInterval: [...qoe.interval],
    ...shareOf(qoe.value, optima, why),
    stallSecondsMean: mean(scores.map(({ stallSeconds }) => stallSeconds)),
    stallsMean: mean(scores.map(({ stalls }) => stalls)),
    switchesMean: mean(scores.map(({ switches }) => switches)),
    meanBitrateKbps: mean(scores.map(({ meanBitrateKbps }) => meanBitrateKbps)),
    joinSecondsMean: mean(scores.map(({ joinSeconds }) => joinSeconds)),
    perTrace: scores.map((score, index) => ({
      trace: traceNames[index]!,
      ...score,
      optimumPerChunk: optima?.[index]!.qoePerChunk ?? null,
      upperBoundPerChunk: optima?.[index]!.upperBoundPerChunk ?? null,
    })),
  };
}

function shareOf(qoePerChunk: number, optima: readonly OptimumScore[] | null, why: string | null) {
  const best = optima && mean(optima.map((each) => each.qoePerChunk));
  if (best === null) return { shareOfOptimum: null, shareOfOptimumWhy: why };
  if (best <= 0) return { shareOfOptimum: null, shareOfOptimumWhy: 'the optimum itself is not above 0' };
  return { shareOfOptimum: qoePerChunk / best, shareOfOptimumWhy: null };
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;
