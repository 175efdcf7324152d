/**
 * How programs run in network namespaces. As root they are those of the machine. Everybody else has a user namespace for
 * each run, in which they are root (user_namespaces(7)); only what belongs to a link or path runs in it, and the run itself
 * stays outside, with its own user, network and mounts.
 */
import { execFile, spawn } from 'node:child_process';
import { promisify } from 'node:util';
import { namespaceWay, USER_NAMESPACE, type NamespaceWay } from '../setup/namespaceWay.mjs';

const run = promisify(execFile);

/** A program and its arguments. */
export type Command = readonly [program: string, ...args: string[]];

let known: NamespaceWay | null = null;
const wayHere = (): NamespaceWay => (known ??= namespaceWay());

/** Why this process can make no network namespaces, in a sentence without its full stop; null when it can. */
export function namespacesMissing(way: NamespaceWay = wayHere()): string | null {
  return way.kind === 'none' ? way.why : null;
}

/** The process that keeps our user namespace; null as root, who needs none. */
let holderPid: Promise<number | null> | null = null;
let openHolderPid: number | null | undefined;

/** To be awaited before all that follows; again costs nothing. @throws Error with one sentence where it cannot be */
export async function openNamespaces(): Promise<void> {
  holderPid ??= open();
  openHolderPid = await holderPid.catch((error: unknown) => {
    holderPid = null;
    throw error;
  });
}

function open(): Promise<number | null> {
  const missing = namespacesMissing();
  if (missing !== null) return Promise.reject(new Error(`${missing}.`));
  return wayHere().kind === 'root' ? Promise.resolve(null) : startHolder();
}

/** Where Debian has `ip`, `nft` and `tc`, which it does not put on the PATH of ordinary users. */
const pathOf = (environment: NodeJS.ProcessEnv): string => `${environment['PATH'] ?? ''}:/usr/sbin:/sbin`;

/**
 * Keeps the names of namespaces in a `/run/netns` of its own. Where there is no such folder, only root can make it: then
 * `/run` is its own as well, and what was there is reached by links. Its input ends when we do, also by `kill -9`: then it
 * ends what still runs inside, and with it go the names.
 */
const HOLD = `
if [ -d /run/netns ]; then
  mount -t tmpfs none /run/netns || exit 1
else
  exec 3< /run
  mount -t tmpfs none /run && mkdir /run/netns || exit 1
  for each in /proc/self/fd/3/*; do ln -s "/proc/$$/fd/3/\${each##*/}" /run/; done
fi
echo ready
cat > /dev/null
for name in $(ip netns list | cut -d ' ' -f 1); do
  for pid in $(ip netns pids "$name"); do kill -9 "$pid"; done
done`;

function startHolder(): Promise<number> {
  const child = spawn('unshare', [...USER_NAMESPACE, 'sh', '-c', HOLD], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, PATH: pathOf(process.env) },
    // A Ctrl-C is for us.
    detached: true,
  });
  child.unref();
  let complaint = '';
  child.stderr.on('data', (text) => (complaint += String(text)));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', () =>
      reject(new Error(`The user namespace for emulated links ended at its start: ${complaint.trim()}.`)),
    );
    child.stdout.once('data', () => {
      // None of them may keep us alive.
      for (const stream of [child.stdin, child.stdout, child.stderr])
        (stream as unknown as Unrefable).unref();
      resolve(child.pid!);
    });
  });
}

interface Unrefable {
  unref(): void;
}

/** Runs a program where namespaces are made and have names: for `ip netns`, and for programs that make their own. */
export function enterHolder(...command: Command): Command {
  const pid = requireHolder();
  return pid === null ? command : nsenter(pid, ['--mount', '--net'], command);
}

/** Runs a program inside a network namespace, in whose place it comes: the process has the same id. */
export function enterNamespace(namespace: string, ...command: Command): Command {
  const pid = requireHolder();
  if (pid === null) return ['ip', 'netns', 'exec', namespace, ...command];
  // Not `ip netns exec`: containers forbid the /sys that it mounts. With the mounts of our own, /run and /tmp are as outside.
  return nsenter(pid, [`--net=/proc/${pid}/root/run/netns/${namespace}`], command);
}

/** Our user outside is root inside: without the option, nsenter would also drop groups, which is not allowed there. */
const nsenter = (pid: number, which: readonly string[], command: Command): Command => [
  ...(['nsenter', '--target', String(pid), '--user', '--preserve-credentials', ...which, '--'] as const),
  ...['env', `PATH=${pathOf(process.env)}`],
  ...command,
];

function requireHolder(): number | null {
  if (openHolderPid === undefined)
    throw new Error('A namespace was to be entered before openNamespaces had been awaited.');
  return openHolderPid;
}

/** Runs `ip` where namespaces have names, and resolves to what it prints. @throws Error when it fails */
export async function ip(...args: string[]): Promise<string> {
  await openNamespaces();
  return runCommand(enterHolder('ip', ...args));
}

/** Runs a program inside a namespace, and resolves to what it prints. @throws Error when it fails */
export const runInNamespace = (namespace: string, ...command: Command): Promise<string> =>
  runCommand(enterNamespace(namespace, ...command));

export async function runCommand(
  [program, ...args]: Command,
  options: { timeout?: number } = {},
): Promise<string> {
  return (await run(program, args, options)).stdout;
}

/** A shell script that runs a command, then the script's arguments, inside a namespace: for `executablePath`. */
export function formatWrapper(namespace: string, ...command: Command): string {
  const words = enterNamespace(namespace, ...command).map((word) => `'${word.replaceAll("'", "'\\''")}'`);
  return `#!/bin/sh\nexec ${words.join(' ')} "$@"\n`;
}
