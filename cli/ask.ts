import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Command } from 'commander';
import { option, withOptions } from './declareOptions.ts';
import { streamUrl } from './options.ts';
import { trust } from './sharedOptions.ts';
import type { Shell } from './shell.ts';
import { askStream } from '../experiment/doctor/askStream.ts';
import { PLACES, proposeCampaign, type AskedStream } from '../experiment/doctor/proposeCampaign.ts';
import { showPlan } from '../experiment/runner/showCampaign.ts';
import { writeAtomically } from '../node/files.ts';
import { print, printable } from '../node/print.ts';
import { trustedBy } from '../node/trust.ts';
import { formatCount } from '../src/shared/format.ts';
import { valueOf } from '../src/shared/result.ts';

export function addAsk(program: Command, shell: Shell): void {
  const command = program
    .command('ask')
    .description(
      'propose the campaign that says whether HTTP/3 helps a stream, and write its file (docs/ask.md)',
    )
    .argument('<url>', 'the address of an MPD', streamUrl('<url>'));
  withOptions(
    command,
    'campaign',
    option(
      '--on <place>',
      'links: emulated networks, from a server of the lab, with the sizes of the stream; server: its own server',
      {
        choices: PLACES,
        preset: 'links',
      },
    ),
    option('--minutes <n>', 'how long the campaign may take', { min: 1, preset: 60 }),
    option('--all-sizes', 'ask for the size of every segment, however many there are'),
    trust('requests trust'),
  );
  withOptions(
    command,
    'output',
    option('--out <file>', 'campaign file to write', { preset: 'campaign.json' }),
  ).action(async (url: string, options: Asked) => shell.exit(await propose(url, options)));
}

interface Asked {
  readonly on: (typeof PLACES)[number];
  readonly minutes: number;
  readonly allSizes?: boolean;
  readonly trust?: string;
  readonly out: string;
}

/** Writes the files of a campaign and prints its plan. Resolves to the exit code. @throws Error in one sentence */
async function propose(url: string, { on, minutes, allSizes, trust: pem, out }: Asked): Promise<number> {
  const stream = await askStream(url, {
    trusted: await trustedBy({ trust: pem }),
    isThorough: allSizes === true,
  });
  const fileName = path.basename(out).replace(/\.json$/, '');
  const { campaign, sizesFile, about, may, mayNot } = valueOf(
    proposeCampaign(stream, { place: on, minutes, fileName }),
  );
  const texts = new Map([[out, `${JSON.stringify(campaign, null, 2)}\n`]]);
  if (sizesFile) texts.set(path.join(path.dirname(out), sizesFile.name), sizesFile.text);
  for (const file of texts.keys())
    if (existsSync(file)) throw new Error(`${file}: The file exists. Name another with --out, or remove it.`);
  for (const [file, text] of texts) writeAtomically(file, text);
  print(printable([formatStream(stream), ...about.map((line) => `  ${line}`)].join('\n')));
  print(`written: ${[...texts.keys()].join(', ')}\n`);
  // What is written is read again as `pitwall compare --dry-run` does.
  const code = await showPlan({ file: out, dryRun: true, workers: 1 });
  const [file, folder] = [quoted(out), quoted(path.join('runs', campaign.name))];
  print(
    [
      '',
      `may say:     ${may}`,
      `may not say: ${mayNot}`,
      '',
      `  pitwall compare ${file}${pem === undefined ? '' : ` --trust ${quoted(pem)}`}`,
      `  pitwall report ${folder} --answer`,
    ].join('\n'),
  );
  return code;
}

function formatStream({ url, isLive, ladderKbps, segmentSeconds }: AskedStream): string {
  const [lowest, highest] = [ladderKbps[0]!, ladderKbps.at(-1)!].map(Math.round);
  const length = segmentSeconds === null ? '' : `, segments of ${Number(segmentSeconds.toFixed(2))} s`;
  return `${url}: ${isLive ? 'live' : 'on demand'}, ${formatCount(ladderKbps.length, 'level')} from ${lowest} to ${highest} kbit/s${length}`;
}

/** A name as a shell takes it. */
const quoted = (text: string): string =>
  /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
