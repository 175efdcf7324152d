// Known weaknesses of the parts, as far as somebody answers: npm's registry for packages, RustSec for crates.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { findCargo } from './findCargo.mjs';

/** In ms. An offline machine is not held up for longer. */
const TIME_LIMIT_MS = 10_000;

/** Exit code where nobody answered, so that nothing is known. */
export const NOT_ANSWERED = 69;

/** Asks both at once. Each answer is { name, isDone, isBad, line }; `line` says in one line what was found or why not. */
export function runAudits(root, { timeLimitMs = TIME_LIMIT_MS, npm = 'npm', cargo = findCargo() } = {}) {
  return Promise.all([
    ask(npm, ['audit', '--json', '--fetch-retries=0'], { cwd: root, timeLimitMs }).then((said) =>
      verdict('npm audit', said, npmFindings),
    ),
    auditCrates(path.join(root, 'lab', 'origin'), { timeLimitMs, cargo }),
  ]);
}

async function auditCrates(folder, { timeLimitMs, cargo }) {
  const name = 'cargo audit';
  if (!cargo) return notDone(name, 'there is no cargo');
  if (!existsSync(path.join(folder, 'Cargo.lock'))) return notDone(name, `${folder} has no Cargo.lock`);
  const said = await ask(cargo, ['audit', '--json'], { cwd: folder, timeLimitMs });
  if (/no such (sub)?command/.test(said.errors))
    return notDone(name, 'cargo-audit is not installed ("cargo install cargo-audit")');
  return verdict(name, said, cargoFindings);
}

/**
 * What `npm audit --json` found (npm 7 and later): { bad, line }, or null when the text is no such report. High and
 * critical are bad, in what is shipped and in what only builds and tests.
 */
export function npmFindings(report) {
  const { vulnerabilities, metadata } = report;
  if (!vulnerabilities || !metadata) return null;
  const bad = Object.values(vulnerabilities)
    .filter(({ severity }) => severity === 'high' || severity === 'critical')
    .map(({ name, severity, range }) => `${name} ${range} (${severity})`);
  const lower = Object.keys(vulnerabilities).length - bad.length;
  return { bad, line: `${bad.length} of high or critical severity, ${lower} lower` };
}

/** What `cargo audit --json` found, as `npmFindings`. Every advisory is bad: RustSec knows no severity of most. */
export function cargoFindings(report) {
  const list = report.vulnerabilities?.list;
  if (!Array.isArray(list)) return null;
  const bad = list.map((each) => `${each.package.name} ${each.package.version} (${each.advisory.id})`);
  return { bad, line: `${bad.length} advisories` };
}

function verdict(name, { text, errors, why }, read) {
  const found = read(parsed(text));
  if (!found) return notDone(name, why ?? reasonIn(errors) ?? 'no report came');
  const named = found.bad.length > 0 ? `: ${found.bad.join(', ')}` : '';
  return { name, isDone: true, isBad: found.bad.length > 0, line: found.line + named };
}

const notDone = (name, why) => ({ name, isDone: false, isBad: false, line: `not done, because ${why}` });

function parsed(text) {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}

/** npm and cargo put the reason first, and where to read on after it. */
const reasonIn = (errors) =>
  errors
    .split('\n')
    .map((line) => line.replace(/^(npm (warn audit|error)|error:)\s*/, '').trim())
    .find((line) => line !== '' && !line.startsWith('npm warn'));

/** { text, errors, why }: standard output, standard error, and why the program did not end by itself (or null). */
function ask(program, args, { cwd, timeLimitMs }) {
  return new Promise((resolve) => {
    // npm is a script on Windows, and Node refuses to start scripts without a shell.
    const child = spawn(program, args, {
      cwd,
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: process.platform === 'win32',
      timeout: timeLimitMs,
      killSignal: 'SIGKILL',
    });
    let text = '';
    let errors = '';
    child.stdout.setEncoding('utf8').on('data', (chunk) => (text += chunk));
    child.stderr.setEncoding('utf8').on('data', (chunk) => (errors += chunk));
    child.once('error', ({ message }) => resolve({ text: '', errors: '', why: message }));
    child.once('close', (_, signal) =>
      resolve(
        signal
          ? { text: '', errors: '', why: `nothing came in ${timeLimitMs / 1000} s` }
          : { text, errors, why: null },
      ),
    );
    // A child of the killed program may hold the pipes, and "close" waits for them.
    child.once(
      'exit',
      (_, signal) => signal && [child.stdout, child.stderr].forEach((pipe) => pipe.destroy()),
    );
  });
}

// Exit code 1: something bad is known.
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const audits = await runAudits(path.dirname(path.dirname(fileURLToPath(import.meta.url))));
  for (const { name, line } of audits) process.stdout.write(`${name}: ${line}\n`);
  if (audits.some(({ isBad }) => isBad)) process.exitCode = 1;
  else process.exitCode = audits.some(({ isDone }) => isDone) ? 0 : NOT_ANSWERED;
}
