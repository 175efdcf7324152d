import { mkdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { jobsOf } from './jobsOf.ts';
import { progressOf } from './progress.ts';
import { ruleReport, type RuleReport } from './ruleReport.ts';
import { parametersOf } from './ruleRequest.ts';
import { ruleRequests } from './ruleRequests.ts';
import { runWorkers } from './runWorkers.ts';
import { footNotes, headNotes } from './simNotes.ts';
import type { SimOptions } from './simOptions.ts';
import { simTable } from './simTable.ts';
import type { OptimumScore, SessionScore, SimTask } from './simTask.ts';
import { traceFiles } from './traceFiles.ts';
import { videoFrom } from './videoFrom.ts';
import { sentenceOf } from '../sentenceOf.ts';
import { writeAtomically } from '../writeAtomically.ts';

/** Plays every rule over every trace and prints the table. @throws Error in one sentence, before anything is written */
export async function runSim(options: SimOptions): Promise<void> {
  const task = await taskOf(options);
  await prepareOutputs(options);
  const why = whyNoOptimum(options);
  print(headNotes(task));
  const results = await playAll(task, options, why === null);
  const reports = task.rules.map(({ name: rule }, index) =>
    ruleReport({
      rule,
      traceNames: task.traces.map(({ name }) => name),
      scores: results.scores[index]!,
      optima: why === null ? results.optima : null,
      why,
      seed: options.seed,
    }),
  );
  if (options.json) writeAtomically(options.json, jsonOf(reports, task));
  print(`\n${simTable(reports)}\n`);
  print(footNotes(task, why));
}

async function taskOf(options: SimOptions): Promise<SimTask> {
  const rules = await ruleRequests(options.rules, options.qoe);
  const content = await videoFrom(options.video, options);
  if (content.video.segments < 2)
    throw new Error(`${options.video}: A video of one segment has no score: the first one does not count.`);
  const traces = await traceFiles(options.traces, options.format ?? null);
  const { model: modelId, qoe: qoeId, seed } = options;
  return { rules, traces, content, modelId, qoeId, seed, logDir: options.log ?? null };
}

/** Says at once what cannot be written later. */
async function prepareOutputs({ json, log }: SimOptions): Promise<void> {
  const folder = json && path.dirname(json);
  if (folder)
    await stat(folder).catch((error: unknown) => {
      throw new Error(sentenceOf(folder, error));
    });
  if (log)
    await mkdir(log, { recursive: true }).catch((error: unknown) => {
      throw new Error(sentenceOf(log, error));
    });
}

function whyNoOptimum({ optimum, model }: SimOptions): string | null {
  if (optimum && model === 'chunk') return 'cannot be computed yet';
  if (!optimum) return 'not asked for (--no-optimum)';
  return model === 'chunk' ? null : 'the optimum is that of the chunk model';
}

async function playAll(task: SimTask, { jobs: workers }: SimOptions, withOptimum: boolean) {
  const { traces, rules } = task;
  const scores = rules.map(() => new Array<SessionScore>(traces.length));
  const optima = new Array<OptimumScore>(withOptimum ? traces.length : 0);
  const jobs = jobsOf(task, withOptimum);
  const progress = progressOf(
    jobs.reduce((sum, { from, to }) => sum + to - from, 0),
    withOptimum ? 'sessions and optima' : 'sessions',
  );
  try {
    await runWorkers(task, jobs, {
      workers,
      onDone({ job, scores: some, optima: best }) {
        some.forEach((score, index) => (scores[job.rule!]![job.from + index] = score));
        best.forEach((score, index) => (optima[job.from + index] = score));
        progress.done(job.to - job.from);
      },
    });
  } finally {
    progress.end();
  }
  return { scores, optima };
}

/** One object per rule, with what was run beside what came out. */
function jsonOf(reports: readonly RuleReport[], task: SimTask): string {
  const run = { model: task.modelId, qoe: task.qoeId, video: task.content.name, seed: task.seed };
  const rows = reports.map((report, index) => {
    const { perTrace, ...figures } = report;
    return { ...figures, parameters: parametersOf(task.rules[index]!), ...run, perTrace };
  });
  return `${JSON.stringify(rows, null, 1)}\n`;
}

const print = (text: string): void => void process.stdout.write(`${text}\n`);
