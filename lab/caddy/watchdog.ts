/** Ends a process and removes a folder when this process dies in whatever way, `kill -9` included. */
import { spawn } from 'node:child_process';

/** Tells the watchdog what to end; `release` lets it go without ending anything. */
export interface Watchdog {
  watch(pid: number | null): void;
  release(): void;
}

/**
 * A shell that waits for its standard input to close: the kernel closes it when we die. It outlives a Ctrl-C to our
 * process group because it is detached. The last line that it read names the process to end, or its whole group where the
 * second argument is a minus. What ends a moment later (a browser whose pipe is closed) may still write into the folder.
 */
const script = `
while read -r line; do pid=$line; done
case "$pid" in released) exit 0 ;; [0-9]*) kill -9 "$2$pid" 2>/dev/null ;; esac
for try in 1 2 3 4 5 6 7 8 9 10; do
  rm -rf -- "$1"
  sleep 1
  [ -e "$1" ] || exit 0
done
`;

/**
 * Starts a watchdog over `folder`. `isGroup`: the watched process leads a group, which ends as a whole. On Windows
 * there is no watchdog: a killed parent leaves Caddy running there.
 */
export function startWatchdog(folder: string, { isGroup = false } = {}): Watchdog {
  if (process.platform === 'win32') return { watch: () => {}, release: () => {} };
  const shell = spawn('/bin/sh', ['-c', script, 'pitwall-watchdog', folder, isGroup ? '-' : ''], {
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
