import { print } from '../../node/print.ts';
import path from 'node:path';
import { aggregatePapers } from './results/aggregatePapers.ts';
import { campaignFiles, runName } from './campaignFiles.ts';
import { claimsOf, inTurn, paperCampaigns } from './papers.ts';
import type { PaperCampaign } from './paperCampaign.ts';
import { runCampaign } from '../../experiment/runner/runCampaign.ts';
import { EXIT } from '../../node/exitCodes.ts';
import { headlines } from '../../experiment/runner/metricCells.ts';
import type { CampaignFile } from '../../experiment/design/campaignFile.ts';
import { formatDuration } from '../../experiment/design/campaignDuration.ts';
import { pick } from '../../src/shared/registry.ts';
import { readPaperCampaign, sizeOf, tracesMissing } from './readPaperCampaign.ts';

export interface RunPapersOptions {
  /** Empty: the scaled ones in their turn. */
  readonly names: readonly string[];
  readonly full: boolean;
  readonly workers: number;
  /** Where the folders of runs are. */
  readonly out: string;
  readonly dryRun: boolean;
  readonly aggregate: boolean;
  readonly again: boolean;
  readonly keepNetlog: boolean;
  readonly root: string;
}

/**
 * Plays campaigns of papers one after the other, each from where it was cut off. Resolves to the exit code: 0 when every
 * one came to its end, that of an interruption or a full disk as soon as there is one. @throws Error in one sentence before anything is played
 */
export async function runPapers(options: RunPapersOptions): Promise<number> {
  const jobs = await jobsOf(options);
  print(formatSize(jobs, options.workers));
  if (options.dryRun) return 0;
  const missing = jobs
    .map(({ file, campaign }) => tracesMissing(file, campaign))
    .find((each) => each !== null);
  if (missing !== undefined) throw new Error(missing);
  let code = 0;
  for (const [index, job] of jobs.entries()) {
    print(`\n${index + 1} of ${jobs.length}: ${job.campaign.name}, ${job.label}`);
    const ended = await play(job, options);
    const kept = options.aggregate ? await aggregated(job, options) : 0;
    if (ended >= INTERRUPTED || ended === EXIT.noSpace) return ended;
    code = worstOf([code, ended, kept]);
  }
  return code;
}

/** A failure hides sessions without a frame, not the other way round. */
const worstOf = (codes: readonly number[]): number =>
  codes.find((code) => code === EXIT.failed) ?? Math.max(...codes);

/** Exit codes of what a signal ended. */
const INTERRUPTED = 128;

interface Job {
  readonly label: string;
  readonly file: string;
  readonly folder: string;
  readonly campaign: CampaignFile;
}

function jobsOf({ names, full, out, root }: RunPapersOptions): Promise<Job[]> {
  const asked: readonly PaperCampaign[] =
    names.length === 0 ? inTurn : names.map((name) => pick(paperCampaigns, name));
  return Promise.all(
    asked.map(async (campaign) => {
      const file = path.relative('.', campaignFiles(root, campaign)[full ? 'full' : 'scaled']);
      const folder = path.join(out, runName(campaign.id, full));
      return { label: campaign.label, file, folder, campaign: await readPaperCampaign(file) };
    }),
  );
}

const play = ({ file, folder }: Job, options: RunPapersOptions): Promise<number> => {
  const { workers, again, keepNetlog, root } = options;
  const about = { file, out: folder, workers, again, keepNetlog, root };
  return runCampaign({ ...about, claimsOf, metrics: headlines });
};

/** Where nothing of a campaign was played whole, the next one may still be. */
const aggregated = ({ folder }: Job, { root, out }: RunPapersOptions): Promise<number> =>
  aggregatePapers({ folders: [folder], root, out }).then(
    () => 0,
    (error: Error) => {
      process.stderr.write(`pitwall: ${error.message}\n`);
      return 1;
    },
  );

function formatSize(jobs: readonly Job[], workers: number): string {
  const sizes = jobs.map(({ campaign }) => sizeOf(campaign, workers));
  const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);
  const lines = jobs.map(
    ({ campaign }, index) =>
      `  ${campaign.name}: ${sizes[index]!.sessions} sessions, ${formatDuration(sizes[index]!.totalMs)}`,
  );
  const total = `${sum(sizes.map(({ sessions }) => sessions))} sessions, ${formatDuration(sum(sizes.map(({ totalMs }) => totalMs)))} with ${workers} pairs at once, if nothing has been played yet`;
  return [...lines, total].join('\n');
}
