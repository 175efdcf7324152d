import { mkdir } from 'node:fs/promises';
import { print } from '../../node/print.ts';
import { audioKbpsOf, simInputs, type SimInputs, type SimOptions } from './simInputs.ts';
import { columnsFrom, pairedTable, type Column } from './pairedTable.ts';
import { footNotes, headNotes, simTable, type RuleReport, ruleReport } from './simTable.ts';
import { traceNetworks } from './traceNetworks.ts';
import { playAll } from './playAll.ts';
import { mustBeWritable, formatFileError, writeAtomically } from '../../node/files.ts';
import { usageError } from '../../node/exitCodes.ts';

/** Plays every rule over every trace and prints the table. @throws Error in one sentence, before anything is written */
export async function runSim(options: SimOptions): Promise<void> {
  const inputs = await simInputs(options);
  const { task } = inputs;
  await prepareOutputs(options);
  const why = whyNoOptimum(options);
  const columns = await publishedColumns(options, inputs);
  const traceNames = task.traces.map(({ name }) => name);
  const networks = traceNetworks(traceNames);
  print(headNotes(inputs, networks));
  const { scores, optima } = await playAll(task, { workers: options.jobs, withOptimum: why === null });
  const reports = task.rules.map(({ name: rule }, index) =>
    ruleReport({ rule, traceNames, networks, scores: scores[index]!, optima, why, seed: options.seed }),
  );
  print(`\n${simTable(reports)}\n`);
  if (options.paired) print(`${pairedTable({ reports, columns, networks, seed: options.seed })}\n`);
  print(footNotes(task, networks, why));
  if (options.json) writeAtomically(options.json, jsonOf(reports, inputs));
}

/** Says at once what could not be written later. */
async function prepareOutputs({ json, log }: SimOptions): Promise<void> {
  await mustBeWritable('--json', json);
  if (log === '') throw usageError('--log takes the name of a folder.');
  if (log)
    await mkdir(log, { recursive: true }).catch((error: unknown) => {
      throw new Error(formatFileError(log, error), { cause: error });
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
