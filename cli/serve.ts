import path from 'node:path';
import { Option, type Command } from 'commander';
import { originOption, wholeNumber } from './options.ts';
import { congestionControllers } from '../lab/origin/startInstrumentedOrigin.ts';
import { runServe } from './serve/runServe.ts';
import type { ServeOptions } from './serve/serveOptions.ts';
import type { Shell } from './shell.ts';

export function addServe(program: Command, shell: Shell): void {
  program
    .command('serve')
    .description('serve the page and an origin for h1, h2 and h3, until Ctrl-C')
    .argument('[dir]', 'a folder of your own DASH content, served at /content/')
    .option('--port <n>', 'port of the page (plain http)', wholeNumber('--port', { min: 0 }), 8080)
    .option(
      '--https-port <n>',
      'port of the origin (h1, h2, h3)',
      wholeNumber('--https-port', { min: 0 }),
      8443,
    )
    .option('--open', 'open a Chromium that can do h2, h3 and racing against this origin', false)
    .addOption(originOption('the server; instrumented reports its transport (Server-Timing, CMSD)'))
    .addOption(
      new Option('--cc <name>', 'congestion controller of TCP and QUIC').choices(congestionControllers),
    )
    .option('--emulated-connections <n>', 'Cubic connections whose share QUIC takes', wholeFrom(1))
    .option('--initial-window <packets>', 'initial congestion window of QUIC', wholeFrom(2))
    .option('--max-window <packets>', 'largest congestion window of QUIC', wholeFrom(2))
    .option('--zero-rtt', 'accept requests in the first packet of a resumed QUIC connection')
    .option(
      '--transport-log <file>',
      'write a JSON line per connection every 100 ms: RTT, window, loss, rate',
    )
    .addHelpText(
      'after',
      '\nPort 0 selects a free port. The options from --cc on need --origin instrumented.\n',
    )
    .action(async (dir: string | undefined, options: ServeOptions) => {
      await runServe({ ...options, root: shell.root, contentDir: dir ? path.resolve(dir) : null });
    });
}

const wholeFrom = (min: number): ((text: string) => number) => wholeNumber('This option', { min });
