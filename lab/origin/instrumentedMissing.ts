/** Which part of the instrumented origin this machine lacks. */
import { existsSync, readFileSync } from 'node:fs';
import { setUpAgain, tools, type Tools } from '../tools.ts';

const KNOWN = '/proc/sys/net/ipv4/tcp_available_congestion_control';
/** What programs without privileges may choose (ip-sysctl.txt). */
const ALLOWED = '/proc/sys/net/ipv4/tcp_allowed_congestion_control';

/** Why the origin cannot be started here, in one sentence without a full stop; null when it can. */
export const instrumentedMissing = (found: Pick<Tools, 'origin' | 'missing'> = tools()): string | null =>
  found.origin !== null && existsSync(found.origin)
    ? null
    : `the instrumented origin is missing: ${found.missing['origin'] ?? setUpAgain()}`;

/**
 * Why TCP cannot send by a controller here, in one sentence without a full stop; null when it can. `isRoot`: of the
 * namespace in which it sends; over an emulated link everybody is.
 */
export function controllerMissing(name: string, { isRoot = process.getuid?.() === 0 } = {}): string | null {
  if (process.platform !== 'linux') return `TCP's controller ${name} can be chosen only on Linux`;
  const known = readWords(KNOWN);
  if (!known.includes(name))
    return `the kernel has no TCP controller ${name}, only ${known.join(', ')} ("modprobe tcp_${name}" as root may add it)`;
  return isRoot || readWords(ALLOWED).includes(name)
    ? null
    : `TCP's controller ${name} needs root or an emulated link on this machine: ${ALLOWED} does not list it`;
}

const readWords = (file: string): string[] => readFileSync(file, 'utf8').trim().split(/\s+/);
