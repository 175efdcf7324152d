// `npm run check`: types per zone, lint with the import fences, format, known weaknesses of the parts. Every step runs, so
// that one run shows all.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { NOT_ANSWERED } from './audit.mjs';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const bin = (name) => path.join(root, 'node_modules', '.bin', name);

/** What imports the product and may be left out of a checkout. */
const workspaces = ['research'].filter((folder) => existsSync(path.join(root, folder)));

/** Each step is counted as one test by `npm test` in CI. */
const CHECKS = [
  { name: 'types', command: [bin('tsc'), '-b', '--pretty', '.', ...workspaces] },
  { name: 'lint and import fences', command: [bin('eslint'), '.', '--max-warnings=0'] },
  { name: 'format', command: [bin('prettier'), '--check', '--log-level=warn', '.'] },
];

/**
 * Runs all checks; returns how many passed and failed, and which failed. Audits that no registry answers print a line
 * and are not counted: a registry without advisories is no missing piece of the tests.
 */
export function runChecks() {
  const results = [...CHECKS.map(runCheck), runAudit()].filter((result) => result !== null);
  const failures = results.filter(({ ok }) => !ok).map(({ name }) => `check: ${name}`);
  return { passed: results.length - failures.length, failed: failures.length, failures };
}

function runCheck({ name, command: [program, ...args] }) {
  const { status } = spawnSync(program, args, { cwd: root, stdio: 'inherit' });
  process.stdout.write(`check: ${name} ${status === 0 ? 'passed' : 'FAILED'}\n`);
  return { name, ok: status === 0 };
}

/** Runs the audits and returns { name, ok }; null when no registry answered: the program has said why. */
function runAudit() {
  const program = path.join(root, 'setup', 'audit.mjs');
  const { status } = spawnSync(process.execPath, [program], { cwd: root, stdio: 'inherit' });
  process.stdout.write(
    `check: audits ${status === 0 ? 'passed' : status === NOT_ANSWERED ? 'not done' : 'FAILED'}\n`,
  );
  return status === NOT_ANSWERED ? null : { name: 'audits', ok: status === 0 };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = runChecks().failed > 0 ? 1 : 0;
