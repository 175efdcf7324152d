/** Ends a process and removes a folder when this process dies in whatever way, `kill -9` included. */
import { spawn } from 'node:child_process';

/** Tells the watchdog what to end; `release` lets it go without ending anything. */
export interface Watchdog {
  watch(pid: number | null): void;
  release(): void;
}

/**
 * A shell that waits for its standard input to close: the kernel closes it when we die. It outlives a Ctrl-C to our
 * process group because it is detached. The last line that it read names the process to end.
 */
const script = `
while read -r line; do pid=$line; done
case "$pid" in released) exit 0 ;; [0-9]*) kill -9 "$pid" 2>/dev/null ;; esac
rm -rf -- "$1"
`;

/** Starts a watchdog over `folder`. On Windows there is none: a killed parent leaves Caddy running there. */
export function startWatchdog(folder: string): Watchdog {
  if (process.platform === 'win32') return { watch: () => {}, release: () => {} };
  const shell = spawn('/bin/sh', ['-c', script, 'pitwall-watchdog', folder], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  shell.unref();
  // The shell may already be gone when the last line is written.
  shell.stdin.on('error', () => {});
  return {
    watch: (pid) => void shell.stdin.write(`${pid ?? 'none'}\n`),
    release: () => void shell.stdin.end('released\n'),
  };
}
