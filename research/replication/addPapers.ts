import path from 'node:path';
import type { Command } from 'commander';
import { option, withOptions } from '../../cli/declareOptions.ts';
import { again, dryRun, keepNetlog, outFolder, workers } from '../../cli/sharedOptions.ts';
import { aggregatePapers } from './results/aggregatePapers.ts';
import { formatList } from './pages/formatList.ts';
import { WORKERS } from './pages/paperPage.ts';
import { paperCampaigns, papers } from './papers.ts';
import { rescorePapers } from './results/rescore.ts';
import { runPapers } from './runPapers.ts';
import { CodedError, EXIT } from '../../node/exitCodes.ts';
import type { Entry } from '../../src/shared/registry.ts';
import { unknownId } from '../../src/shared/unknownId.ts';
import type { Shell } from '../../cli/shell.ts';

export function addPapers(program: Command, shell: Shell): void {
  const command = program
    .command('papers')
    .description('replicate published papers: play campaigns and compare the results (research/papers)');
  command
    .command('list')
    .description(
      'list the campaigns, tables and figures of each paper, what plays them, and which have been played',
    )
    .argument('[paper...]', 'as its page is named, for example 2018-advanced-transport (default: all)')
    .action(async (ids: string[]) => {
      refuseUnknown('paper', ids, papers);
      process.stdout.write(`${await formatList(shell.root, ids)}\n`);
    });
  const run = command
    .command('run')
    .description(
      'play campaigns one after the other; run the same command again to resume after an interruption',
    )
    .argument('[campaign...]', 'as "pitwall papers list" names them (default: those with a run order)');
  withOptions(
    run,
    'campaign',
    option('--full', 'play at full length instead of scaled down'),
    dryRun('only print the number of sessions and the duration'),
    again(),
  );
  withOptions(run, 'run', workers('pairs that play at the same time', WORKERS));
  withOptions(
    run,
    'output',
    outFolder('folder for the folders of runs', 'runs'),
    option('--aggregate', 'after each campaign, write its results as "pitwall papers aggregate" does'),
    keepNetlog(),
  ).action(async (names: string[], options: RunOptions) => {
    refuseUnknown('campaign', names, paperCampaigns);
    shell.exit(await runPapers({ ...UNASKED, ...options, names, root: shell.root }));
  });
  addResults(command, shell);
}

/** @throws CodedError in one sentence for the first id that is not there */
function refuseUnknown(what: string, ids: readonly string[], entries: readonly Entry[]): void {
  const known = entries.map(({ id }) => id);
  const unknown = ids.find((id) => !known.includes(id));
  if (unknown !== undefined) throw new CodedError(EXIT.usage, unknownId(what, unknown, known));
}

/** What writes committed results. */
function addResults(command: Command, shell: Shell): void {
  const aggregate = command
    .command('aggregate')
    .description(
      'write the results of runs into campaigns/results, and from these the results in research/papers',
    )
    .argument('[folder...]', 'folders of runs (default: all paper campaigns in --out)');
  withOptions(aggregate, 'output', outFolder('folder with the folders of runs', 'runs')).action(
    async (folders: string[], { out }: { out: string }) => {
      await aggregatePapers({
        folders: folders.map((folder) => path.normalize(folder)),
        out,
        root: shell.root,
      });
    },
  );
  command
    .command('rescore')
    .description(
      'score the results in campaigns/results anew, from the metrics of their sessions, and write research/papers',
    )
    .action(() => rescorePapers(shell.root));
}

/** What `pitwall papers run` does where no option asks for it. */
const UNASKED = { full: false, dryRun: false, aggregate: false, again: false, keepNetlog: false };

interface RunOptions extends Partial<Record<keyof typeof UNASKED, boolean>> {
  readonly workers: number;
  readonly out: string;
}
