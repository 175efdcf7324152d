// `npm run check`: types per zone, lint with the import fences, format. Every step runs, so that one run shows all.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const bin = (name) => path.join(root, 'node_modules', '.bin', name);

/** Each step is counted as one test by `npm test` in CI. */
export const CHECKS = [
  { name: 'types', command: [bin('tsc'), '-b', '--pretty'] },
  { name: 'lint and import fences', command: [bin('eslint'), '.', '--max-warnings=0'] },
  { name: 'format', command: [bin('prettier'), '--check', '--log-level=warn', '.'] },
];

/** Runs all checks; returns how many passed and failed, and which failed. */
export function runChecks() {
  const failed = CHECKS.filter(({ name, command: [program, ...args] }) => {
    const { status } = spawnSync(program, args, { cwd: root, stdio: 'inherit' });
    process.stdout.write(`check: ${name} ${status === 0 ? 'passed' : 'FAILED'}\n`);
    return status !== 0;
  });
  const failures = failed.map(({ name }) => `check: ${name}`);
  return { passed: CHECKS.length - failed.length, failed: failed.length, failures };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = runChecks().failed > 0 ? 1 : 0;
