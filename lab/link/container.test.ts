import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { namespaceWay } from '../../setup/namespaceWay.mjs';

const root = path.resolve(import.meta.dirname, '../..');
const vitest = path.join(root, 'node_modules', 'vitest', 'vitest.mjs');

/** What deploy/ says that root needs in a container. */
const capabilities = /add: \[([A-Z_, ]+)\]/
  .exec(readFileSync(path.join(root, 'deploy/kubernetes/job-links.yaml'), 'utf8'))![1]!
  .toLowerCase()
  .split(', ');

/** Mounts /proc/sys read-only, as docker, podman and Kubernetes do in a container that is not privileged. */
const READ_ONLY =
  'mount --bind /proc/sys /proc/sys && mount -o remount,bind,ro /proc/sys && ! [ -w /proc/sys/net/ipv4/ip_forward ] && exec "$@"';

/** Runs a test of links as root of a container with these capabilities. It takes an address, filters and writes settings. */
function testLinksWith(names: readonly string[]): Promise<{ failed: boolean; output: string }> {
  const bounds = ['-all', ...names.map((name) => `+${name}`)].join();
  const test = ['run', 'lab/link/pathMtu.test.ts', '-t', 'a router says that packets are too large'];
  const container = ['--mount', 'sh', '-c', READ_ONLY, 'sh', 'setpriv', '--bounding-set', bounds];
  const env = { ...process.env, CI: 'true', NO_COLOR: '1', FORCE_COLOR: '0' };
  return new Promise((resolve) => {
    execFile(
      'unshare',
      [...container, process.execPath, vitest, ...test],
      { cwd: root, env },
      (error, stdout, stderr) => resolve({ failed: error !== null, output: stdout + stderr }),
    );
  });
}

// Without root there are no capabilities to take away.
describe.runIf(namespaceWay().kind === 'root' && existsSync(path.join(root, '.pitwall', 'tools.json')))(
  'root of a container',
  () => {
    it('plays over links with the capabilities that deploy/ names, where /proc/sys is read-only', async () => {
      const { failed, output } = await testLinksWith(capabilities);
      expect(failed, output).toBe(false);
      expect(output).toMatch(/Tests +1 passed/);
    });

    it('is refused in a sentence where the one for whole packets is missing', async () => {
      const { failed, output } = await testLinksWith(capabilities.filter((name) => name !== 'net_raw'));
      expect(failed).toBe(true);
      expect(output).toMatch(/Rattan ended at its start \(.+\)/);
    });
  },
);
