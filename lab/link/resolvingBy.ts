import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Command } from '../namespaces.ts';

/** What a program reads in place of the machine's files: one server, and no other source of names before it. */
const FILES = {
  'resolv.conf': (server: string) => `nameserver ${server}\n`,
  // Chromium asks for no HTTPS records where names come from elsewhere (net/dns/dns_config_service_linux.cc).
  'nsswitch.conf': () => 'passwd: files\ngroup: files\nhosts: files dns\n',
};

/**
 * Makes the command that runs a program which asks one DNS server. The files are mounted over those of the machine for this
 * program alone, and go with its mounts: nothing of the machine is changed, also when everything is killed.
 * @throws Error with one sentence where the machine has no `/etc/resolv.conf`
 */
export async function resolvingBy(
  server: string,
  { folder, executable }: { readonly folder: string; readonly executable: string },
): Promise<Command> {
  if (!existsSync('/etc/resolv.conf'))
    throw new Error(
      'This machine has no /etc/resolv.conf over which the lab’s could be mounted: make one, it may be empty.',
    );
  const names = Object.keys(FILES).filter((name) => existsSync(`/etc/${name}`)) as (keyof typeof FILES)[];
  for (const name of names) await writeFile(path.join(folder, name), FILES[name](server));
  const mounts = names.map((name) => `mount --bind "$0/${name}" /etc/${name}`);
  return ['unshare', '--mount', 'sh', '-c', [...mounts, 'exec "$@"'].join(' && '), folder, executable];
}
