import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';

/** What a command of ours took, as whoever types it sees it: with the start of Node. */
export interface CommandCost {
  readonly tookMs: number;
  /** Processor time of all its threads; does not grow when something else takes the core. null where the system does not tell. */
  readonly cpuMs: number | null;
  /** Resident memory at its highest, threads with it; null where the system does not tell (no /proc). */
  readonly peakBytes: number | null;
}

const LOOK_MS = 50;

/** Runs `pitwall …` of a checkout and waits for its end. @throws Error with what it said where it failed */
export function commandCost(root: string, args: readonly string[]): Promise<CommandCost> {
  return new Promise((resolve, reject) => {
    const [startMs, startCpuMs] = [performance.now(), childrenCpuMs()];
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
      if (code === 0) resolve({ tookMs: performance.now() - startMs, cpuMs: since(startCpuMs), peakBytes });
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

const since = (startMs: number | null): number | null => {
  const nowMs = childrenCpuMs();
  return startMs === null || nowMs === null ? null : nowMs - startMs;
};

/** Ticks of a second, which Linux tells programs in (sysconf(_SC_CLK_TCK)). */
const TICKS = 100;

/** Of all children of this process that have ended: `cutime` and `cstime` of proc(5). */
function childrenCpuMs(): number | null {
  try {
    // A program's name in parentheses may have blanks in it; the fields after it have none.
    const fields = readFileSync('/proc/self/stat', 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return ((Number(fields[13]) + Number(fields[14])) * 1000) / TICKS;
  } catch {
    return null;
  }
}
