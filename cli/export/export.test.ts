import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { exportTablesTo, type ExportOptions, tableForms, type TableForm } from './exportTablesTo.ts';
import { logFilesIn, readLog } from '../../node/logFiles.ts';
import { runExport } from '../export.ts';
import { metricsJson } from '../metrics/formats.ts';
import { metrics } from '../../src/analysis/metrics/registry.ts';
import { everything } from '../../src/export/exampleSession.testing.ts';
import { exportTables, sessionFormats } from '../../src/export/registry.ts';
import { metricColumnName } from '../../src/export/tables/sessions.ts';
import type { Cell } from '../../src/export/table.ts';
import { exampleLog } from '../../src/telemetry/exampleLog.testing.ts';

const root = mkdtempSync(path.join(tmpdir(), 'pitwall-export-'));
const at = (...names: string[]): string => path.join(root, ...names);
const other = { ...exampleLog(), id: 'other' };
const OPTIONS: ExportOptions = { format: 'csv', screen: '1920x1080' };

beforeAll(() => {
  mkdirSync(at('campaign', 'sessions'), { recursive: true });
  writeFileSync(at('campaign', 'plan.json'), '{}');
  const log = (name: string, text: string): void => writeFileSync(at('campaign', 'sessions', name), text);
  log('lap.json', JSON.stringify(everything));
  log('other.json', JSON.stringify(other));
  for (const name of ['torn.partial.json', 'lap.netlog.json', 'lap.race-faults.json', 'lap.failures.jsonl'])
    log(name, '{"constants"');
  mkdirSync(at('torn'));
  cpSync(at('campaign', 'sessions', 'lap.json'), at('torn', 'lap.json'));
  writeFileSync(at('torn', 'cut.json'), JSON.stringify(other).slice(0, -200));
  mkdirSync(at('empty'));
  // An installed package has its page built already.
  for (const folder of ['lib', 'dist']) mkdirSync(at('installed', folder), { recursive: true });
  writeFileSync(at('installed', 'lib', 'main.mjs'), '');
  const page = '<!doctype html><script type="application/gzip" id="log"></script>';
  writeFileSync(at('installed', 'dist', 'session.html'), page);
});
afterAll(() => rmSync(root, { recursive: true, force: true }));
afterEach(() => vi.restoreAllMocks());

const lap = (): string => at('campaign', 'sessions', 'lap.json');

/** Runs it here, with what it printed. */
async function exported(inputs: string[], options: Partial<ExportOptions>) {
  const said = { out: '', error: '' };
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => ((said.out += String(text)), true));
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => ((said.error += String(text)), true));
  const code = await runExport(inputs, { ...OPTIONS, ...options }, at('installed'));
  return { code, ...said };
}

describe('tables', () => {
  test('Parquet: read back, every cell of every table is the log’s, with units beside', async () => {
    const { code, out } = await exported([at('campaign')], { format: 'parquet', out: at('pq') });
    expect([code, out]).toEqual([0, `${at('pq')}: 2 of 2 sessions as Parquet\n`]);
    expect(readdirSync(at('pq')).sort()).toEqual(exportTables.map(({ id }) => `${id}.parquet`).sort());
    for (const table of exportTables) {
      const file = await asyncBufferFromFile(at('pq', `${table.id}.parquet`));
      const read = await parquetReadObjects({ file });
      const rows = [...table.rows(everything, 'lap.json'), ...table.rows(other, 'other.json')];
      const wanted = rows.map((row) =>
        Object.fromEntries(table.columns.map(({ name }, place) => [name, row[place]])),
      );
      expect(read.map(plain), table.id).toEqual(wanted);
      const reported = (await parquetMetadataAsync(file)).key_value_metadata!;
      const units = Object.fromEntries(table.columns.map(({ name, unit }) => [name, unit]));
      expect(JSON.parse(reported.find(({ key }) => key === 'pitwall.units')!.value!)).toEqual(units);
    }
  });

  test('CSV: a file for each table, as long as the session is', async () => {
    await exported([at('campaign')], { out: at('csv') });
    expect(readdirSync(at('csv')).sort()).toEqual(exportTables.map(({ id }) => `${id}.csv`).sort());
    const lines = readFileSync(at('csv', 'stalls.csv'), 'utf8').split('\r\n');
    expect(lines).toEqual([
      'session,atMs,playheadMs,durationMs',
      'synthetic-example,5000,4500,650',
      'synthetic-example,9600,4700,',
      '',
    ]);
  });

  test('metric values equal those of pitwall metrics', async () => {
    await exported([lap()], { format: 'parquet', tables: ['sessions'], out: at('one.parquet') });
    const [row] = (await parquetReadObjects({ file: await asyncBufferFromFile(at('one.parquet')) })).map(
      plain,
    );
    const printed = JSON.parse(metricsJson('lap.json', everything, metrics)) as {
      metrics: Record<string, { value: Cell }>;
    };
    for (const { id } of metrics) expect(row![metricColumnName({ id })], id).toBe(printed.metrics[id]!.value);
  });

  test('many rows become several row groups of one file', async () => {
    const table = exportTables.find(({ id }) => id === 'buffer')!;
    const form = tableForms.find(({ id }) => id === 'parquet')!;
    const file = form.create(table, at('many.parquet'));
    const rows = Array.from({ length: 9000 }, (_, row): Cell[] => ['s', row, 'video', row * 0.5]);
    for (let session = 0; session < 5; session += 1) file.append(rows);
    file.end();
    const read = await parquetReadObjects({ file: await asyncBufferFromFile(at('many.parquet')) });
    expect(read).toHaveLength(45_000);
    expect(read.at(-1)).toEqual({ session: 's', atMs: 8999, mediaType: 'video', levelMs: 4499.5 });
  });

  test('one table of CSV is printed', async () => {
    const { out } = await exported([lap()], { tables: ['buffer'] });
    expect(out).toBe('session,atMs,mediaType,levelMs\r\nsynthetic-example,700,video,4321\r\n');
  });

  test('a session that is there twice is said to be', async () => {
    const { error } = await exported([lap(), at('torn', 'lap.json')], { tables: ['stalls'] });
    expect(error).toContain('The session synthetic-example is also in');
  });
});

describe('sessions', () => {
  test.each(sessionFormats)('$id: a single one is printed, as its format writes it', async (format) => {
    const { code, out } = await exported([lap()], { format: format.id, fps: 25 });
    const made = format.convert(everything, { screen: '1920x1080', fps: 25 });
    expect(made.ok ? made.value.text : '').toBe(out);
    expect(code).toBe(0);
  });

  test('several are files of a folder; those of one name are numbered', async () => {
    await exported([at('campaign'), at('torn', 'lap.json')], { format: 'har', out: at('hars') });
    expect(readdirSync(at('hars')).sort()).toEqual(['lap.har', 'lap~2.har', 'other.har']);
  });
});

describe('bad input', () => {
  test('half-written logs and what else lies beside logs are left out, and that is said', () => {
    expect(logFilesIn([at('campaign')])).toEqual({
      files: ['lap.json', 'other.json'].map((name) => at('campaign', 'sessions', name)),
      notes: [expect.stringMatching(/1 partial log of failed tries \(\.partial\.json\) ignored\.$/)],
    });
  });

  test('a torn log is named, the others are written, and the exit code is 1', async () => {
    const tables = await exported([at('torn')], { out: at('some') });
    expect(tables).toMatchObject({ code: 1, out: `${at('some')}: 1 of 2 sessions as CSV\n` });
    expect(tables.error).toMatch(/cut\.json: The file is cut off: [^\n]*\n$/);
    const files = await exported([at('torn')], { format: 'har', out: at('some') });
    expect(files.code).toBe(1);
    expect(existsSync(at('some', 'lap.har'))).toBe(true);
    expect(existsSync(at('some', 'cut.har'))).toBe(false);
  });

  test('where nothing can be read nothing is overwritten, and nothing is left', async () => {
    mkdirSync(at('kept'));
    writeFileSync(at('kept', 'sessions.parquet'), 'as it was');
    const inputs = [at('torn', 'cut.json')];
    await expect(exported(inputs, { format: 'parquet', out: at('kept') })).rejects.toThrow(
      'None of 1 session could be read.',
    );
    expect(readdirSync(at('kept'))).toEqual(['sessions.parquet']);
    expect(readFileSync(at('kept', 'sessions.parquet'), 'utf8')).toBe('as it was');
  });

  test('a disk that is full: one sentence that names the file, the old one stays, and nothing is left', async () => {
    mkdirSync(at('full'));
    writeFileSync(at('full', 'stalls.csv'), 'as it was');
    const form = tableForms.find(({ id }) => id === 'csv')!;
    const full = Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' });
    const failing: TableForm = {
      ...form,
      create: (table, file) => ({
        ...form.create(table, file),
        append: () => {
          throw full;
        },
      }),
    };
    await expect(
      exportTablesTo(failing, [lap()], { ...OPTIONS, tables: ['stalls'], out: at('full') }),
    ).rejects.toThrow(`${at('full', 'stalls.csv')}: There is no space left on the disk.`);
    expect(readdirSync(at('full'))).toEqual(['stalls.csv']);
    expect(readFileSync(at('full', 'stalls.csv'), 'utf8')).toBe('as it was');
  });

  test('a disk that is full at the first byte: nothing is left', async () => {
    mkdirSync(at('full-at-once'));
    const failing: TableForm = {
      ...tableForms.find(({ id }) => id === 'csv')!,
      create(_, file) {
        writeFileSync(file, '');
        throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' });
      },
    };
    await expect(
      exportTablesTo(failing, [lap()], { ...OPTIONS, tables: ['stalls'], out: at('full-at-once') }),
    ).rejects.toThrow(`${at('full-at-once', 'stalls.csv')}: There is no space left on the disk.`);
    expect(readdirSync(at('full-at-once'))).toEqual([]);
  });

  test('one page: the log in it is read again, whatever it contains, and a damaged one is named', async () => {
    const rule = 'x</script><script>alert(1)</script>';
    const hostile = { ...other, environment: { ...other.environment, rule } };
    writeFileSync(at('hostile.json'), JSON.stringify(hostile));
    await exported([at('hostile.json')], { format: 'page', out: at('hostile.html') });
    const text = readFileSync(at('hostile.html'), 'utf8');
    expect(text.match(/<\/?script/g)).toHaveLength(2);
    expect(await readLog(at('hostile.html'))).toEqual(await readLog(at('hostile.json')));
    writeFileSync(at('torn.html'), text.replace(/H4sI\S{40}/, 'H4sI'));
    expect(await readLog(at('torn.html'))).toMatchObject({
      ok: false,
      error: expect.stringMatching(/^The session in this page cannot be unpacked/) as string,
    });
  });

  test('a link stays a link', async () => {
    writeFileSync(at('target.csv'), 'old');
    symlinkSync('target.csv', at('link.csv'));
    await exported([lap()], { tables: ['buffer'], out: at('link.csv') });
    expect(lstatSync(at('link.csv')).isSymbolicLink()).toBe(true);
    expect(readFileSync(at('target.csv'), 'utf8')).toMatch(/^session,atMs/);
  });

  test.each<[string, string[], Partial<ExportOptions>, RegExp]>([
    ['nothing there', ['gone'], {}, /gone: There is no such file or folder\.$/],
    ['an empty folder', ['empty'], {}, /empty: There is no session log in this folder\.$/],
    [
      'a half-written log',
      ['campaign/sessions/torn.partial.json'],
      {},
      /torn\.partial\.json: This is the partial log of a failed try/,
    ],
    [
      'many sessions printed',
      ['campaign'],
      { format: 'har' },
      /2 sessions make 2 files of HAR 1\.2: name a folder/,
    ],
    [
      'many tables printed',
      ['campaign'],
      {},
      /9 tables make 9 files: name a folder with --out, or one of --tables/,
    ],
    [
      'Parquet printed',
      ['campaign'],
      { format: 'parquet', tables: ['stalls'] },
      /Parquet: This format cannot be printed: name a folder/,
    ],
    [
      'tables of HAR',
      ['campaign'],
      { format: 'har', tables: ['stalls'] },
      /--tables needs --format csv or parquet; har has no tables/,
    ],
    ['nowhere', ['campaign'], { out: '' }, /--out takes the name/],
    ['a file as folder', ['campaign'], { out: 'torn/cut.json' }, /cut\.json: It is a file, not a folder\.$/],
  ])('%s: one sentence', async (_name, inputs, options, sentence) => {
    const placed = options.out ? { ...options, out: at(options.out) } : options;
    await expect(
      exported(
        inputs.map((input) => at(input)),
        placed,
      ),
    ).rejects.toThrow(sentence);
  });

  test('an unknown form: one sentence, and the exit code of wrong usage', () => {
    const command = path.join(import.meta.dirname, '..', '..', 'bin', 'pitwall');
    const { stderr, status } = spawnSync(process.execPath, [command, 'export', lap(), '--format', 'xml'], {
      encoding: 'utf8',
    });
    expect(stderr).toMatch(
      /argument 'xml' is invalid\. Allowed choices are page, har, qlog, qlog-seq, p1203, csv, parquet, dataset\./,
    );
    expect(status).toBe(2);
  }, 180_000);
});

/** Whole numbers come back as bigint. */
const plain = (row: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(row).map(([name, cell]) => [name, typeof cell === 'bigint' ? Number(cell) : cell]),
  );
