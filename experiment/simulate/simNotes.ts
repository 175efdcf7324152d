import { audioKbpsOf } from './audioBeside.ts';
import type { AskedRule } from './askedRules.ts';
import type { SimInputs } from './simInputs.ts';
import type { SimTask } from './simTask.ts';
import { lengthMs } from '../../src/network/rateTrace.ts';
import { qoeModels } from '../../src/shared/qoe.ts';
import { pick } from '../../src/shared/registry.ts';
import { simModels } from '../../src/sim/registry.ts';

/** What is about to be played, a line for each thing that a result depends on. */
export function headNotes({ task, rules, formats, notes }: SimInputs): string {
  const { content, traces, qoeId, modelId } = task;
  const { ladder, segments, segmentMs, sizesBytes } = content.video;
  const bitratesKbps = ladder.map(({ bitrateKbps }) => bitrateKbps);
  const of = sizesBytes[0]!.length > segments ? ` of ${sizesBytes[0]!.length}` : '';
  const repeated = shorterThan((segments * segmentMs) / 1000, task);
  const lines = [
    `video   ${content.name}: ${segments}${of} segments of ${Number((segmentMs / 1000).toFixed(3))} s, ${bitratesKbps.join(', ')} kbit/s${formatAudio(task)}`,
    `traces  ${traces.length} (${formats.join(', ')})${repeated}`,
    ...notes.map((note) => `        ${note}`),
    `QoE     ${qoeId}: ${pick(qoeModels, qoeId).meaning(bitratesKbps)}; per chunk, without the first`,
    `model   ${modelId}: ${pick(simModels, modelId).meaning}${formatSetting(task)}`,
    ...rules.map((rule, index) => `${index === 0 ? 'rules ' : '      '}  ${formatRule(rule)}`),
  ];
  return lines.join('\n');
}

function formatAudio(task: SimTask): string {
  const bitratesKbps = audioKbpsOf(task);
  return bitratesKbps ? `; audio of ${bitratesKbps.join(', ')} kbit/s` : '';
}

const formatSetting = ({ player }: SimTask): string =>
  Object.entries(player)
    .map(([name, value]) => `; ${name}=${String(value)}`)
    .join('');

/** What the columns mean, and why one is empty. */
export function footNotes({ seed }: SimTask, whyNoOptimum: string | null): string {
  const lines = [
    `QoE/chunk: mean over traces, with its 95 % bootstrap interval over traces (seed ${seed}). Other columns: means over traces.`,
    whyNoOptimum === null
      ? 'of optimum: mean QoE divided by the mean of the optimum on the same traces.'
      : `of optimum: ${whyNoOptimum}.`,
  ];
  return lines.join('\n');
}

function shorterThan(videoSeconds: number, { traces }: SimTask): string {
  const shorter = traces.filter((trace) => lengthMs(trace) - trace.startMs < videoSeconds * 1000).length;
  if (shorter === 0) return '';
  return `; ${shorter} of them shorter than the video (${Number(videoSeconds.toFixed(3))} s): they repeat`;
}

function formatRule({ name, rule, followsRun }: AskedRule): string {
  const parameters = Object.entries(rule.parameters).map(([parameter, value]) => `${parameter}=${value}`);
  return `${[name, ...parameters].join(' ')}${followsRun ? ' (qoe of the run)' : ''}`;
}
