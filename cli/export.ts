import type { Command } from 'commander';
import { idsOf, option, withOptions } from './declareOptions.ts';
import { dataset, exportDataset } from './export/exportDataset.ts';
import { type ExportOptions, exportTablesTo, tableForms } from './export/exportTablesTo.ts';
import { listOf } from './options.ts';
import { screenOptions } from './p1203Options.ts';
import { outFile } from './sharedOptions.ts';
import type { Shell } from './shell.ts';
import { exportTables, sessionFormats } from '../src/export/registry.ts';
import { fillSessionPage, SESSION_PAGE, sessionPage } from '../src/export/sessionPage.ts';
import { logFilesIn, filesNoted, readLog } from '../node/logFiles.ts';
import { print, warn } from '../node/print.ts';
import { statSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { makeFolder, readText, writeAtomically } from '../node/files.ts';
import { buildApp } from '../setup/buildApp.mjs';
import type { FormatOptions, SessionFormat } from '../src/export/sessionFormat.ts';
import { formatCount } from '../src/shared/format.ts';
import { ok } from '../src/shared/result.ts';
import { usageError } from '../node/exitCodes.ts';

export function addExport(program: Command, shell: Shell): void {
  const forms = [sessionPage, ...sessionFormats, ...tableForms, dataset];
  const command = program
    .command('export')
    .description(
      'convert sessions to one HTML page, or to formats that other programs read: HAR, qlog, CSV, Parquet (docs/export.md)',
    )
    .argument('<log|folder...>', 'session logs, or folders of them, or campaign folders');
  withOptions(
    command,
    'output',
    option('--format <form>', 'output format, see below', { choices: idsOf(forms) }).makeOptionMandatory(),
    outFile(
      'output file; for several sessions or tables a folder (default: a single file is printed)',
      'place',
    ),
    option('--tables <ids>', `with ${idsOf(tableForms).join(' or ')}: only these tables, comma-separated`, {
      parse: listOf('table', exportTables),
    }),
    option('--licence <id>', 'with dataset: the licence under which you publish it, for example CC-BY-4.0'),
    option('--with-traces', 'with dataset: also publish plans that contain network traces of others'),
  );
  withOptions(command, 'score', ...screenOptions('p1203'))
    .addHelpText('after', `\nFormats:\n${linesOf(forms)}\n\nTables:\n${linesOf(exportTables)}`)
    .action(async (inputs: string[], options: ExportOptions) =>
      shell.exit(await runExport(inputs, options, shell.root)),
    );
}

const linesOf = (entries: readonly { id: string; about: string }[]): string =>
  entries.map(({ id, about }) => `  ${id.padEnd(10)} ${about}`).join('\n');

/**
 * Resolves to the exit code: 1 where a session could not be read or has no such form; the others are written all the same.
 * @throws Error in one sentence, before anything is written, where nothing can be made of what was asked for
 */
export async function runExport(
  inputs: readonly string[],
  options: ExportOptions,
  root: string,
): Promise<number> {
  if (options.format === dataset.id) return await exportDataset(inputs, options);
  if (options.licence !== undefined || options.withTraces)
    throw usageError(`--licence and --with-traces need --format ${dataset.id}.`);
  const files = filesNoted(logFilesIn(inputs));
  const form = tableForms.find(({ id }) => id === options.format);
  const format = sessionFormats.find(({ id }) => id === options.format);
  if (options.out === '') throw usageError('--out takes the name of a file or a folder.');
  if (form) return await exportTablesTo(form, files, options);
  if (options.tables)
    throw usageError(`--tables needs --format csv or parquet; ${options.format} has no tables.`);
  return await exportSessions(format ?? (await pageFormat(root)), files, options);
}

/** The page of a session as a format; builds the page where its sources changed. */
async function pageFormat(root: string): Promise<SessionFormat> {
  await buildApp(root, warn);
  const page = await readText(path.join(root, 'dist', SESSION_PAGE));
  return {
    ...sessionPage,
    convert(log) {
      const zipped = gzipSync(JSON.stringify(log), { level: 9 });
      return ok({ text: fillSessionPage(page, zipped.toString('base64')), notes: [] });
    },
  };
}

/** A file for each session; a single one without --out is printed. Resolves to the exit code. @throws Error in one sentence */
async function exportSessions(
  format: SessionFormat,
  files: readonly string[],
  { out, screen, fps }: ExportOptions,
): Promise<number> {
  const places = placesOf(format, files, out);
  const options = { screen, fps: fps ?? null };
  let written = 0;
  for (const [index, file] of files.entries()) {
    const text = await convert(format, file, options);
    if (text === null) continue;
    const place = places?.[index];
    if (place === undefined) process.stdout.write(text);
    else writeAtomically(place, text);
    written += 1;
  }
  if (out !== undefined)
    print(`${out}: ${written} of ${formatCount(files.length, 'session')} as ${format.label}`);
  return written === files.length ? 0 : 1;
}

/** What a session's file says; null where there is none, and why is said. */
async function convert(format: SessionFormat, file: string, options: FormatOptions): Promise<string | null> {
  const log = await readLog(file);
  const made = log.ok ? format.convert(log.value, options) : log;
  for (const sentence of made.ok ? made.value.notes : [made.error]) warn(`${file}: ${sentence}`);
  return made.ok ? made.value.text : null;
}

/** Where each session goes; null: printed. */
function placesOf(format: SessionFormat, files: readonly string[], out: string | undefined): string[] | null {
  if (out === undefined) {
    if (files.length === 1) return null;
    throw new Error(
      `${files.length} sessions make ${files.length} files of ${format.label}: name a folder with --out.`,
    );
  }
  const entry = statSync(out, { throwIfNoEntry: false });
  if (files.length === 1 && !entry?.isDirectory() && !/[\\/]$/.test(out)) return [out];
  makeFolder(out);
  const taken = new Map<string, number>();
  return files.map((file) => {
    const name = path.basename(file).replace(/\.(json|html)$/, '');
    const count = (taken.get(name) ?? 0) + 1;
    taken.set(name, count);
    return path.join(out, `${count === 1 ? name : `${name}~${count}`}.${format.extension}`);
  });
}
