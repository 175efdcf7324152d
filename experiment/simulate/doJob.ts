import type { OptimumScore, SessionScore, SimDone, SimJob, SimTask } from './simTask.ts';
import { parseRule } from '../../node/rules.ts';
import { writeAtomically } from '../../node/files.ts';
import type { Rule } from '../../src/abr/rule.ts';
import type { RateTrace } from '../../src/network/rateTrace.ts';
import { qoeModels } from '../../src/shared/qoe.ts';
import { pick } from '../../src/shared/registry.ts';
import type { Outcome, Scene, SimModel } from '../../src/sim/model.ts';
import { withTraceOptimum } from '../../src/sim/log/simHeader.ts';
import { offlineOptimum } from '../../src/sim/optimum/optimum.ts';
import { qoeOfOutcome } from '../../src/sim/outcomeQoe.ts';
import { playerModelWith } from '../../src/sim/player/playerModel.ts';
import { simModels } from '../../src/sim/registry.ts';

/** Does one job. Rejects with one sentence that names rule and trace. */
export async function doJob(task: SimTask, job: SimJob): Promise<SimDone> {
  const traces = task.traces.slice(job.from, job.to);
  if (job.rule === null) return { job, scores: [], optima: traces.map((trace) => optimumOf(task, trace)) };
  const request = task.rules[job.rule]!;
  const files = task.logFiles?.[job.rule]?.slice(job.from, job.to);
  const rule = { task, rule: await parseRule(request), ruleName: request.name };
  const scores = traces.map((trace, index) => scoreOf({ ...rule, logFile: files?.[index] ?? null }, trace));
  return { job, scores, optima: [] };
}

interface Session {
  readonly task: SimTask;
  readonly rule: Rule;
  readonly ruleName: string;
  readonly logFile: string | null;
}

function scoreOf({ task, rule, ruleName, logFile }: Session, trace: RateTrace): SessionScore {
  try {
    const scene = { trace, content: task.content, rule, seed: task.seed };
    const outcome = playTask(task, scene, logFile);
    const { video } = task.content;
    const qoe = qoeOfOutcome(outcome, video, pick(qoeModels, task.qoeId));
    const bitratesKbps = Array.from(outcome.rungs, (rung) => video.ladder[rung]!.bitrateKbps);
    return {
      // A video of one segment is refused before the run.
      qoePerChunk: qoe.perSegment!,
      stallSeconds: qoe.stallSeconds,
      stalls: outcome.stalls,
      switches: qoe.switches,
      meanBitrateKbps: bitratesKbps.reduce((sum, kbps) => sum + kbps, 0) / bitratesKbps.length,
      joinSeconds: outcome.waitMs[0]! / 1000,
    };
  } catch (error) {
    throw new Error(
      `${ruleName} on ${trace.name}: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

const modelOf = ({ modelId, player }: SimTask): SimModel =>
  modelId === 'player' ? playerModelWith(player) : pick(simModels, modelId);

function playTask(task: SimTask, scene: Scene, logFile: string | null): Outcome {
  const model = modelOf(task);
  if (logFile === null) return model.simulate(scene);
  const { outcome, log } = model.record(scene);
  const optimum = task.tellsOptimum ? provenOptimum(task, scene.trace) : null;
  const reported = optimum === null ? log : withTraceOptimum(log, optimum);
  writeAtomically(logFile, `${JSON.stringify(reported)}\n`);
  return outcome;
}

/** Offline optima that this thread has found, by trace, so that rules that meet the same trace search only once. */
const optima = new WeakMap<RateTrace, number | null>();

/** Finds the optimum of the linear QoE, as the log has it; null where the search left a gap to the bound. */
function provenOptimum({ content }: SimTask, trace: RateTrace): number | null {
  const kept = optima.get(trace);
  if (kept !== undefined) return kept;
  const { feasible, upperBound } = offlineOptimum(trace, content, pick(qoeModels, 'lin'));
  const optimum = upperBound - feasible.qoe <= PROVEN_QOE ? feasible.qoe : null;
  optima.set(trace, optimum);
  return optimum;
}

/** Maximum gap to the bound of a proven optimum: the bound stands a millionth above it (`src/sim/optimum/optimum.ts`). */
const PROVEN_QOE = 1e-5;

function optimumOf({ content, qoeId }: SimTask, trace: RateTrace): OptimumScore {
  const startMs = performance.now();
  const { feasible, upperBound } = offlineOptimum(trace, content, pick(qoeModels, qoeId));
  const searchMs = performance.now() - startMs;
  const chunks = content.video.segments - 1;
  return {
    qoePerChunk: feasible.qoe / chunks,
    upperBoundPerChunk: upperBound / chunks,
    rungs: feasible.rungs,
    searchMs,
  };
}
