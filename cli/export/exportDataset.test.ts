import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import type { ExportOptions } from './exportTablesTo.ts';
import { runExport } from '../export.ts';
import { planCampaign } from '../../experiment/design/planCampaign.ts';
import type { CampaignFile } from '../../experiment/design/campaignFile.ts';
import type { CampaignPlan, PlannedSession } from '../../experiment/design/plan.ts';
import { startingFile } from '../../experiment/design/startingFile.ts';
import { reportModel } from '../../experiment/report/model/reportModel.ts';
import { loadSource } from '../../experiment/report/read/loadSource.ts';
import { reportJson } from '../../experiment/report/text/reportData.ts';
import { keepPlan } from '../../experiment/runner/keepPlan.ts';
import { keepRegistration } from '../../experiment/runner/registration.ts';
import { keepFailure } from '../../experiment/session/failureFile.ts';
import { SessionFailure } from '../../experiment/session/sessionFailure.ts';
import { sessionFiles } from '../../experiment/session/sessionFiles.ts';
import { logDirOf } from '../../node/logFiles.ts';
import { everything } from '../../src/export/exampleSession.testing.ts';
import { exportTables } from '../../src/export/registry.ts';
import { valueOf } from '../../src/shared/result.ts';
import type { SessionLog } from '../../src/telemetry/schema/sessionLog.ts';

const root = mkdtempSync(path.join(tmpdir(), 'pitwall-dataset-'));
const at = (...names: string[]): string => path.join(root, ...names);
afterAll(() => rmSync(root, { recursive: true, force: true }));
afterEach(() => vi.restoreAllMocks());

const MACHINE = { cores: 2, meanBusyPercent: 9, worstBusyPercent: 20, windowMs: 2000, latestTimerMs: 3 };
/** What must not be published. */
const SECRETS = ['alice', 'bd3f0a11', '192.168.7.9', 'printer.lan', 't0ken', 'nas:8443'];

/** A log of a machine that says too much. */
const talkative = (log: SessionLog): SessionLog => ({
  ...log,
  environment: {
    ...log.environment,
    mpdUrl: 'https://nas:8443/v/a.mpd?key=t0ken',
    machine: { ...MACHINE, id: 'bd3f0a11', flags: [] },
  },
  events: log.events.map((event) => {
    if (event.kind === 'request') return { ...event, url: 'https://192.168.7.9/seg-1.m4s?key=t0ken' };
    return event.kind === 'error'
      ? { ...event, message: 'open /home/alice/a.js: no answer of printer.lan' }
      : event;
  }),
});

const planOf = (name: string, changes: Partial<CampaignFile> = {}): CampaignPlan =>
  valueOf(planCampaign({ ...startingFile, name, repeats: 1, ...changes }, []));

/** A run folder whose first session has not been played, after a try that failed. */
async function play(folder: string, plan: CampaignPlan): Promise<void> {
  keepPlan(folder, plan);
  keepRegistration({ outDir: folder, plan }, {});
  mkdirSync(logDirOf(folder));
  const [failing, ...played] = plan.sessions;
  const failure = new SessionFailure('page-did-not-load', 'https://nas:8443/app/ gave no page');
  const { failures, partial } = sessionFiles(logDirOf(folder), failing!.id);
  await keepFailure(failures, failure);
  const logOf = ({ id, design }: PlannedSession): string =>
    JSON.stringify(talkative({ ...everything, id, design }));
  writeFileSync(partial, logOf(failing!));
  for (const session of played) {
    writeFileSync(sessionFiles(logDirOf(folder), session.id).log, logOf(session));
    writeFileSync(sessionFiles(logDirOf(folder), session.id).netLog, '{"alice":1}');
  }
}

/** What was printed, and the exit code. */
async function exported(inputs: string[], options: Partial<ExportOptions>) {
  let printed = '';
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => ((printed += String(text)), true));
  const all = { format: 'dataset', screen: '', licence: 'CC-BY-4.0', ...options };
  const code = await runExport(inputs, all, '');
  return { code, printed };
}

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .sort();

beforeAll(async () => {
  await play(at('one'), planOf('first'));
  await play(at('two'), planOf('second', { transports: ['h1', 'h2'] }));
  const { code, printed } = await exported([at('two'), at('one')], { out: at('set') });
  expect(code).toBe(0);
  expect(printed).toMatch(/2 campaigns, \d+ files, and SHA256SUMS\n$/);
});

test('the same runs give the same bytes, wherever they lie and whenever', async () => {
  cpSync(at('one'), at('elsewhere', 'renamed'), { recursive: true });
  await exported([at('elsewhere', 'renamed'), at('two')], { out: at('again') });
  const sums = readFileSync(at('set', 'SHA256SUMS'), 'utf8');
  expect(readFileSync(at('again', 'SHA256SUMS'), 'utf8')).toBe(sums);
  const lines = filesIn(at('set'))
    .filter((file) => file !== 'SHA256SUMS')
    .map(
      (file) =>
        `${createHash('sha256')
          .update(readFileSync(at('set', file)))
          .digest('hex')}  ${file}\n`,
    );
  expect(lines.join('')).toBe(sums);
});

test('a report of the data set is that of the run, with its registration and failed tries', async () => {
  for (const [folder, name] of [
    ['one', 'first'],
    ['two', 'second'],
  ] as const) {
    const [was, is] = await Promise.all(
      [at(folder), at('set', name)].map(async (each) => reportModel(await loadSource(each))),
    );
    const withoutHost = (text: string): string => text.replaceAll('nas:8443', 'private-1.invalid:8443');
    expect(reportJson(is!)).toBe(withoutHost(reportJson(was!)));
    expect(reportJson(is!)).toContain('as registered');
  }
});

test('has no NetLogs, and nothing of the machine, also in its tables', async () => {
  const files = filesIn(at('set'));
  expect(files.filter((file) => file.includes('netlog'))).toEqual([]);
  const texts = await Promise.all(
    files.map(async (file) =>
      file.endsWith('.parquet')
        ? JSON.stringify(await rowsOf(at('set', file)))
        : readFileSync(at('set', file), 'utf8'),
    ),
  );
  for (const secret of [...SECRETS, root]) expect(texts.filter((text) => text.includes(secret))).toEqual([]);
  expect(texts.join()).toContain('machine-1');
  expect(texts.join()).toContain('open <path>: no answer of private-');
});

test('has every table of every session, with units and meanings of the columns', async () => {
  const index = JSON.parse(readFileSync(at('set', 'dataset.json'), 'utf8')) as Record<string, unknown>;
  expect(index).toMatchObject({ schema: 'pitwall-dataset/1', licence: 'CC-BY-4.0' });
  expect(index['tables']).toEqual(
    JSON.parse(JSON.stringify(exportTables.map(({ id, about, columns }) => ({ id, about, columns })))),
  );
  for (const { id } of exportTables)
    expect(existsSync(at('set', 'first', 'tables', `${id}.parquet`)), id).toBe(true);
  const sessions = await rowsOf(at('set', 'first', 'tables', 'sessions.parquet'));
  expect(sessions).toHaveLength(planOf('first').sessions.length - 1);
  const card = readFileSync(at('set', 'README.md'), 'utf8');
  expect(card).toMatch(/Licence: CC-BY-4\.0\./);
  expect(card).toMatch(/\| first +\| 7 of 8 +\| 0/);
});

async function rowsOf(file: string): Promise<unknown[]> {
  const rows = await parquetReadObjects({ file: await asyncBufferFromFile(file) });
  return rows.map((row) =>
    Object.fromEntries(
      Object.entries(row).map(([name, cell]) => [name, typeof cell === 'bigint' ? Number(cell) : cell]),
    ),
  );
}

/** A plan as a folder would have it, with other fields of its campaign. */
function folderWith(name: string, changes: Partial<CampaignFile>): string {
  const plan = planOf('first');
  mkdirSync(at(name));
  const campaign = { ...plan.campaign, ...changes };
  writeFileSync(at(name, 'plan.json'), JSON.stringify({ ...plan, campaign }));
  return at(name);
}

test.each<[string, () => string[], Partial<ExportOptions>, RegExp]>([
  ['no licence', () => [at('one')], { licence: undefined as never }, /needs --out FOLDER and --licence ID/],
  ['a folder that is there', () => [at('one')], { out: 'set' }, /set: It is there already/],
  ['some tables', () => [at('one')], { tables: ['stalls'] }, /a data set has all tables\.$/],
  ['a campaign twice', () => [at('one'), at('one')], {}, /one: Its campaign first is in .*one, too\.$/],
  ['no campaign', () => [root], {}, /This is not a campaign folder/],
  [
    'a recorded trace',
    () => [folderWith('t', { profiles: ['trace:a/b.txt'] })],
    {},
    /trace:a\/b\.txt.*--with-traces/,
  ],
  [
    'a path in the plan',
    () => [folderWith('p', { about: 'of /home/alice/x' })],
    {},
    /"of \/home\/alice\/x" has a path/,
  ],
  ['licence of another form', () => [at('one')], { format: 'csv' }, /need --format dataset/],
])(
  '%s is refused in one sentence, and nothing is left',
  async (_, inputs, { out = 'new', ...options }, sentence) => {
    const before = existsSync(at(out));
    await expect(exported(inputs(), { ...options, out: at(out) })).rejects.toThrow(sentence);
    expect(existsSync(at(out))).toBe(before);
  },
);

test('a torn log is named, and nothing is left', async () => {
  cpSync(at('one'), at('torn'), { recursive: true });
  const [, { id }] = planOf('first').sessions as [unknown, { id: string }];
  writeFileSync(sessionFiles(logDirOf(at('torn')), id).log, '{"schema"');
  await expect(exported([at('torn')], { out: at('new') })).rejects.toThrow(
    /\.json: This is not the whole log of this session/,
  );
  expect(existsSync(at('new'))).toBe(false);
});
