import { anchorsFrom, type Anchor } from './anchors.ts';
import { isWithinAnchors } from './isWithinAnchors.ts';
import { optimumReport } from './optimumReport.ts';
import { formatOptimum } from './formatOptimum.ts';
import { playAll } from '../../experiment/simulate/playAll.ts';
import { traceFiles } from '../../experiment/simulate/traceFiles.ts';
import { videoFrom } from '../../experiment/simulate/videoFrom.ts';
import { mustBeWritable } from '../../node/mustBeWritable.ts';
import { readText } from '../../node/readText.ts';
import { writeAtomically } from '../../node/writeAtomically.ts';
import { qoeModels } from '../../src/shared/qoe.ts';
import { pick } from '../../src/shared/registry.ts';

/** What `pitwall optimum` was asked for. */
export interface OptimumOptions {
  readonly traces: readonly string[];
  readonly format?: string;
  readonly video: string;
  readonly ladder?: readonly number[];
  readonly segmentMs?: number;
  readonly qoe: string;
  readonly anchors?: string;
  readonly json?: string;
  readonly jobs: number;
}

/** Resolves to the exit code: 1 when a known figure is missed. @throws Error in one sentence */
export async function runOptimum(options: OptimumOptions): Promise<number> {
  const content = await videoFrom(options.video, options);
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
  for (const note of notes) print(`        ${note}`);
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

const print = (text: string): void => void process.stdout.write(`${text}\n`);
