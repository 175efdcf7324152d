import { readFileSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ip } from '../namespaces.ts';

/** Names of namespaces and folders begin so; the pid is their owner's. */
export const linkName = (pid: number, count: number): string => `pitwall-link-${pid}-${count}`;
const OWNER = /^pitwall-link-(\d+)-\d+/;

/**
 * Removes what runs that died by `kill -9` left: their emulators ended with them, but names of namespaces, what still
 * runs inside them, and folders of configurations stay.
 */
export async function sweepLinks(): Promise<void> {
  const names = await ip('netns', 'list');
  for (const [name = ''] of names.split('\n').map((line) => line.split(' ')))
    if (isLeftOver(name)) await removeNamespace(name);
  for (const name of await readdir(tmpdir()))
    if (isLeftOver(name)) await removeOwn(path.join(tmpdir(), name));
}

/** Ends whatever runs inside, then takes the name away. No error when it is gone already. */
export async function removeNamespace(name: string): Promise<void> {
  const inside = await ip('netns', 'pids', name).catch(() => '');
  for (const pid of inside.split('\n').filter(Boolean)) end(Number(pid));
  await ip('netns', 'del', name).catch(() => {});
}

/** What another user has left is for that user to remove. */
async function removeOwn(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true }).catch((error: unknown) => {
    if (!['EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  });
}

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function isLeftOver(name: string): boolean {
  const owner = OWNER.exec(name)?.[1];
  return owner !== undefined && !isAlive(Number(owner));
}

/** A zombie holds nothing any more, though its pid can still be signalled: proc(5), the state after the name. */
function isAlive(pid: number): boolean {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}
