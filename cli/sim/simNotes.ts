import { parametersOf, type RuleRequest } from './ruleRequest.ts';
import type { SimTask } from './simTask.ts';
import { lengthMs } from '../../src/network/rateTrace.ts';
import { qoeModels } from '../../src/qoe.ts';
import { pick } from '../../src/registry.ts';
import { simModels } from '../../src/sim/registry.ts';

/** What is about to be played, a line for each thing that a result depends on. */
export function headNotes(task: SimTask): string {
  const { content, traces, qoeId, modelId } = task;
  const { ladder, segments, segmentMs, sizesBytes } = content.video;
  const bitratesKbps = ladder.map(({ bitrateKbps }) => bitrateKbps);
  const of = sizesBytes[0]!.length > segments ? ` of ${sizesBytes[0]!.length}` : '';
  const repeated = shorterThan((segments * segmentMs) / 1000, task);
  const lines = [
    `video   ${content.name}: ${segments}${of} segments of ${segmentMs / 1000} s, ${bitratesKbps.join(', ')} kbit/s`,
    `traces  ${traces.length}${repeated}`,
    `QoE     ${qoeId}: ${pick(qoeModels, qoeId).meaning(bitratesKbps)}; per chunk, without the first`,
    `model   ${modelId}: ${pick(simModels, modelId).meaning}`,
    ...task.rules.map((request, index) => `${index === 0 ? 'rules ' : '      '}  ${wordsOf(request)}`),
  ];
  return lines.join('\n');
}

/** What the columns mean, and why one is empty. */
export function footNotes({ seed }: SimTask, whyNoOptimum: string | null): string {
  const lines = [
    `QoE/chunk: mean over traces, with its 95 % bootstrap interval over traces (seed ${seed}). Other columns: means over traces.`,
    whyNoOptimum === null
      ? 'of optimum: mean QoE over the mean of the best that can be played on the same traces.'
      : `of optimum: ${whyNoOptimum}.`,
  ];
  return lines.join('\n');
}

function shorterThan(videoSeconds: number, { traces }: SimTask): string {
  const shorter = traces.filter((trace) => lengthMs(trace) - trace.startMs < videoSeconds * 1000).length;
  if (shorter === 0) return '';
  return `; ${shorter} of them shorter than the video (${videoSeconds} s): they begin again`;
}

function wordsOf(request: RuleRequest): string {
  const parameters = Object.entries(parametersOf(request)).map(([name, value]) => `${name}=${value}`);
  const followed = /:qoe=[^:]*$/.test(request.spec) && !/:qoe=/.test(request.name) ? ' (qoe from --qoe)' : '';
  return `${[request.name, ...parameters].join(' ')}${followed}`;
}
