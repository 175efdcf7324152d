import { execFileSync } from 'node:child_process';
import { enterNamespace } from '../namespaces.ts';
import { QUEUED_SUFFIX } from './limitQueue.ts';

/**
 * Bytes of all packets that came into a namespace since it was made, loopback apart, with their Ethernet headers: for the
 * session log's `linkRun.receivedWireBytes`. Null where the kernel does not tell (any more).
 */
export function receivedWireBytes(namespace: string): number | null {
  try {
    const [program, ...args] = enterNamespace(namespace, 'cat', '/proc/net/dev');
    return receivedIn(execFileSync(program, args, { encoding: 'utf8', timeout: 5000, stdio: 'pipe' }));
  } catch {
    return null;
  }
}

/**
 * Sums the first column of /proc/net/dev (proc(5)) over all interfaces but the loopback and those of what a limit has queued,
 * which came over another one before; null when there is none.
 */
export function receivedIn(text: string): number | null {
  const counts = text
    .split('\n')
    .map((line) => line.split(':'))
    .filter(([name = '', columns]) => columns !== undefined && isOfLink(name.trim()))
    .map(([, columns = '']) => Number.parseInt(columns, 10))
    .filter(Number.isFinite);
  return counts.length > 0 ? counts.reduce((sum, bytes) => sum + bytes, 0) : null;
}

const isOfLink = (name: string): boolean => name !== 'lo' && !name.endsWith(QUEUED_SUFFIX);
