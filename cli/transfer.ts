import type { Command } from 'commander';
import {
  refuseBesidePair,
  runAsked,
  withCampaignOptions,
  withRunOptions,
  type CommandOptions,
} from './campaignOptions.ts';
import type { Shell } from './shell.ts';
import { CodedError, EXIT } from '../node/exitCodes.ts';
import { transferColumns } from '../src/analysis/metrics/registry.ts';

export function addTransfer(program: Command, shell: Shell): void {
  const command = program
    .command('transfer')
    .description(
      'download files in headless browsers, without a player: objects, streams, ranges and handshakes over each transport',
    )
    .argument('<transfer.json>', 'a transfer file (docs/transfer.md)');
  withCampaignOptions(command);
  withRunOptions(command, { out: 'runs/<name of the file>', columns: transferColumns })
    .addHelpText(
      'after',
      `
Transfers:
  objects:mb=2,5,10:pause=500          one object after the other
  streams:mb=4:count=8:pause=500       two streams of objects at the same time
  ranges:mb=1:ranges=6                 one object in 1 to 12 ranges at once
  handshake:connection=resumed         a small object over a new connection
`,
    )
    .action(async (file: string, options: Omit<CommandOptions, 'file' | 'root'> & { simulate?: boolean }) => {
      const { simulate, ...asked } = options;
      if (simulate)
        throw new CodedError(
          EXIT.usage,
          `${file}: A transfer cannot be simulated: the simulator models a player and its network, not handshakes, streams and connections.`,
        );
      refuseBesidePair(command, asked.pair);
      shell.exit(await runAsked({ ...asked, downloads: true, file, root: shell.root }));
    });
}
