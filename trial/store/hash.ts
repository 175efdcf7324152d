import { hash } from 'node:crypto';
import { isIP } from 'node:net';
import type { Hash } from '../../src/shared/assignment.ts';
import { hashId } from '../design/beacon.ts';
import type { Trial } from '../design/trialFile.ts';

export const sha256: Hash = (text) => hash('sha256', text, 'buffer');

/**
 * Returns the network of an address: IPv4 to 24 bits, IPv6 to 48, hashed with the salt. The address itself goes no further. null
 * for what is no address.
 */
export function networkOf(trial: Trial, address: string | undefined, hashed: Hash = sha256): string | null {
  const plain = (address ?? '').replace(/^::ffff:(?=\d+\.)/i, '');
  const prefix = prefixOf(plain);
  return prefix === null ? null : hashId(trial, { kind: 'network', id: prefix }, hashed);
}

function prefixOf(address: string): string | null {
  const kind = isIP(address);
  if (kind === 4) return address.split('.').slice(0, 3).join('.');
  if (kind !== 6) return null;
  const [head = '', tail = ''] = address.toLowerCase().split('%')[0]!.split('::') as [string, string?];
  const groups = head === '' ? [] : head.split(':');
  const rest = tail === '' ? [] : tail.split(':');
  const zeros = Array.from({ length: Math.max(0, 8 - groups.length - rest.length) }, () => '0');
  return [...groups, ...zeros, ...rest]
    .slice(0, 3)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}
