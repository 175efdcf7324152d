import type { Command } from 'commander';
import { bitrates, choice, wholeNumber } from './options.ts';
import { traceFormats } from '../src/network/traces/registry.ts';
import { qoeModels } from '../src/shared/qoe.ts';

/** The options that say what plays over what, and how it is scored: the same for every command that simulates. */
export function withSceneOptions(command: Command): Command {
  return command
    .requiredOption('--traces <path...>', 'trace files, folders of trace files, or profile:ID')
    .addOption(choice('--format <id>', 'format of the traces (default: detected)', traceFormats))
    .option(
      '--video <video>',
      'the video: envivio, a folder of size files, a Sabre movie, or an MPD',
      'envivio',
    )
    .option('--ladder <kbps,…>', 'bitrates in kbit/s of a folder of size files, ascending', bitrates)
    .option(
      '--segment-ms <ms>',
      'segment duration of a folder of size files (default: 4000)',
      wholeNumber('--segment-ms', { min: 1 }),
    )
    .addOption(choice('--qoe <id>', 'QoE model of the scores', qoeModels).default('lin'));
}
