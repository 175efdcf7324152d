import type { Command } from 'commander';
import { idsOf, option, withOptions } from './declareOptions.ts';
import { audio, jobs, jsonFile, seed, withScene } from './sharedOptions.ts';
import { runSim } from '../experiment/simulate/runSim.ts';
import type { SimOptions } from '../experiment/simulate/simInputs.ts';
import { abrRules } from '../src/abr/registry.ts';
import { networkProfiles } from '../src/network/profiles/registry.ts';
import { traceFormats } from '../src/network/traces/registry.ts';
import { simModels } from '../src/sim/registry.ts';

export function addSim(program: Command): void {
  const command = program
    .command('sim')
    .description('simulate rules over network traces, much faster than real time, and score them');
  withOptions(
    command,
    'inputs',
    option(
      '--rules <rules>',
      'rules, comma-separated, with parameters as in fixed:level=4; or rule files, as in ./mine.ts (docs/rules.md)',
    ).makeOptionMandatory(),
  );
  withScene(command);
  withPlayerOptions(command);
  withOptions(command, 'run', seed('seed of the bootstrap and of rules with random choices'), jobs());
  withOptions(
    command,
    'output',
    option('--no-optimum', 'do not compute the optimum of each trace'),
    jsonFile('also write the results to this file, one object per rule'),
    option('--log <dir>', 'also write a session log of each session to this folder'),
    option(
      '--paired [csv]',
      'also compare the first rule with the others, trace by trace, and with the columns of a CSV file: trace, and QoE summed over all chunks except the first',
    ),
  )
    .addHelpText('after', formatHelp())
    .action((options: SimOptions) => runSim(options));
}

const formatHelp = (): string => `
Examples:
  pitwall sim --rules bba-2,mpc-robust --traces my-traces
  pitwall sim --rules fixed:level=4,throughput --traces a.json b.json --qoe log
  pitwall sim --rules bola --traces logs --video manifest.mpd --model player
  pitwall sim --rules ./mine.ts:safety=0.7,bola --traces my-traces
  pitwall sim --rules pensieve:weights=weights.json --traces my-traces
  pitwall sim --rules neural,mpc-robust --traces my-traces --paired rows.csv

Rules (name=value after a colon sets a parameter):
${abrRules.map(({ id, parameters }) => `  ${id.padEnd(12)} ${settingsOf(parameters)}`.trimEnd()).join('\n')}

Traces (docs/networks.md):
${linesOf(traceFormats)}

Profiles, as in profile:dvl (docs/networks.md):
  ${networkProfiles.map(({ id }) => id).join(', ')}

Models:
${linesOf(simModels)}
`;

const linesOf = (entries: readonly { id: string; meaning: string }[]): string =>
  entries.map(({ id, meaning }) => `  ${id.padEnd(12)} ${meaning}`).join('\n');

const settingsOf = (parameters: Readonly<Record<string, unknown>>): string =>
  Object.entries(parameters)
    .map(([name, value]) => `${name}=${String(value)}`)
    .join(' ');

/** Adds the level of detail, and the options of the player model. */
const withPlayerOptions = (command: Command): Command =>
  withOptions(
    command,
    'player',
    option('--model <id>', 'level of detail', { choices: idsOf(simModels), preset: 'chunk' }),
    option(
      '--protocol <id>',
      'with --model player: h1, h2 (default) or h3; sets handshakes, headers and order of bodies',
      { choices: ['h1', 'h2', 'h3'] },
    ),
    option('--rtt <ms>', 'with --model player: round-trip time (default: that of the trace, or 80)', {
      min: 0,
    }),
    option('--buffer <s>', 'with --model player: buffer target (default: 20)', { min: 1 }),
    audio('with --model player: bitrate of audio for a video that has none (default: no audio)', 1),
  );
