import { randomUUID } from 'node:crypto';
import {
  existsSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  appendFileSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { makeFolder, formatFileError } from '../../node/files.ts';
import { readLog } from '../../node/logFiles.ts';
import { print, warn } from '../../node/print.ts';
import { progressOf } from '../../experiment/simulate/playAll.ts';
import { formatCount } from '../../src/shared/format.ts';
import { exportTables } from '../../src/export/registry.ts';
import type { ExportTable, Cell } from '../../src/export/table.ts';
import type { Entry } from '../../src/shared/registry.ts';
import { CREATED_BY, columnDataOf, columnMetadata, schemaOf } from '../../node/parquetTable.ts';
import { csvLine } from '../../src/shared/csv.ts';
import { fileWriter, ParquetWriter } from 'hyparquet-writer';

interface OpenTable {
  readonly table: ExportTable;
  /** null: printed. */
  readonly place: string | null;
  readonly temporary: string;
  readonly file: TableFile;
}

/** A bar is worth it from here on. */
const MANY = 200;

/**
 * All sessions in one file for each table, read one by one: ten thousand need little more memory than one. The files come
 * into their places together at the end, so that nothing is overwritten half-way. Resolves to the exit code.
 * @throws Error in one sentence; then nothing was written
 */
export async function exportTablesTo(
  form: TableForm,
  files: readonly string[],
  { out, tables: asked }: ExportOptions,
): Promise<number> {
  const tables = exportTables.filter(({ id }) => asked === undefined || asked.includes(id));
  const placeOf = places(form, tables, out);
  const open: OpenTable[] = [];
  try {
    for (const table of tables) open.push(opened(form, table, placeOf(table)));
    const read = await appendAll(open, files);
    if (read === 0) throw new Error(`None of ${formatCount(files.length, 'session')} could be read.`);
    for (const each of open) formatFault(each, () => each.file.end());
    for (const each of open) deliver(each);
    if (out !== undefined)
      print(`${out}: ${read} of ${formatCount(files.length, 'session')} as ${form.label}`);
    return read === files.length ? 0 : 1;
  } finally {
    for (const { temporary } of open) rmSync(temporary, { force: true });
  }
}

/** How many sessions could be read. */
async function appendAll(open: readonly OpenTable[], files: readonly string[]): Promise<number> {
  const progress = files.length >= MANY ? progressOf(files.length, 'sessions') : null;
  const seen = new Map<string, string>();
  let read = 0;
  for (const file of files) {
    const log = await readLog(file);
    progress?.done(1);
    if (!log.ok) {
      warn(`${file}: ${log.error}`);
      continue;
    }
    const { id } = log.value;
    const first = seen.get(id);
    if (first !== undefined) warn(`${file}: The session ${id} is also in ${first}; it is counted twice.`);
    seen.set(id, file);
    for (const each of open) {
      const rows = each.table.rows(log.value, path.basename(file));
      formatFault(each, () => each.file.append(rows));
    }
    read += 1;
  }
  progress?.end();
  return read;
}

/** A single table may be a file of its own or be printed; several go into a folder. */
function places(
  { id, label }: TableForm,
  tables: readonly ExportTable[],
  out: string | undefined,
): (table: ExportTable) => string | null {
  if (out === undefined) {
    if (tables.length === 1 && id === 'csv') return () => null;
    const some =
      tables.length === 1
        ? 'This format cannot be printed'
        : `${tables.length} tables make ${tables.length} files`;
    throw new Error(
      `${label}: ${some}: name a folder with --out${id === 'csv' ? ', or one of --tables' : ''}.`,
    );
  }
  const entry = statSync(out, { throwIfNoEntry: false });
  if (tables.length === 1 && out.endsWith(`.${id}`) && !entry?.isDirectory()) return () => out;
  makeFolder(out);
  return (table) => path.join(out, `${table.id}.${id}`);
}

function opened(form: TableForm, table: ExportTable, asked: string | null): OpenTable {
  // A link stays a link.
  const place = asked !== null && existsSync(asked) ? realpathSync(asked) : asked;
  const temporary = `${place ?? path.join(tmpdir(), 'pitwall-export')}.${randomUUID()}.tmp`;
  try {
    const file = formatFault({ place, temporary }, () => form.create(table, temporary));
    return { table, place, temporary, file };
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

function deliver({ place, temporary }: OpenTable): void {
  if (place === null) process.stdout.write(readFileSync(temporary));
  else formatFault({ place, temporary }, () => renameSync(temporary, place));
}

/** A full disk, a folder of others: in one sentence that names the file that was meant. */
function formatFault<Made>(
  { place, temporary }: Pick<OpenTable, 'place' | 'temporary'>,
  write: () => Made,
): Made {
  try {
    return write();
  } catch (error) {
    throw new Error(formatFileError(place ?? temporary, error), { cause: error });
  }
}

/** What `pitwall export` was asked for. */
export interface ExportOptions {
  readonly format: string;
  readonly out?: string;
  readonly tables?: readonly string[];
  readonly screen: string;
  readonly fps?: number;
  readonly licence?: string;
  readonly withTraces?: boolean;
}

/** So many rows are held before they are written as a row group: memory does not grow with the number of sessions. */
const GROUP_ROWS = 20_000;

/** A table as Apache Parquet. Units and meanings of the columns stand in its key-value metadata, as JSON. */
function parquetFile(table: ExportTable, file: string): TableFile {
  const { columns } = table;
  const writer = new ParquetWriter({
    writer: fileWriter(file),
    schema: schemaOf(columns),
    createdBy: CREATED_BY,
    kvMetadata: columnMetadata(columns),
  });
  let held: (readonly Cell[])[] = [];
  const flush = (): void => {
    void writer.write({ columnData: columnDataOf(columns, held), rowGroupSize: GROUP_ROWS });
    held = [];
  };
  return {
    append(rows) {
      held = held.concat(rows);
      if (held.length >= GROUP_ROWS) flush();
    },
    end() {
      flush();
      void writer.finish();
    },
  };
}

/** A table as CSV, a session at a time. */
function csvFile({ columns }: ExportTable, file: string): TableFile {
  writeFileSync(file, csvLine(columns.map(({ name }) => name)));
  return { append: (rows) => appendFileSync(file, rows.map(csvLine).join('')), end: () => undefined };
}

/** A file that grows session by session. */
interface TableFile {
  append(rows: readonly (readonly Cell[])[]): void;
  /** Writes what is left; the file is whole then. */
  end(): void;
}

/** A way to write tables to files; its id is their ending. */
export interface TableForm extends Entry {
  readonly about: string;
  create(table: ExportTable, file: string): TableFile;
}

export const tableForms: readonly TableForm[] = [
  {
    id: 'csv',
    label: 'CSV',
    about: 'a file for each table, for spreadsheets, pandas and DuckDB',
    create: csvFile,
  },
  {
    id: 'parquet',
    label: 'Parquet',
    about: 'the same tables as Apache Parquet: typed, much smaller, for thousands of sessions',
    create: parquetFile,
  },
];
