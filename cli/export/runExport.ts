import { exportSessions } from './exportSessions.ts';
import { exportTablesTo } from './exportTablesTo.ts';
import { tableForms } from './tableForms.ts';
import { logFilesIn, filesNoted } from '../../node/logFilesIn.ts';
import { sessionFormats } from '../../src/export/registry.ts';

/** What `pitwall export` was asked for. */
export interface ExportOptions {
  readonly format: string;
  readonly out?: string;
  readonly tables?: readonly string[];
  readonly screen: string;
  readonly fps?: number;
}

/**
 * Resolves to the exit code: 1 where a session could not be read or has no such form; the others are written all the same.
 * @throws Error in one sentence, before anything is written, where nothing can be made of what was asked for
 */
export async function runExport(inputs: readonly string[], options: ExportOptions): Promise<number> {
  const files = filesNoted(logFilesIn(inputs));
  const form = tableForms.find(({ id }) => id === options.format);
  const format = sessionFormats.find(({ id }) => id === options.format);
  if (options.out === '') throw new Error('--out takes the name of a file or a folder.');
  if (form) return await exportTablesTo(form, files, options);
  if (options.tables)
    throw new Error(`--tables needs --format csv or parquet; ${options.format} has no tables.`);
  return await exportSessions(format!, files, options);
}
