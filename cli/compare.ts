import path from 'node:path';
import type { Command } from 'commander';
import { runComparison, runPairs } from '../experiment/runner/runComparison.ts';
import type { Comparison } from '../experiment/resolve/comparison.ts';
import { writeStartingFile } from '../experiment/resolve/campaignFiles.ts';
import {
  claimsOf,
  refuseBesidePair,
  runAsked,
  withCampaignOptions,
  withRunOptions,
  type CommandOptions,
  refuseBesideSimulate,
  withRowOptions,
} from './campaignOptions.ts';
import { headlines } from '../experiment/runner/metricCells.ts';
import { idsOf, option, optionsOf, withOptions } from './declareOptions.ts';
import {
  controllerText,
  listOf,
  pathwayList,
  policyList,
  presetText,
  splitList,
  streamUrl,
  playedRules,
} from './options.ts';
import { writeReport } from './report.ts';
import { isRowFolder } from '../experiment/runner/simulated/rows/rowCampaign.ts';
import type { RowOptions } from '../experiment/runner/simulated/rows/runRows.ts';
import { runSimulated } from '../experiment/runner/simulated/runSimulated.ts';
import { origin } from './sharedOptions.ts';
import type { Shell } from './shell.ts';
import { timeStamp } from '../node/files.ts';
import { CodedError, EXIT } from '../node/exitCodes.ts';
import { browsers, labBrowser } from '../lab/browser/registry.ts';
import { playerRules as rules } from '../src/player/rules.ts';
import { PLAYERS } from '../src/player/others/createOtherPlayer.ts';
import { presets } from '../src/player/presets.ts';
import type { PlacedPathway } from '../src/player/steering/pathways.ts';

export function addCompare(program: Command, shell: Shell): void {
  const command = program
    .command('compare')
    .description(
      'play each rule over each transport mode in a headless browser; write session logs and print a table',
    )
    .argument('[campaign.json]', 'a campaign file, instead of the options (docs/campaigns.md)');
  withSessionOptions(command);
  withServerOptions(command);
  withOptions(
    command,
    'campaign',
    option('--init [file]', 'write an example campaign file and exit (default: campaign.json)'),
  );
  withRowOptions(withCampaignOptions(command));
  withRunOptions(command, {
    out: 'runs/<time>, or runs/<name of the campaign>',
    columns: headlines,
  })
    .addHelpText(
      'after',
      `\nTransport modes:\n${modes.map(({ id, meaning }) => `  ${id.padEnd(14)} ${meaning}`).join('\n')}\n`,
    )
    .action(async (file: string | undefined, options: Asked) => {
      shell.exit(await run(command, { ...options, file, root: shell.root }));
    });
}

/** What commander makes of the options; of a comparison without a file the pathways are called after their option. */
interface Asked
  extends Omit<Comparison, 'pathways'>, Omit<CommandOptions, 'file'>, Omit<RowOptions, 'file' | 'threads'> {
  readonly file?: string | undefined;
  readonly init?: string | true;
  readonly simulate?: boolean;
  readonly pairs?: number | undefined;
  readonly pathway?: readonly PlacedPathway[];
}

const { modes } = labBrowser;
const usualModes = idsOf(modes.filter(({ variantOf }) => variantOf === undefined));

async function run(command: Command, { file, init, simulate, ...options }: Asked): Promise<number> {
  if (init !== undefined) {
    const target = init === true ? 'campaign.json' : init;
    writeStartingFile(target);
    process.stdout.write(
      `${target}: written; docs/campaign-file.md explains its fields. Next: pitwall compare ${target} --dry-run\n`,
    );
    return 0;
  }
  const strays = file === undefined ? (['campaign', 'rows'] as const) : (['sessions', 'servers'] as const);
  const used = file === undefined && options.pairs !== undefined ? WITH_PAIRS : [];
  const stray = optionsOf(command, strays).find((each) => {
    const name = each.attributeName();
    return command.getOptionValueSource(name) === 'cli' && !used.includes(name);
  });
  if (stray !== undefined) throw new CodedError(EXIT.usage, strayOption(stray.long!, file));
  refuseBesidePair(command, options.pair);
  if (file === undefined) return playOptions(command, options);
  refuseBesideSimulate(command, simulate === true);
  if (!simulate && !readsRows(options)) return runAsked({ ...options, claimsOf, file });
  const isCounted = command.getOptionValueSource('workers') === 'cli';
  return runSimulated({ ...options, file, ...(isCounted && { threads: options.workers }) });
}

/** Plays what the options say: each session once, or in pairs, which end in a report. Resolves to the exit code. */
async function playOptions(
  command: Command,
  asked: Omit<Asked, 'file' | 'init' | 'simulate'>,
): Promise<number> {
  const { pairs, ...options } = asked;
  const comparison = { ...options, ...steeredBy(asked) };
  if (pairs === undefined) return runComparison(comparison, options);
  if (options.shard !== undefined)
    throw new CodedError(EXIT.usage, '--pairs cannot be combined with --shard.');
  if (pairs > MAX_PAIRS)
    throw new CodedError(
      EXIT.usage,
      `--pairs ${pairs}: At most ${MAX_PAIRS} are played without a campaign file.`,
    );
  const outDir = options.out ?? path.join('runs', timeStamp());
  const isGiven = command.getOptionValueSource('transports') === 'cli';
  const transports = isGiven ? options.transports : pairedModes(options);
  const code = await runPairs({ ...comparison, transports }, { ...options, pairs, outDir });
  if (options.dryRun) return code;
  // What went wrong before is the reason, where nothing can be reported.
  await writeReport(outDir, options).catch((error: unknown) => {
    if (code === EXIT.done) throw error;
  });
  return code;
}

const MAX_PAIRS = 1000;
/** What `--pairs` has a use for of the options of a campaign. */
const WITH_PAIRS = ['dryRun', 'spread', 'again', 'long'];

/** Browsers race by themselves: that is compared with h2, or is what all sessions have where something else varies. */
const pairedModes = ({
  rules,
  browsers = [],
  split = [],
  players = [],
}: Pick<Asked, 'rules' | 'browsers' | 'split' | 'players'>): string[] =>
  [rules, browsers, split, players].some(({ length }) => length > 1) ? ['h3-racing'] : ['h2', 'h3-racing'];

/** The folder says itself that its sessions are simulated. */
const readsRows = ({ table, out }: Pick<Asked, 'table' | 'out'>): boolean =>
  table === true && out !== undefined && isRowFolder(out);

/** What is compared where pathways are named: the browser's own choice with the policy of the page. */
const STEERED = ['browser', 'throughput'];

/** @throws CodedError in one sentence about options that do not go with each other, or without the one that they need */
function steeredBy(asked: Asked): Pick<Comparison, 'pathways' | 'steering'> {
  const { mpd, pathway, steering } = asked;
  const fault = faultTogether(asked);
  if (fault !== null) throw new CodedError(EXIT.usage, fault);
  if (pathway === undefined || mpd === undefined) return {};
  return { pathways: pathway, steering: steering ?? STEERED };
}

function faultTogether({ mpd, pathway, pairs, steering, split, origin, controller }: Asked): string | null {
  const isInstrumented = origin === 'instrumented';
  if (controller !== undefined && !isInstrumented) return '--controller needs --origin instrumented.';
  if (mpd !== undefined && isInstrumented)
    return '--origin and --mpd cannot be combined: --origin serves the demo, --mpd names a stream on another server.';
  if (pathway === undefined) return steering === undefined ? null : '--steering needs --pathway.';
  if (split !== undefined)
    return '--split cannot be combined with --pathway: a segment in several ranges cannot continue on another pathway.';
  if (pairs !== undefined)
    return '--pairs cannot be combined with --pathway: a campaign plays steering over the names of the lab.';
  return mpd === undefined ? '--pathway needs --mpd: it is a second server of the same stream.' : null;
}

/** Says why an option is not of what was asked for: each is for sessions without a campaign file, or for a campaign. */
function strayOption(flag: string, file: string | undefined): string {
  if (file === undefined) return `${flag} needs a campaign file: pitwall compare CAMPAIGN.json.`;
  const refusal = `${flag} cannot be combined with a campaign file`;
  return flag === '--pathway'
    ? `${refusal}: the lab's own origin has a second name without HTTP/3 where "steering" is set.`
    : `${refusal}: set ${flag === '--pairs' ? '"repeats"' : 'it'} in ${file}.`;
}

const withSessionOptions = (command: Command): Command =>
  withOptions(
    command,
    'sessions',
    option('--seconds <n>', 'duration of each session in s', { min: 1, preset: 40 }),
    option(
      '--pairs <n>',
      'play this many pairs and write a report that judges the join time; to resume, repeat it with its --out (default transports then: h2,h3-racing, or h3-racing where something else varies)',
      { min: 6 },
    ),
    option(
      '--rules <ids>',
      `comma-separated, parameters as in fixed:level=4; a rule file, ./mine.ts; with --players own, the rule of each player; or rules: ${listed(rules)}`,
      {
        parse: playedRules,
        preset: ['dashjs-dynamic'],
        presetText: 'dashjs-dynamic',
      },
    ),
    option('--transports <ids>', `comma-separated: ${listed(modes)}`, {
      parse: listOf('transport', modes),
      preset: usualModes,
      presetText: usualModes.join(', '),
    }),
    option(
      '--browsers <ids>',
      `comma-separated: ${listed(browsers)}; each plays every session (default: ${labBrowser.id}; docs/browsers.md)`,
      { parse: listOf('browser', browsers) },
    ),
    option(
      '--players <ids>',
      `comma-separated: ${listed(PLAYERS)}; each plays every session (default: dashjs; docs/player.md)`,
      { parse: listOf('player', PLAYERS) },
    ),
    option(
      '--preset <text>',
      `player settings: ${listed(presets)}, or experiment:bufferSeconds=8:timeoutSeconds=20`,
      { parse: presetText, preset: 'experiment' },
    ),
    option(
      '--split <counts>',
      'comma-separated, as in 1,6: in how many byte ranges at once each video segment is requested; each is a session',
      { parse: splitList },
    ),
    option('--browser-profile <kind>', 'warm: each browser visits the origin before its session', {
      choices: ['cold', 'warm'],
      preset: 'cold',
    }),
  );

const withServerOptions = (command: Command): Command =>
  withOptions(
    command,
    'servers',
    option(
      '--mpd <url>',
      'MPD on another origin; first prints which protocols that origin offers (default: the demo)',
      { parse: streamUrl('--mpd') },
    ),
    option(
      '--pathway <id=url>',
      'with --mpd, repeatable: a server with the same files, such as tcp=https://tcp.cdn.example; first prints what it offers',
      { parse: pathwayList },
    ),
    option(
      '--steering <policies>',
      `with --pathway: comma-separated; each is a session (default: ${STEERED.join()}; docs/steering.md)`,
      { parse: policyList },
    ),
    origin('server of the demo (docs/instrumented-origin.md)'),
    option('--controller <name>', 'with --origin instrumented: reno, cubic, bbr, or tcp=cubic:quic=bbr', {
      parse: controllerText,
    }),
  );

const listed = (entries: readonly { id: string }[]): string => idsOf(entries).join(', ');
