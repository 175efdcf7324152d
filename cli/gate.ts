import path from 'node:path';
import type { Command } from 'commander';
import { option, withOptions } from './declareOptions.ts';
import { gateFile, gateMinutes, junit, outFolder, trust, workers } from './sharedOptions.ts';
import type { Shell } from './shell.ts';
import { formatText, isTooBusy } from '../experiment/gate/formatGate.ts';
import { runGate, type GateOutcome } from '../experiment/gate/runGate.ts';
import { writeGate } from '../experiment/gate/writeGate.ts';
import { EXIT } from '../node/exitCodes.ts';
import { mustBeWritable } from '../node/files.ts';

export function addGate(program: Command, shell: Shell): void {
  const command = program
    .command('gate')
    .description(
      'play BASE and NEW in pairs until it is known whether NEW is worse; the exit code tells (docs/gate.md)',
    )
    .argument(
      '<base>',
      'a rule, a rule file, a weights file, dashjs@VERSION (hls.js@…, shaka-player@…), a build or tarball of a player, or a built page',
    )
    .argument('<new>', 'the same, to compare with it');
  withOptions(
    command,
    'run',
    gateFile('networks, metrics with margins, budget (default: the gate of docs/gate.md)'),
    gateMinutes('budget, instead of that of the file'),
    workers('pairs that play at the same time; they disturb each other', 1),
    trust(),
  );
  withOptions(
    command,
    'output',
    outFolder('folder for logs, report and verdict (default: runs/gate-<time>)'),
    junit(),
    option('--markdown <file>', 'also write the result as Markdown, for a pull request'),
  ).action(async (base: string, next: string, options: Asked) => {
    await mustBeWritable('--junit', options.junit);
    await mustBeWritable('--markdown', options.markdown);
    const outcome = await runGate({ ...options, base, next, root: shell.root });
    if ('code' in outcome) return shell.exit(outcome.code);
    await writeGate(outcome, { ...options, root: shell.root });
    process.stdout.write(
      `${formatText(outcome)}\n\nlogs and report: ${path.relative('.', outcome.outDir)}\n`,
    );
    shell.exit(isTooBusy(outcome) ? EXIT.tooBusy : CODES[outcome.verdict]);
  });
}

interface Asked {
  readonly file?: string;
  readonly minutes?: number;
  readonly workers: number;
  readonly out?: string;
  readonly trust?: string;
  readonly junit?: string;
  readonly markdown?: string;
}

const CODES: Readonly<Record<GateOutcome['verdict'], number>> = {
  'no-regression': EXIT.done,
  regression: EXIT.regression,
  'cannot-tell': EXIT.cannotTell,
  open: EXIT.cannotTell,
};
