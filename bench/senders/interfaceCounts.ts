import { execFileSync } from 'node:child_process';
import type { LinkEnd } from '../../lab/link/linkEnd.ts';
import { enterNamespace } from '../../lab/namespaces.ts';

/** What crossed the interfaces of a namespace since it was made, loopback apart; bytes with Ethernet headers. */
export interface InterfaceCounts {
  readonly receivedBytes: number;
  readonly receivedPackets: number;
  readonly sentBytes: number;
  readonly sentPackets: number;
}

export function interfaceCounts({ namespace }: LinkEnd): InterfaceCounts {
  const [program, ...args] = enterNamespace(namespace, 'cat', '/proc/net/dev');
  return countsIn(execFileSync(program, args, { encoding: 'utf8', timeout: 5000 }));
}

/** Sums columns 1, 2, 9 and 10 of /proc/net/dev (proc(5)). */
export function countsIn(text: string): InterfaceCounts {
  const rows = text
    .split('\n')
    .map((line) => line.split(':'))
    .filter(([name = '', columns]) => columns !== undefined && name.trim() !== 'lo')
    .map(([, columns = '']) => columns.trim().split(/\s+/).map(Number));
  const sum = (column: number): number => rows.reduce((total, row) => total + (row[column] ?? 0), 0);
  return {
    receivedBytes: sum(0),
    receivedPackets: sum(1),
    sentBytes: sum(8),
    sentPackets: sum(9),
  };
}

export const countedSince = (after: InterfaceCounts, before: InterfaceCounts): InterfaceCounts => ({
  receivedBytes: after.receivedBytes - before.receivedBytes,
  receivedPackets: after.receivedPackets - before.receivedPackets,
  sentBytes: after.sentBytes - before.sentBytes,
  sentPackets: after.sentPackets - before.sentPackets,
});
