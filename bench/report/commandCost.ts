import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';

/** What a command of ours took, as whoever types it sees it: with the start of Node. */
export interface CommandCost {
  readonly tookMs: number;
  /** Resident memory at its highest, threads with it; null where the system does not tell (no /proc). */
  readonly peakBytes: number | null;
}

const LOOK_MS = 50;

/** Runs `pitwall …` of a checkout and waits for its end. @throws Error with what it said where it failed */
export function commandCost(root: string, args: readonly string[]): Promise<CommandCost> {
  return new Promise((resolve, reject) => {
    const startMs = performance.now();
    const child = spawn(process.execPath, [path.join(root, 'bin', 'pitwall'), ...args], {
      cwd: root,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let [peakBytes, said]: [number | null, string] = [null, ''];
    child.stderr.on('data', (text: Buffer) => (said += text.toString()));
    const looking = setInterval(() => (peakBytes = peakOf(child.pid) ?? peakBytes), LOOK_MS);
    child.on('error', reject);
    child.on('close', (code) => {
      clearInterval(looking);
      if (code === 0) resolve({ tookMs: performance.now() - startMs, peakBytes });
      else reject(new Error(`pitwall ${args.join(' ')} ended with ${code}: ${said.slice(-400)}`));
    });
  });
}

/** The high-water mark: what it was at the last look was seen, however short it lasted. */
function peakOf(pid: number | undefined): number | null {
  try {
    const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return kilobytes === undefined ? null : Number(kilobytes) * 1024;
  } catch {
    return null;
  }
}
