import { Option, type Command } from 'commander';
import { runExport } from './export/runExport.ts';
import type { ExportOptions } from './export/exportTablesTo.ts';
import { tableForms } from './export/tableForms.ts';
import { listOf } from './options.ts';
import type { Shell } from './shell.ts';
import { exportTables, sessionFormats } from '../src/export/registry.ts';

export function addExport(program: Command, shell: Shell): void {
  const forms = [...sessionFormats, ...tableForms];
  program
    .command('export')
    .description(
      'convert sessions to formats that other programs read: HAR, qlog, CSV, Parquet (docs/export.md)',
    )
    .argument('<log|folder...>', 'session logs, or folders of them, or campaign folders')
    .addOption(
      new Option('--format <form>', 'output format, see below')
        .choices(forms.map(({ id }) => id))
        .makeOptionMandatory(),
    )
    .option(
      '-o, --out <place>',
      'output file; for several sessions or tables a folder (default: a single file is printed)',
    )
    .option(
      '--tables <ids>',
      `with ${tableForms.map(({ id }) => id).join(' or ')}: only these tables, comma-separated`,
      listOf('table', exportTables),
    )
    .option('--screen <size>', 'with p1203: width and height of the screen in pixels', '1920x1080')
    .option(
      '--fps <n>',
      'with p1203: frames per second of the video (default: as counted in the session)',
      Number,
    )
    .addHelpText('after', `\nFormats:\n${linesOf(forms)}\n\nTables:\n${linesOf(exportTables)}`)
    .action(async (inputs: string[], options: ExportOptions) => shell.exit(await runExport(inputs, options)));
}

const linesOf = (entries: readonly { id: string; about: string }[]): string =>
  entries.map(({ id, about }) => `  ${id.padEnd(10)} ${about}`).join('\n');
