import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { namespaceWay } from '../../setup/namespaceWay.mjs';

const root = path.resolve(import.meta.dirname, '../..');
const file = (...parts: string[]): string => path.join(root, ...parts);

/** Makes root an ordinary user who may read all files: in a user namespace that calls it 1000, it has no capability outside. */
const AS_USER = ['--user', '--map-user=1000', '--map-group=1000', process.execPath];

function runAsUser(...args: string[]): Promise<{ failed: boolean; output: string }> {
  const env = { ...process.env, CI: 'true', NO_COLOR: '1', FORCE_COLOR: '0' };
  return new Promise((resolve) => {
    execFile('unshare', [...AS_USER, ...args], { cwd: root, env }, (error, stdout, stderr) =>
      resolve({ failed: error !== null, output: stdout + stderr }),
    );
  });
}

const isFull = process.env['PITWALL_FULL'] === '1';
/** Arguments that name tests of links. That of a plain run needs an address, filters, a controller and a UDP policer. */
const part = isFull ? ['lab/link/pathMtu.test.ts'] : ['-t', 'loses UDP alone'];

// Where this process is root, an ordinary user runs the tests of links, unchanged.
describe.runIf(namespaceWay().kind === 'root' && existsSync(file('.pitwall', 'tools.json')))(
  'without root',
  () => {
    it(
      'links work alike, or a sentence says what the kernel forbids',
      async () => {
        const script = `import(${JSON.stringify(file('setup', 'namespaceWay.mjs'))}).then((it) => console.log(it.namespaceWay().kind))`;
        const { output: kind } = await runAsUser('-e', script);
        if (kind.trim() === 'none') {
          const { failed, output } = await runAsUser(file('bin', 'pitwall'), 'lab', 'calibrate', '--quick');
          expect(failed).toBe(true);
          expect(output).toMatch(/no link can be emulated here: network namespaces need .+/);
          return;
        }
        expect(kind.trim()).toBe('user-namespace');
        const vitest = file('node_modules', 'vitest', 'vitest.mjs');
        const { failed, output } = await runAsUser(vitest, 'run', 'lab/link/createLink.test.ts', ...part);
        expect(failed, output).toBe(false);
        expect(output).toMatch(/Tests +[1-9]\d* passed/);
      },
      isFull ? 120_000 : 60_000,
    );
  },
);
