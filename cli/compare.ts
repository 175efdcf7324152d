import { Option, type Command } from 'commander';
import { runCampaign } from './compare/campaign/runCampaign.ts';
import { writeStartingFile } from './compare/campaign/writeStartingFile.ts';
import type { CampaignOptions, CompareOptions } from './compare/compareOptions.ts';
import { headlines } from './compare/metricCell.ts';
import { metricList } from './compare/metricList.ts';
import { playedRules } from './compare/playedRules.ts';
import { runCompare } from './compare/runCompare.ts';
import { runSimulated } from './compare/simulated/runSimulated.ts';
import { shardOf } from './compare/shardOf.ts';
import { listOf, streamUrl, wholeNumber } from './options.ts';
import type { Shell } from './shell.ts';
import { modes } from '../lab/browser/mode.ts';
import { playerRules as rules } from '../src/player/rules.ts';
import { presets } from '../src/player/presets.ts';

export function addCompare(program: Command, shell: Shell): void {
  const command = program
    .command('compare')
    .description('play every rule over every transport, headless; one session log each, and a table')
    .argument('[campaign.json]', 'a designed experiment instead of the options (docs/campaigns.md)');
  sessionOptions(command);
  campaignOptions(command);
  command
    .option('--out <dir>', 'where the logs go (default: runs/<time>, or runs/<name of the campaign>)')
    .option(
      '--workers <n>',
      'sessions, or pairs of a campaign, at once; they disturb each other',
      wholeNumber('--workers', { min: 1 }),
      1,
    )
    .option('--shard <i/n>', 'only this part of the sessions, as Playwright counts them', shardOf)
    .addOption(
      new Option('--metrics <ids>', 'the columns of the table, comma-separated, or all: docs/metrics.md')
        .argParser(metricList)
        .default(headlines, headlines.map(({ id }) => id).join()),
    )
    .option('--keep-netlog', 'keep each browser’s whole NetLog beside its log, packed')
    .option('--devtools', 'ask DevTools, too, about every race; half as much work again for the machine')
    .addHelpText(
      'after',
      `\nTransports:\n${modes.map(({ id, meaning }) => `  ${id.padEnd(10)} ${meaning}`).join('\n')}\n`,
    )
    .action(async (file: string | undefined, options: CompareOptions & InitOptions) => {
      shell.exit(await run(command, { ...options, file, root: shell.root }));
    });
}

type InitOptions = Omit<CampaignOptions, 'file' | 'root'> & {
  readonly init?: string | true;
  readonly simulate?: boolean;
};
type Asked = CompareOptions & InitOptions & { readonly file: string | undefined; readonly root: string };

/** What the campaign file says, or what only a campaign has. */
const OF_SESSIONS = [
  'seconds',
  'rules',
  'transports',
  'preset',
  'mpd',
  'origin',
  'controller',
  'browserProfile',
];
const OF_CAMPAIGNS = ['dryRun', 'table', 'long', 'again', 'simulate'];
/** What a simulated campaign has no use for. */
const OF_THE_LAB = ['workers', 'shard', 'long', 'again'];

async function run(command: Command, { file, init, simulate, ...options }: Asked): Promise<number> {
  if (init !== undefined) {
    const target = init === true ? 'campaign.json' : init;
    writeStartingFile(target);
    process.stdout.write(
      `${target}: docs/campaigns.md explains its fields; next: pitwall compare ${target} --dry-run\n`,
    );
    return 0;
  }
  const stray = (file === undefined ? OF_CAMPAIGNS : OF_SESSIONS).find(
    (name) => command.getOptionValueSource(name) === 'cli',
  );
  if (stray !== undefined) throw new Error(strayOption(stray, file));
  if (file === undefined) return runCompare(options);
  if (!simulate) return runCampaign({ ...options, file });
  const useless = OF_THE_LAB.find((name) => command.getOptionValueSource(name) === 'cli');
  if (useless !== undefined)
    throw new Error(`--${useless} is of the lab; a simulated campaign takes seconds on one machine.`);
  return runSimulated({ ...options, file });
}

const strayOption = (name: string, file: string | undefined): string =>
  file === undefined
    ? `--${flagOf(name)} needs a campaign file: pitwall compare CAMPAIGN.json.`
    : `--${flagOf(name)} is what ${file} says: change it there.`;

/** `dryRun` is asked for as `dry-run`. */
const flagOf = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

const sessionOptions = (command: Command): Command =>
  command
    .option('--seconds <n>', 'how long each session plays', wholeNumber('--seconds', { min: 1 }), 40)
    .option(
      '--rules <ids>',
      `comma-separated, with parameters as in fixed:rung=3: ${idsOf(rules)}`,
      playedRules,
      ['dashjs-dynamic'],
    )
    .option(
      '--transports <ids>',
      `comma-separated: ${idsOf(modes)}`,
      listOf('transport', modes),
      modes.map(({ id }) => id as string),
    )
    .addOption(
      new Option('--preset <id>', 'settings of the player')
        .choices(presets.map(({ id }) => id))
        .default('experiment'),
    )
    .option(
      '--mpd <url>',
      'another origin: says first which transports it offers (default: our own demo)',
      streamUrl('--mpd'),
    )
    .addOption(
      new Option('--browser-profile <kind>', 'warm: each browser has visited the origin before its session')
        .choices(['cold', 'warm'])
        .default('cold'),
    )
    .addOption(
      new Option('--origin <name>', 'who serves the demo: docs/speaking-origin.md')
        .choices(['caddy', 'speaking'])
        .default('caddy'),
    )
    .option('--controller <name>', 'of --origin speaking: reno, cubic, bbr, or as tcp=cubic:quic=bbr');

const campaignOptions = (command: Command): Command =>
  command
    .option('--init [file]', 'write a campaign file to begin with (default: campaign.json)')
    .option(
      '--dry-run',
      'of a campaign: say what it would do, how long, and whether a verdict can come of it',
    )
    .option('--table', 'of a campaign: only print the table of the logs in --out')
    .option('--simulate', 'of a campaign: play it in the simulator’s player model instead of the lab')
    .option('--again', 'of a campaign: also play sessions that the machine spoilt in their last try')
    .option('--long', 'of a campaign: begin although it takes a week or more');

const idsOf = (entries: readonly { id: string }[]): string => entries.map(({ id }) => id).join(', ');
