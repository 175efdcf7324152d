// npm packages, when they are missing or older than the lock file.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { run } from './run.mjs';
import { whileLocked } from './whileLocked.mjs';

/** Returns what it did in words. @throws Error when npm fails. */
export function installPackages(root, say) {
  const stampFile = path.join(root, 'node_modules', '.pitwall-setup');
  const stamp = createHash('sha256')
    .update(readFileSync(path.join(root, 'package-lock.json')))
    .update(process.platform + process.arch)
    .digest('hex');
  const isCurrent = () => existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp;
  if (isCurrent()) return 'installed already';
  return whileLocked(path.join(root, '.pitwall', 'installing'), () => {
    if (isCurrent()) return 'installed by another set-up';
    say('installing npm packages');
    runNpm(root);
    writeFileSync(stampFile, stamp);
    return 'installed';
  });
}

function runNpm(root) {
  // npm is a script on Windows, and Node refuses to start scripts without a shell.
  const npm = run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    shell: process.platform === 'win32',
  });
  if (!npm.ok) throw new Error(`npm could not install the packages: ${npm.why}`);
}
