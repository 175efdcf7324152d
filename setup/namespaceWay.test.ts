import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { namespaceWay, type NamespaceMachine } from './namespaceWay.mjs';

const ALL = 0x1ff_ffff_ffffn;
/** Capabilities that Docker gives a container by default: NET_ADMIN and SYS_ADMIN are missing. */
const CONTAINER = 0xa804_25fbn;
const MAX = '/proc/sys/user/max_user_namespaces';

const machine = (
  { settings = {}, ...rest }: { settings?: Record<string, string> } & Partial<NamespaceMachine>,
  fault: string | null = null,
): NamespaceMachine => ({
  platform: 'linux',
  userId: () => 1000,
  capabilities: () => 0n,
  tryUserNamespace: () => fault,
  readSetting: (file) => settings[file] ?? null,
  ...rest,
});
const root = (capabilities: bigint) => ({ userId: () => 0, capabilities: () => capabilities });
const refused = 'unshare: unshare failed: Operation not permitted';

describe('how network namespaces can be made', () => {
  it.each([
    ['as root', machine(root(ALL)), 'root'],
    ['as root, also where user namespaces are forbidden', machine(root(ALL), refused), 'root'],
    ['as an ordinary user', machine({}), 'user-namespace'],
    ['as root of a container without privileges', machine(root(CONTAINER)), 'user-namespace'],
    // Root needs NET_ADMIN and SYS_ADMIN; this container has only the former.
    ['as root of a container with NET_ADMIN', machine(root(1n << 12n)), 'user-namespace'],
  ])('%s', (_, here, kind) => expect(namespaceWay(here)).toEqual({ kind }));

  it.each([
    [machine({ platform: 'darwin', userId: () => 501 }), 'network namespaces need Linux'],
    [
      machine({ settings: { [MAX]: '0' } }, refused),
      `network namespaces need root or user namespaces, which the kernel forbids here (${MAX} is 0): run "sysctl user.max_user_namespaces=10000" as root`,
    ],
    [
      machine({ settings: { [MAX]: '9', '/proc/sys/kernel/unprivileged_userns_clone': '0' } }, refused),
      'network namespaces need root or user namespaces, which the kernel forbids here (/proc/sys/kernel/unprivileged_userns_clone is 0): run "sysctl kernel.unprivileged_userns_clone=1" as root',
    ],
    [
      // Ubuntu 24.04 gives the namespace, without any capability in it.
      machine(
        { settings: { '/proc/sys/kernel/apparmor_restrict_unprivileged_userns': '1' } },
        'mount: /run: permission denied',
      ),
      'network namespaces need root or user namespaces, which the kernel forbids here (/proc/sys/kernel/apparmor_restrict_unprivileged_userns is 1): run "sysctl kernel.apparmor_restrict_unprivileged_userns=0" as root',
    ],
    [
      machine({}, refused),
      `network namespaces need root or user namespaces, which failed (${refused}): in a container, its seccomp profile must allow unshare and mount`,
    ],
    [
      machine(root(CONTAINER), refused),
      `network namespaces need the capabilities SYS_ADMIN and NET_ADMIN, which this container does not have, or user namespaces, which failed (${refused}): start the container with --cap-add NET_ADMIN,NET_RAW,SYS_ADMIN,SYS_NICE`,
    ],
  ])('not at all: case %#', (here, why) => expect(namespaceWay(here)).toEqual({ kind: 'none', why }));

  it.runIf(process.platform === 'linux')('is found out here, by root and by an ordinary user', () => {
    const here = namespaceWay();
    expect(here.kind === 'none' ? here.why : here.kind).toMatch(
      /^(root$|user-namespace$|network namespaces need)/,
    );
    if (here.kind !== 'root') return;
    // Root in a user namespace that calls it 1000 has no capability outside: an ordinary user, who may still read all files.
    const script = `import('${path.join(import.meta.dirname, 'namespaceWay.mjs')}').then(({ namespaceWay }) => console.log(JSON.stringify(namespaceWay())))`;
    const ordinary = ['--user', '--map-user=1000', '--map-group=1000', process.execPath, '-e', script];
    const { stdout, stderr } = spawnSync('unshare', ordinary, { encoding: 'utf8' });
    expect(['user-namespace', 'none'], stderr).toContain((JSON.parse(stdout) as { kind: string }).kind);
  });
});
