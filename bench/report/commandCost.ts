import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';

/** Cost of one of our commands as its user sees it: with the start of Node. */
export interface CommandCost {
  readonly tookMs: number;
  /** Processor time of all its threads, in ms; other work on the core adds nothing. null where the system does not state it. */
  readonly cpuMs: number | null;
  /** Highest resident memory of the process with its threads, in bytes; null where the system does not state it (no /proc). */
  readonly peakBytes: number | null;
}

const LOOK_MS = 50;

/** Runs `pitwall …` of a checkout and waits for its end. @throws Error with the command's output where it failed */
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

/** Reads the high-water mark of a process's memory, which keeps a peak until the next look, however short it lasted. */
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

/** Clock ticks per second, the unit in which Linux gives times to programs (sysconf(_SC_CLK_TCK)). */
const TICKS = 100;

/** Reads the processor time of all ended children of this process, in ms: `cutime` and `cstime` of proc(5). */
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
