import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { enterHolder } from '../namespaces.ts';

/** A running Rattan and what its log says. */
export interface RattanProcess {
  /** Its own: what it is started through gives way to it (`exec`). */
  readonly pid: number;
  /** Processes inside the two namespaces, by which these can be named. */
  readonly pids: { readonly client: number; readonly server: number };
  /** When the first packet came, from which the profile counts. */
  readonly firstPacket: Promise<number>;
  /** Settles when it has ended, with its last words. */
  readonly gone: Promise<string>;
  busyDrops(): number;
  stop(): Promise<void>;
}

const START_TIMEOUT_MS = 20_000;
/**
 * Starts Rattan so that it cannot outlive us (`--pdeathsig`), and so that the names that it gives to namespaces are seen
 * by nobody and end with it (a mount namespace with a `/run/netns` of its own).
 */
export async function startRattan(rattan: string, configFile: string): Promise<RattanProcess> {
  const [program, ...args] = enterHolder(
    'setpriv',
    ...['--pdeathsig', 'KILL', 'unshare', '--mount', 'sh', '-c', PRIVATE_NAMES, 'sh'],
    ...['taskset', '-c', String(nextCore()), ...realTime],
    ...[rattan, 'run', '--config', configFile, '--left-stdout', '--right-stdout'],
  );
  const child = spawn(program, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NO_COLOR: '1', RUST_LOG: 'error,rattan_core::core=debug' },
  });
  return follow(child);
}

const PRIVATE_NAMES = 'mkdir -p /run/netns && mount -t tmpfs none /run/netns && exec "$@"';

/** One core per link, in turn, beginning anywhere: a link is one thread of a few percent, and several must not meet on one. */
function nextCore(): number {
  const allowed = /^Cpus_allowed_list:\s*(\S+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '0';
  const cores = allowed.split(',').flatMap((range) => {
    const [first = 0, last = first] = range.split('-').map(Number);
    return Array.from({ length: last - first + 1 }, (_, at) => first + at);
  });
  return cores[(process.pid + started++) % cores.length] ?? 0;
}
let started = 0;

function follow(child: ChildProcess): Promise<RattanProcess> {
  const output = newOutput();
  return new Promise((resolve, reject) => {
    const gone = new Promise<string>((tell) => {
      child.once('error', (error) => tell(error.message));
      child.once('exit', (code, signal) => tell(`${signal ?? `exit code ${code}`}: ${output.last}`));
    });
    const timer = setTimeout(() => child.kill('SIGKILL'), START_TIMEOUT_MS);
    void gone.then((words) => {
      clearTimeout(timer);
      reject(new Error(`Rattan ended at its start (${words})`));
    });
    const read = (line: string): void => {
      hearLine(output, line);
      if (output.pids.client === 0 || output.pids.server === 0) return;
      clearTimeout(timer);
      resolve({
        pid: child.pid!,
        pids: output.pids,
        firstPacket: output.firstPacket,
        gone,
        busyDrops: () => output.busy,
        stop: async () => {
          child.kill('SIGKILL');
          await gone;
        },
      });
    };
    for (const stream of [child.stdout, child.stderr])
      if (stream) createInterface({ input: stream }).on('line', read);
  });
}

interface Output {
  readonly pids: { client: number; server: number };
  readonly firstPacket: Promise<number>;
  tellFirst(atUnixMs: number): void;
  busy: number;
  last: string;
}

function newOutput(): Output {
  let tellFirst = (_atUnixMs: number): void => {};
  const firstPacket = new Promise<number>((tell) => (tellFirst = tell));
  return { pids: { client: 0, server: 0 }, firstPacket, tellFirst, busy: 0, last: 'it said nothing' };
}

/** Our own lines from inside the namespaces (`rattanConfig.ts`), and those of Rattan's log that matter here. */
function hearLine(output: Output, line: string): void {
  const [, end, pid] = /^pitwall: (client|server) (\d+)$/.exec(line) ?? [];
  if (end === 'client' || end === 'server') output.pids[end] = Number(pid);
  else if (line.includes('Sent FirstPacket notify')) output.tellFirst(Date.parse(line.split(' ')[0] ?? ''));
  else if (line.includes('since the system is busy')) output.busy += 1;
  else if (line.trim() !== '' && !line.includes(' INFO ')) output.last = line;
}

/**
 * Put before Rattan: runs it ahead of all ordinary work, where the machine allows that. Packets must leave on time while
 * browsers and others keep all cores busy: on two busy cores an ordinary process waited up to 0.3 s for its turn, at nice
 * −10 as well (the kernel weighs sessions first, sched(7) "autogroup"), and one with a real-time priority never 15 ms.
 *
 * A real-time process that never sleeps would stop the machine: half a second of that ends it (RLIMIT_RTTIME).
 */
const realTime: readonly string[] = [
  'sh',
  '-c',
  `chrt --fifo 10 true 2>/dev/null && exec prlimit --rttime=500000 chrt --fifo 10 "$@"
nice -n -10 true 2>&1 | grep -q . || exec nice -n -10 "$@"
exec "$@"`,
  'sh',
];

/** Whether Rattan gets a real-time priority here: root does, and whose RLIMIT_RTPRIO is 10 or more (getrlimit(2)). */
export const isRealTime = (): boolean => spawnSync('chrt', ['--fifo', '10', 'true']).status === 0;

/** For those who start links, where `isRealTime` is false. */
export const NO_PRIORITY = `The emulator of the links has no real-time priority here (RLIMIT_RTPRIO is
below 10): use fewer links at once. docs/campaign-runs.md, "Links without root".`;
