import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Command } from 'commander';
import { commands } from './commands.ts';
import { option, withOptions } from './declareOptions.ts';
import { refuseCommands, runCommandLine, type AddCommand } from './runCommandLine.ts';
import type { Shell } from './shell.ts';
import { stateFolder, requireNode } from '../setup/installation.mjs';
import { setUp } from '../setup/setup.mjs';

/** What the npm package has, in the order of the help. */
export const PACKAGED: readonly AddCommand[] = [addSetup, ...commands];

/** Commands that work on the files of a checkout. */
export const CHECKOUT_ONLY: readonly string[] = ['gate', 'papers', 'bench', 'screenshots'];

/** The command line of the npm package (packages/pitwall). Resolves to the exit code: docs/exit-codes.md. */
export async function main(args: readonly string[], root: string): Promise<number> {
  requireNode(process.versions.node);
  return runCommandLine(args, { root, commands: [...PACKAGED, addCheckoutOnly] });
}

const addCheckoutOnly = refuseCommands(
  CHECKOUT_ONLY,
  (name) => `pitwall ${name} works on the files of a checkout of Pitwall, not in the npm package.`,
);

/** Serves at once after an installation: what it needs is looked for, and made, the first time. */
const SETS_UP = ['serve', 'open'];

function addSetup(program: Command, shell: Shell): void {
  const command = program
    .command('setup')
    .description('find or download Chromium, Caddy and ffmpeg, and encode the demo stream, once per machine');
  withOptions(
    command,
    'setup',
    option('--lab', 'also build the link emulator (some minutes; needs cargo and Linux)'),
    option('--firefox', 'also install Firefox, a second browser for sessions (needs root and Debian)'),
  ).action(({ lab = false, firefox = false }: { lab?: boolean; firefox?: boolean }) =>
    setUp({ forLab: lab, withFirefox: firefox }),
  );
  program.hook('preAction', async (_, command) => {
    const isThere = existsSync(path.join(stateFolder(shell.root), 'tools.json'));
    if (SETS_UP.includes(command.name()) && !isThere) await setUp({ forLab: false });
  });
}
