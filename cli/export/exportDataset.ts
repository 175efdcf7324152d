import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { exportTablesTo, tableForms, type ExportOptions } from './exportTablesTo.ts';
import type { CampaignPlan, PlannedSession } from '../../experiment/design/plan.ts';
import { sessionsToPlay } from '../../experiment/design/variants.ts';
import { loadSource } from '../../experiment/report/read/loadSource.ts';
import { readPlan } from '../../experiment/report/read/readSummaries.ts';
import { allSessions } from '../../experiment/report/reportSource.ts';
import { readOwnLog } from '../../experiment/runner/finishedSessions.ts';
import { readFailures } from '../../experiment/session/failureFile.ts';
import { sessionFiles } from '../../experiment/session/sessionFiles.ts';
import { formatScope } from '../../experiment/verdict/scope.ts';
import { usageError } from '../../node/exitCodes.ts';
import { makeFolder, writeAtomically } from '../../node/files.ts';
import { logDirOf, readLog } from '../../node/logFiles.ts';
import { print } from '../../node/print.ts';
import { createRedaction, type Redaction } from '../../src/export/createRedaction.ts';
import { exportTables } from '../../src/export/registry.ts';
import { formatCount } from '../../src/shared/format.ts';
import { pick } from '../../src/shared/registry.ts';
import { markdownTable } from '../../node/textTable.ts';

export const dataset = {
  id: 'dataset',
  about: 'campaigns for publication: redacted logs, Parquet tables, a card and checksums (--licence)',
};

/**
 * Writes campaigns as one data set. Each run has a folder of its own, which `pitwall report` reads. The same runs give the same
 * bytes, wherever they lie and in whatever order they are named. The checksums are written last. Resolves to the exit code.
 * @throws Error in one sentence; then nothing is left of the data set
 */
export async function exportDataset(
  folders: readonly string[],
  { out, licence, tables, withTraces = false }: ExportOptions,
): Promise<number> {
  if (tables !== undefined)
    throw usageError('--tables needs --format csv or parquet; a data set has all tables.');
  if (out === undefined || licence === undefined)
    throw usageError('--format dataset needs --out FOLDER and --licence ID, for example CC-BY-4.0.');
  if (existsSync(out)) throw new Error(`${out}: It is there already; a data set needs a new folder.`);
  const redaction = createRedaction();
  const found = await plansIn(folders);
  for (const [folder, plan] of found) refusePrivate(folder, plan, { redaction, withTraces });
  makeFolder(out);
  try {
    const runs: PublishedRun[] = [];
    for (const [folder, plan] of found)
      runs.push(await publishRun(folder, plan, { place: path.join(out, plan.campaign.name), redaction }));
    const described = exportTables.map(({ id, about, columns }) => ({ id, about, columns }));
    const index = { schema: 'pitwall-dataset/1', licence, runs, tables: described };
    writeAtomically(path.join(out, 'dataset.json'), `${JSON.stringify(index, null, 1)}\n`);
    writeAtomically(path.join(out, 'README.md'), formatCard(licence, runs));
    const sums = checksums(out);
    writeAtomically(path.join(out, 'SHA256SUMS'), sums.join(''));
    print(`${out}: ${formatCount(runs.length, 'campaign')}, ${sums.length} files, and SHA256SUMS`);
    return 0;
  } catch (error) {
    rmSync(out, { recursive: true, force: true });
    throw error;
  }
}

/** Plans of folders, in the order of the names of their campaigns. */
async function plansIn(folders: readonly string[]): Promise<[folder: string, plan: CampaignPlan][]> {
  const found = new Map<string, [string, CampaignPlan]>();
  for (const folder of folders) {
    const plan = await readPlan(folder);
    const other = found.get(plan.campaign.name);
    if (other) throw new Error(`${folder}: Its campaign ${plan.campaign.name} is in ${other[0]}, too.`);
    found.set(plan.campaign.name, [folder, plan]);
  }
  return [...found].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, each]) => each);
}

/** @throws Error in one sentence about a plan that may not be published: its text is what was registered, so it cannot be changed */
function refusePrivate(
  folder: string,
  plan: CampaignPlan,
  { redaction, withTraces }: { readonly redaction: Redaction; readonly withTraces: boolean },
): void {
  const trace = plan.campaign.profiles
    .flatMap((entry) => (typeof entry === 'string' ? entry : (entry.paths ?? [])))
    .find((name) => name.startsWith('trace:'));
  if (trace !== undefined && !withTraces)
    throw new Error(
      `${folder}: Its plan contains ${trace}, which others recorded: add --with-traces if you may publish it.`,
    );
  JSON.stringify(plan, (_key, value: unknown) => {
    if (typeof value === 'string' && redaction.text(value) !== value)
      throw new Error(
        `${path.join(folder, 'plan.json')}: "${value}" has a path, a private address or a query; a plan is published as it was registered, so leave this run out.`,
      );
    return value;
  });
}

interface Publication {
  /** Folder of the run in the data set. */
  readonly place: string;
  readonly redaction: Redaction;
}

/** Writes what is published of a run, and reads it as a report does. */
async function publishRun(folder: string, plan: CampaignPlan, to: Publication): Promise<PublishedRun> {
  const { place } = to;
  makeFolder(logDirOf(place));
  for (const file of readdirSync(folder))
    if (/^(plan|registration.*)\.json$/.test(file))
      writeAtomically(path.join(place, file), readFileSync(path.join(folder, file)));
  const logs: string[] = [];
  for (const session of sessionsToPlay(plan)) logs.push(...(await publishSession(folder, session, to)));
  const source = await loadSource(place);
  const parquet = pick(tableForms, 'parquet');
  await exportTablesTo(parquet, logs, { format: parquet.id, screen: '', out: path.join(place, 'tables') });
  const sorted = (sessions: readonly { readonly id: string }[]): string[] =>
    sessions.map(({ id }) => id).sort();
  const finished = allSessions(source);
  return {
    name: plan.campaign.name,
    planned: plan.sessions.length,
    finished: finished.length,
    invalidated: sorted(source.flagged),
    aaSessions: sorted(source.aaSessions),
    scope: formatScope(plan, finished),
    networks: plan.networks.map(({ profile: { label, paper } }) => ({ label, source: paper })),
    registration: source.registration?.sentence ?? null,
  };
}

/** Writes the redacted files of a session. Resolves to the file of its log, if it has a whole one. */
async function publishSession(
  folder: string,
  session: PlannedSession,
  { place, redaction }: Publication,
): Promise<string[]> {
  const from = sessionFiles(logDirOf(folder), session.id);
  const to = sessionFiles(logDirOf(place), session.id);
  const log = readOwnLog(folder, session);
  if (!log && existsSync(from.log))
    throw new Error(
      `${from.log}: This is not the whole log of this session: play it again, or move it away.`,
    );
  const players = log?.environment.beside?.players ?? [];
  const others = players.map((_, at) => [from.beside(at + 1), to.beside(at + 1)] as const);
  for (const [source, target] of [[from.log, to.log], [from.partial, to.partial], ...others] as const) {
    const each = existsSync(source) ? await readLog(source) : null;
    if (each?.ok) writeAtomically(target, `${JSON.stringify(redaction.log(each.value))}\n`);
  }
  const tries = readFailures(from.failures).map((each) => ({
    ...each,
    message: redaction.text(each.message),
  }));
  if (tries.length > 0)
    writeAtomically(to.failures, tries.map((each) => `${JSON.stringify(each)}\n`).join(''));
  return log ? [to.log] : [];
}

/** Lines of `sha256sum`, in the order of the names. */
const checksums = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/'))
    .sort()
    .map((file) => {
      const hash = createHash('sha256')
        .update(readFileSync(path.join(folder, file)))
        .digest('hex');
      return `${hash}  ${file}\n`;
    });

/** What a data set says of a run. */
interface PublishedRun {
  /** Name of the campaign, and of the run's folder in the data set. */
  readonly name: string;
  /** Number of planned and of finished sessions. */
  readonly planned: number;
  readonly finished: number;
  /** Ids of finished sessions of pairs in which the machine was the bottleneck; verdicts leave them out. */
  readonly invalidated: readonly string[];
  /** Ids of finished A/A sessions: an arm compared with itself. */
  readonly aaSessions: readonly string[];
  /** What was sampled, on which machines and days. */
  readonly scope: string;
  readonly networks: readonly { readonly label: string; readonly source: string }[];
  /** What a report says of the registration; null where sessions are simulated. */
  readonly registration: string | null;
}

/** Writes the README.md of a data set. */
const formatCard = (
  licence: string,
  runs: readonly PublishedRun[],
): string => `# Streaming sessions recorded with Pitwall

Each session is one playback of a DASH stream by one browser, or by a simulator: every request with its timing and protocol,
every decision of the ABR rule with its reason, stalls, switches, buffer levels. Licence: ${licence}.

${markdownTable([
  ['campaign', 'sessions', 'invalidated', 'A/A', 'what was played'],
  ...runs.map(({ name, planned, finished, invalidated, aaSessions, scope }) => [
    name,
    `${finished} of ${planned}`,
    String(invalidated.length),
    String(aaSessions.length),
    scope,
  ]),
])}

## How it was played

Each folder is a campaign, a designed experiment: \`plan.json\` has its arms, networks and sessions, in the order in which they
were played. The sessions of a pair differ in what is compared and share network, content, repeat and seed.

${runs.map(formatRun).join('\n')}

Leave out invalidated sessions, in whose pairs the machine was the bottleneck; and A/A sessions, unless you compare an arm with
itself. \`dataset.json\` has their ids.

## Files

- \`CAMPAIGN/tables/*.parquet\`: a table of each kind for all sessions; \`dataset.json\` has the unit and meaning of each column.
- \`CAMPAIGN/sessions/ID.json\`: the whole session log, which the tables are made of. \`.partial.json\` and \`.failures.jsonl\` are of
  tries that failed, \`.beside-N.json\` of other viewers of the same link.
- \`CAMPAIGN/registration.json\`: hashes of plan and analysis from before the first session.
- \`SHA256SUMS\`: \`sha256sum -c SHA256SUMS\` checks all files.

An unknown value is null, and \`missing\` or \`why\` has the reason. Times are ms since the start of the session.

    duckdb -c "SELECT arm, count(*), avg(mean_bitrate) FROM '*/tables/sessions.parquet' GROUP BY ALL"
    npx pitwall report CAMPAIGN

## What was removed

Logs have no NetLogs. Machines are numbered. Paths of files, private addresses and names of hosts, and values of queries are
replaced (\`<path>\`, \`private-1.invalid\`, \`*\`). Nothing else was changed.
`;

const formatRun = ({ name, registration, networks }: PublishedRun): string =>
  [
    `- **${name}**: ${registration ?? 'Simulated, so that it can be played again.'}`,
    ...networks.map(({ label, source }) => `  - network ${label}: ${source}`),
  ].join('\n');
