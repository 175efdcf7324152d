import { Option, type Command } from 'commander';
import { runCampaign } from '../experiment/run/campaign/runCampaign.ts';
import { writeStartingFile } from '../experiment/resolve/campaignFiles.ts';
import type { CampaignOptions, CompareOptions } from '../experiment/run/compareOptions.ts';
import { claimsOf } from '../experiment/papers/claimsOf.ts';
import { headlines } from '../experiment/run/compareTable.ts';
import {
  listOf,
  originOption,
  pathwayList,
  policyList,
  presetText,
  splitList,
  streamUrl,
  wholeNumber,
  playedRules,
} from './options.ts';
import { runCompare } from '../experiment/run/runCompare.ts';
import { isRowFolder } from '../experiment/run/simulated/rows/rowCampaign.ts';
import type { RowOptions } from '../experiment/run/simulated/rows/runRows.ts';
import { runSimulated } from '../experiment/run/simulated/runSimulated.ts';
import { flagOf, refuseBesidePair, withCampaignOptions, withRunOptions } from './campaignOptions.ts';
import { OF_ROWS, refuseBesideSimulate, withRowOptions } from './rowOptions.ts';
import type { Shell } from './shell.ts';
import { CodedError, EXIT } from '../node/exitCodes.ts';
import { browsers, labBrowser } from '../lab/browser/registry.ts';
import { playerRules as rules } from '../src/player/rules.ts';
import { presets } from '../src/player/presets.ts';
import type { PlacedPathway } from '../src/player/steering/pathways.ts';

export function addCompare(program: Command, shell: Shell): void {
  const command = program
    .command('compare')
    .description(
      'play each rule over each transport mode in a headless browser; write session logs and print a table',
    )
    .argument('[campaign.json]', 'a campaign file, instead of the options (docs/campaigns.md)');
  sessionOptions(command);
  campaignOptions(command);
  withRunOptions(command, {
    out: 'runs/<time>, or runs/<name of the campaign>',
    columns: headlines,
  })
    .addHelpText(
      'after',
      `\nTransport modes:\n${modes.map(({ id, meaning }) => `  ${id.padEnd(14)} ${meaning}`).join('\n')}\n`,
    )
    .action(async (file: string | undefined, options: CompareOptions & InitOptions & SteeringAsked) => {
      shell.exit(await run(command, { ...options, file, root: shell.root }));
    });
}

type InitOptions = Omit<CampaignOptions, 'file' | 'root'> &
  Omit<RowOptions, 'file' | 'threads'> & {
    readonly init?: string | true;
    readonly simulate?: boolean;
  };
type SteeringAsked = Pick<CompareOptions, 'mpd' | 'steering' | 'split'> & {
  readonly pathway?: readonly PlacedPathway[];
};
type Asked = CompareOptions &
  InitOptions &
  SteeringAsked & { readonly file: string | undefined; readonly root: string };

const { modes } = labBrowser;

/** What the campaign file says, or what only a campaign has. */
const OF_SESSIONS = [
  'seconds',
  'rules',
  'transports',
  'browsers',
  'preset',
  'mpd',
  'pathway',
  'steering',
  'split',
  'origin',
  'controller',
  'browserProfile',
];
const OF_CAMPAIGNS = [
  'dryRun',
  'spread',
  'table',
  'long',
  'again',
  'block',
  'pair',
  'listPairs',
  'simulate',
  ...OF_ROWS,
];

async function run(command: Command, { file, init, simulate, ...options }: Asked): Promise<number> {
  if (init !== undefined) {
    const target = init === true ? 'campaign.json' : init;
    writeStartingFile(target);
    process.stdout.write(
      `${target}: written; docs/campaign-file.md explains its fields. Next: pitwall compare ${target} --dry-run\n`,
    );
    return 0;
  }
  const stray = (file === undefined ? OF_CAMPAIGNS : OF_SESSIONS).find(
    (name) => command.getOptionValueSource(name) === 'cli',
  );
  if (stray !== undefined) throw new CodedError(EXIT.usage, strayOption(stray, file));
  refuseBesidePair(command, options.pair);
  if (file === undefined) return runCompare({ ...options, ...steeredBy(options) });
  refuseBesideSimulate(command, simulate === true);
  if (!simulate && !readsRows(options)) return runCampaign({ ...options, claimsOf, file });
  const isCounted = command.getOptionValueSource('workers') === 'cli';
  return runSimulated({ ...options, file, ...(isCounted && { threads: options.workers }) });
}

/** The folder says itself that its sessions are simulated. */
const readsRows = ({ table, out }: Pick<InitOptions, 'table' | 'out'>): boolean =>
  table === true && out !== undefined && isRowFolder(out);

/** What is compared where pathways are named: the browser's own choice with the policy of the page. */
const STEERED = ['browser', 'throughput'];

/** @throws Error in one sentence about an option without the one that it needs */
function steeredBy({
  mpd,
  pathway,
  steering,
  split,
}: SteeringAsked): Pick<CompareOptions, 'pathways' | 'steering'> {
  if (pathway !== undefined && split !== undefined)
    throw new CodedError(
      EXIT.usage,
      '--split cannot be combined with --pathway: a segment in several ranges cannot continue on another pathway.',
    );
  if (pathway === undefined) {
    if (steering !== undefined) throw new CodedError(EXIT.usage, '--steering needs --pathway.');
    return {};
  }
  if (mpd === undefined)
    throw new CodedError(EXIT.usage, '--pathway needs --mpd: it is a second server of the same stream.');
  return { pathways: pathway, steering: steering ?? STEERED };
}

function strayOption(name: string, file: string | undefined): string {
  if (file === undefined) return `--${flagOf(name)} needs a campaign file: pitwall compare CAMPAIGN.json.`;
  const refusal = `--${flagOf(name)} cannot be combined with a campaign file`;
  return name === 'pathway'
    ? `${refusal}: the lab's own origin has a second name without HTTP/3 where "steering" is set.`
    : `${refusal}: set it in ${file}.`;
}

const sessionOptions = (command: Command): Command => serverOptions(crossedOptions(command));

const crossedOptions = (command: Command): Command =>
  command
    .option('--seconds <n>', 'duration of each session in s', wholeNumber('--seconds', { min: 1 }), 40)
    .option(
      '--rules <ids>',
      `comma-separated, parameters as in fixed:level=4; rules: ${idsOf(rules)}`,
      playedRules,
      ['dashjs-dynamic'],
    )
    .option(
      '--transports <ids>',
      `comma-separated: ${idsOf(modes)}`,
      listOf('transport', modes),
      modes.filter(({ variantOf }) => variantOf === undefined).map(({ id }) => id as string),
    )
    .option(
      '--browsers <ids>',
      `comma-separated: ${idsOf(browsers)}; each plays every session (default: ${labBrowser.id}; docs/browsers.md)`,
      listOf('browser', browsers),
    );

const serverOptions = (command: Command): Command =>
  command
    .option(
      '--preset <text>',
      `player settings: ${presets.map(({ id }) => id).join(', ')}, or experiment:bufferSeconds=8:timeoutSeconds=20`,
      presetText,
      'experiment',
    )
    .option(
      '--mpd <url>',
      'MPD on another origin; first prints which protocols that origin offers (default: the demo)',
      streamUrl('--mpd'),
    )
    .option(
      '--pathway <id=url>',
      'with --mpd, repeatable: a server with the same files, such as tcp=https://tcp.cdn.example; first prints what it offers',
      pathwayList,
    )
    .option(
      '--steering <policies>',
      `with --pathway: comma-separated; each is a session (default: ${STEERED.join()}; docs/steering.md)`,
      policyList,
    )
    .option(
      '--split <counts>',
      'comma-separated, as in 1,6: in how many byte ranges at once each video segment is requested; each is a session',
      splitList,
    )
    .addOption(
      new Option('--browser-profile <kind>', 'warm: each browser visits the origin before its session')
        .choices(['cold', 'warm'])
        .default('cold'),
    )
    .addOption(originOption('server of the demo (docs/instrumented-origin.md)'))
    .option('--controller <name>', 'with --origin instrumented: reno, cubic, bbr, or tcp=cubic:quic=bbr');

const campaignOptions = (command: Command): Command =>
  withRowOptions(
    withCampaignOptions(
      command.option('--init [file]', 'write an example campaign file and exit (default: campaign.json)'),
      'with a campaign: ',
    ),
  );

const idsOf = (entries: readonly { id: string }[]): string => entries.map(({ id }) => id).join(', ');
