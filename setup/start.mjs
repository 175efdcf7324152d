// `npm start`: set-up, then app and origin, then a browser where there is a display.
import { spawn } from 'node:child_process';
import path from 'node:path';
import { root, setUp } from './setup.mjs';

try {
  // Whoever wants to watch does not wait for a compiler.
  await setUp({ forLab: false });
} catch (error) {
  process.stderr.write(`set-up failed: ${error.message}\n`);
  process.exit(1);
}
const serve = spawn(
  process.execPath,
  [path.join(root, 'bin', 'pitwall'), 'serve', '--open', ...process.argv.slice(2)],
  { cwd: root, stdio: 'inherit' },
);
// Ctrl-C in a terminal reaches the whole group, a supervisor's signal only this process: passing it on serves both,
// because the server takes a second one calmly.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => serve.kill(signal));
serve.on('exit', (code) => process.exit(code ?? 1));
