// Finds how this process can make network namespaces, which emulated links need: as root, or in a user namespace of its own.
import { readFileSync } from 'node:fs';
import { run } from './run.mjs';

/** Numbers of two capabilities of capabilities(7) in linux/capability.h. */
const CAP_NET_ADMIN = 12n;
const CAP_SYS_ADMIN = 21n;

/** Arguments with which `unshare` makes a user namespace: its program is root there, with networks and mounts of its own. */
export const USER_NAMESPACE = ['--user', '--map-root-user', '--mount', '--net'];

/** Commands that try what a link needs of a user namespace: a place for the names of others, and others inside it. */
const TRIAL = 'mount -t tmpfs none /run && mkdir /run/netns && unshare --mount --net true';

/** Kernel settings that forbid user namespaces: file, the value that does, and what to do about it. */
const FORBIDDING = [
  ['/proc/sys/user/max_user_namespaces', '0', 'sysctl user.max_user_namespaces=10000'],
  ['/proc/sys/kernel/unprivileged_userns_clone', '0', 'sysctl kernel.unprivileged_userns_clone=1'],
  [
    '/proc/sys/kernel/apparmor_restrict_unprivileged_userns',
    '1',
    'sysctl kernel.apparmor_restrict_unprivileged_userns=0',
  ],
];

/**
 * Way in which a process can make network namespaces; `why` is a sentence without its full stop.
 * @typedef {{ readonly kind: 'root' | 'user-namespace' } | { readonly kind: 'none', readonly why: string }} NamespaceWay
 * @typedef {typeof thisMachine} NamespaceMachine
 */

/** Makes a user namespace in passing to see whether it works, where this process is not root. @returns {NamespaceWay} */
export function namespaceWay(machine = thisMachine) {
  if (machine.platform !== 'linux') return none('network namespaces need Linux');
  const isRoot = machine.userId() === 0;
  if (isRoot && has(machine.capabilities(), CAP_NET_ADMIN, CAP_SYS_ADMIN)) return { kind: 'root' };
  const fault = machine.tryUserNamespace();
  if (fault === null) return { kind: 'user-namespace' };
  const forbidding = FORBIDDING.find(([file, value]) => machine.readSetting(file) === value);
  if (forbidding) return none(formatForbidden(forbidding));
  return none(
    isRoot
      ? `network namespaces need the capabilities SYS_ADMIN and NET_ADMIN, which this container does not have, or user namespaces, which failed (${fault}): start the container with --cap-add NET_ADMIN,NET_RAW,SYS_ADMIN,SYS_NICE`
      : `network namespaces need root or user namespaces, which failed (${fault}): in a container, its seccomp profile must allow unshare and mount`,
  );
}

const none = (why) => ({ kind: 'none', why });

const has = (capabilities, ...numbers) => numbers.every((number) => ((capabilities >> number) & 1n) === 1n);

const formatForbidden = ([file, value, remedy]) =>
  `network namespaces need root or user namespaces, which the kernel forbids here (${file} is ${value}): run "${remedy}" as root`;

/** Facts of this process and its machine. */
const thisMachine = {
  platform: process.platform,
  userId: () => process.getuid?.() ?? null,
  /** Reads the capabilities in effect, a bit each (proc(5)). */
  capabilities: () =>
    BigInt(`0x${/^CapEff:\s*([\da-f]+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '0'}`),
  /** Tries to make and use a user namespace. Returns null when that works, else why it does not. */
  tryUserNamespace() {
    const tried = run('unshare', [...USER_NAMESPACE, 'sh', '-c', TRIAL], { timeout: 10_000 });
    return tried.ok ? null : tried.why;
  },
  /** Reads a setting of the kernel; null where the kernel does not have it. */
  readSetting(file) {
    try {
      return readFileSync(file, 'utf8').trim();
    } catch {
      return null;
    }
  },
};
