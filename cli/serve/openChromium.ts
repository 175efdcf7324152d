import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { modes } from '../../lab/browser/mode.ts';
import type { Origin } from '../../lab/caddy/origin.ts';
import { pick } from '../../src/shared/registry.ts';

interface Target {
  readonly origin: Pick<Origin, 'host' | 'httpsPort' | 'spki'>;
  readonly start: string;
}

/** Opens a window that can do h1, h2, h3 and the race against our own certificate. Its profile goes with it. */
export function openChromium(executable: string, target: Target): { closed: Promise<void>; close(): void } {
  const profile = mkdtempSync(path.join(tmpdir(), 'pitwall-window-'));
  const child = spawn(executable, [...flagsFor(target, profile), target.start], { stdio: 'ignore' });
  const closed = new Promise<void>((resolve) => {
    child.once('error', () => resolve());
    child.once('exit', () => {
      rmSync(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
      resolve();
    });
  });
  return { closed, close: () => void child.kill('SIGTERM') };
}

/** The same as a command to type, for machines without a display here and with one there. */
export function chromiumCommand(executable: string, target: Target): string {
  const flags = flagsFor(target, '<empty folder>').map((flag) => (/[ <>*]/.test(flag) ? `"${flag}"` : flag));
  return [path.basename(executable), ...flags, target.start].join(' \\\n      ');
}

function flagsFor({ origin }: Target, profile: string): string[] {
  const racing = pick(modes, 'h3-racing');
  return [
    `--user-data-dir=${profile}`,
    '--no-first-run',
    `--ignore-certificate-errors-spki-list=${origin.spki}`,
    ...racing.flags({ host: origin.host, port: origin.httpsPort, ownCertificate: true }),
    // Chromium refuses to start its sandbox as root.
    ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  ];
}
