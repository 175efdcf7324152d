import path from 'node:path';
import type { Command } from 'commander';
import { option, withOptions } from './declareOptions.ts';
import { outFile } from './sharedOptions.ts';
import { makeFolder, writeAtomically } from '../node/files.ts';
import { usageError } from '../node/exitCodes.ts';
import { print, printable } from '../node/print.ts';
import { answerMarkdown } from '../experiment/report/html/answerHtml.ts';
import { htmlAnswer, htmlReport } from '../experiment/report/read/htmlReport.ts';
import { loadSource } from '../experiment/report/read/loadSource.ts';
import { claimsOf } from './campaignOptions.ts';
import type { Shell } from './shell.ts';
import { reportModel, type ReportModel } from '../experiment/report/model/reportModel.ts';
import { reportCsv, sessionsCsv, reportJson } from '../experiment/report/text/reportData.ts';
import { reportMarkdown } from '../experiment/report/text/markdown.ts';

export function addReport(program: Command, shell: Shell): void {
  const command = program
    .command('report')
    .description('write the results of a campaign as one file: verdicts, figures, tables (docs/report.md)')
    .argument('<folder>', 'campaign folder that "pitwall compare" wrote');
  withOptions(
    command,
    'output',
    outFile('output file (default: report.html in the folder; other formats are printed)'),
    option(
      '--page <address>',
      'address of a served page in which figures open their sessions side by side ("../" with pitwall open)',
    ),
    option(
      '--answer',
      'write one page to forward (answer.html; with --format md it is printed): the answer, one picture, its scope, how to repeat it',
    ),
    option('--format <form>', 'format of the report', {
      choices: ['html', 'md', 'json', 'csv'],
      preset: 'html',
    }),
  ).action(async (folder: string, options: ReportOptions) => {
    write(reportModel(await loadSource(folder, claimsOf)), { ...options, folder, root: shell.root });
  });
}

/** Writes the report of a folder as it is written without options. */
export async function writeReport(folder: string, { root }: Pick<Shell, 'root'>): Promise<void> {
  write(reportModel(await loadSource(folder, claimsOf)), { format: 'html', folder, root });
}

interface ReportOptions {
  readonly out?: string;
  readonly page?: string;
  readonly answer?: boolean;
  readonly format: 'html' | 'md' | 'json' | 'csv';
}

type Place = ReportOptions & { readonly folder: string; readonly root: string };

function write(model: ReportModel, place: Place): void {
  const { format, folder, out, answer } = place;
  if (answer && (format === 'json' || format === 'csv'))
    throw usageError(`--answer has no --format ${format}: use html or md.`);
  if (format === 'csv' && out !== undefined && !out.endsWith('.csv')) return writeTables(model, out);
  const file = out ?? (format === 'html' ? path.join(folder, answer ? 'answer.html' : 'report.html') : null);
  const text = renderReport(model, { ...place, file });
  if (file === null) return void process.stdout.write(printable(text));
  writeAtomically(file, text);
  print(`${file}: ${model.counts.finished} of ${model.counts.planned} sessions, ${size(text)}`);
}

function renderReport(
  model: ReportModel,
  { format, folder, file, root, page, answer }: Place & { file: string | null },
): string {
  if (format === 'md') return answer ? answerMarkdown(model) : reportMarkdown(model);
  if (format === 'json') return reportJson(model);
  if (format === 'csv') return sessionsCsv(model);
  if (answer) return htmlAnswer(model, root);
  return htmlReport(model, { folder, file, root, page });
}

function writeTables(model: ReportModel, folder: string): void {
  makeFolder(folder);
  const tables = reportCsv(model);
  for (const [name, text] of tables) writeAtomically(path.join(folder, name), text);
  print(`${folder}: ${tables.size} tables of ${model.counts.finished} sessions`);
}

const size = (text: string): string => `${(Buffer.byteLength(text) / 1e6).toFixed(1)} MB`;
