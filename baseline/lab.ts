import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathsIn, type Files } from './bundle.ts';
import { masking } from './command.ts';
import { madeFiles } from './made.ts';

interface LabRun {
  /** Its folder in the bundle `lab`. */
  readonly id: string;
  readonly args: readonly string[];
  readonly sessions: number;
}

const EVERY_TRANSPORT = ['--transports', 'h1,h2,h3-racing,h3-only'];

/** Real sessions: every transport from both origins, over an emulated link with sound, and live. Eight minutes at most. */
const LAB_RUNS: readonly LabRun[] = [
  { id: 'caddy', args: ['made/lab-loopback.campaign.json'], sessions: 4 },
  {
    id: 'instrumented',
    args: [
      ...['--rules', 'throughput', ...EVERY_TRANSPORT, '--seconds', '20', '--workers', '2'],
      ...['--origin', 'instrumented', '--controller', 'tcp=reno:quic=cubic'],
    ],
    sessions: 4,
  },
  { id: 'linked', args: ['made/lab-linked.campaign.json'], sessions: 4 },
  { id: 'live', args: ['made/lab-live.campaign.json'], sessions: 2 },
];

/** Above this a run hangs; together they stay within eight minutes where none does. */
const LIMIT_MS = 240_000;
const SESSION_SCHEMA = '"pitwall-session/2"';

/**
 * Plays what is not played yet, in a folder that stays, and keeps the logs of all. @throws Error in one sentence where a
 * session is missing; the same command then plays only what is.
 */
export async function recordLab(code: string): Promise<Files> {
  const folder = path.join(path.dirname(import.meta.dirname), '.pitwall', 'baseline-lab');
  if (!existsSync(path.join(code, '.pitwall', 'tools.json')))
    throw new Error(`${code}: It is not set up: run "npm run setup" there first.`);
  for (const [name, text] of Object.entries(madeFiles())) {
    const file = path.join(folder, 'made', name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  for (const run of LAB_RUNS) await play(run, { code, folder });
  const missing = LAB_RUNS.filter((run) => logsIn(folder, run).length < run.sessions);
  if (missing.length > 0)
    throw new Error(
      `Sessions of ${missing.map(({ id }) => id).join(', ')} are missing: say the same command again.`,
    );
  return labFiles(folder, masking({ folder, code }));
}

async function play(run: LabRun, { code, folder }: { code: string; folder: string }): Promise<void> {
  const { id, args, sessions } = run;
  const there = logsIn(folder, run).length;
  process.stdout.write(`lab/${id}: ${there} of ${sessions} sessions are there\n`);
  if (there >= sessions) return;
  // A campaign goes on by itself; other runs begin anew.
  if (!existsSync(path.join(folder, id, 'plan.json')))
    rmSync(path.join(folder, id), { recursive: true, force: true });
  const program = [path.join(code, 'bin', 'pitwall'), 'compare', ...args, '--out', id];
  const child = spawn(process.execPath, program, { cwd: folder, stdio: 'inherit' });
  // SIGINT acts as Ctrl-C: the command ends browsers, origins and links.
  const late = setTimeout(() => child.kill('SIGINT'), LIMIT_MS);
  const exit = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  clearTimeout(late);
  process.stdout.write(`lab/${id}: ended with ${exit}\n`);
}

/** The paths of a run's whole logs. */
function logsIn(folder: string, { id }: Pick<LabRun, 'id'>): string[] {
  return pathsIn(path.join(folder, id))
    .filter((name) => name.endsWith('.json') && !/\.(?:partial|netlog|race-faults)\.json$/.test(name))
    .map((name) => path.join(folder, id, name))
    .filter((file) => readFileSync(file, 'utf8').slice(0, 200).includes(SESSION_SCHEMA));
}

/** Logs and plans; not what is beside them. */
function labFiles(folder: string, mask: (text: string) => string): Files {
  const files: Record<string, string> = {};
  for (const run of LAB_RUNS)
    for (const file of [...logsIn(folder, run), path.join(folder, run.id, 'plan.json')])
      if (existsSync(file))
        files[path.relative(folder, file).split(path.sep).join('/')] = mask(readFileSync(file, 'utf8'));
  return files;
}
