import { audioBeside } from './audioBeside.ts';
import { askedRules, type AskedRule } from './askedRules.ts';
import { logFiles } from './logFiles.ts';
import { playerSettingsOf } from './playerOptions.ts';
import type { SimOptions } from './simOptions.ts';
import type { SimTask } from './simTask.ts';
import { traceFiles } from './traceFiles.ts';
import { videoFrom } from './videoFrom.ts';

/** The inputs of a run after reading: what the workers need, and what is also printed for people. */
export interface SimInputs {
  readonly task: SimTask;
  readonly rules: readonly AskedRule[];
  /** Ids of the formats that the traces were in. */
  readonly formats: readonly string[];
  /** What of the traces' profiles is not simulated. */
  readonly notes: readonly string[];
}

/** Reads rules, video and traces. @throws Error in one sentence that names what is wrong and where */
export async function simInputs(options: SimOptions): Promise<SimInputs> {
  const { model: modelId, qoe: qoeId, seed } = options;
  const player = playerSettingsOf(options, modelId);
  const rules = await askedRules(options.rules, qoeId);
  const content = audioBeside(await videoFrom(options.video, options), options.audio);
  if (content.video.segments < 2)
    throw new Error(`${options.video}: A score needs at least two segments: the first one does not count.`);
  const { traces, formats, notes } = await traceFiles(options.traces, options.format ?? null);
  const texts = rules.map(({ name, spec, weights }) => ({ name, spec, weights }));
  const ruleNames = rules.map(({ name }) => name);
  const traceNames = traces.map(({ name }) => name);
  const logs = options.log === undefined ? null : logFiles(options.log, { ruleNames, traceNames });
  const tellsOptimum = options.optimum && modelId === 'chunk';
  const task = { rules: texts, traces, content, modelId, player, qoeId, seed, logFiles: logs, tellsOptimum };
  return { task, rules, formats, notes };
}
