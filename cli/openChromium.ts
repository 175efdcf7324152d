import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { netLogFlags } from '../lab/browser/chromium/chromiumArguments.ts';
import { labBrowser } from '../lab/browser/registry.ts';
import { formatFileError } from '../node/files.ts';
import type { Origin } from '../lab/caddy/origin.ts';
import { pick } from '../src/shared/registry.ts';

/** Tells whether a window can be opened here. */
export function hasDisplay(): boolean {
  if (process.platform === 'darwin' || process.platform === 'win32') return true;
  return Boolean(process.env['DISPLAY'] ?? process.env['WAYLAND_DISPLAY']);
}

interface Target {
  readonly origin: Pick<Origin, 'host' | 'httpsPort' | 'spki'>;
  readonly start: string;
  /** Where the browser writes its NetLog; absent: nowhere. */
  readonly netLogFile?: string;
}

/** What a browser may take to end, and to write the rest of its NetLog. */
const LAST_WORDS_MS = 5000;

/**
 * Opens a window that can do h1, h2, h3 and the race against our own certificate. Its profile goes with it. `closed` rejects with
 * one sentence where it does not start or fails; `close` waits until it has ended.
 */
export function openChromium(
  executable: string,
  target: Target,
): { closed: Promise<void>; close(): Promise<void> } {
  const profile = mkdtempSync(path.join(tmpdir(), 'pitwall-window-'));
  const child = spawn(executable, [...flagsFor(target, profile), target.start], { stdio: 'ignore' });
  const closed = once(child, 'exit')
    .then(
      ([code]) => {
        if (code) throw new Error(`${executable}: It ended with the exit code ${code}.`);
      },
      (error: unknown) => {
        throw new Error(formatFileError(executable, error));
      },
    )
    .finally(() => rmSync(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }));
  return {
    closed,
    async close() {
      child.kill('SIGTERM');
      const gone = closed.catch(() => undefined);
      await Promise.race([gone, pause(LAST_WORDS_MS, undefined, { ref: false })]);
    },
  };
}

/** Formats the command that opens the window, to be typed on another machine where this one has no display. */
export function chromiumCommand(executable: string, target: Target): string {
  const words = [...flagsFor(target, '$(mktemp -d)'), target.start];
  const quoted = words.map((word) => (/[ $*&?]/.test(word) ? `"${word}"` : word));
  return [path.basename(executable), ...quoted].join(' \\\n      ');
}

function flagsFor({ origin, netLogFile }: Target, profile: string): string[] {
  const racing = pick(labBrowser.modes, 'h3-racing');
  return [
    `--user-data-dir=${profile}`,
    '--no-first-run',
    `--ignore-certificate-errors-spki-list=${origin.spki}`,
    ...racing.flags({
      servers: [{ host: origin.host, port: origin.httpsPort }],
      ownCertificate: true,
    }),
    ...(netLogFile ? netLogFlags(netLogFile) : []),
    // Chromium refuses to start its sandbox as root.
    ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  ];
}
